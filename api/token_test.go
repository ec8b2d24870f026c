package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

const token = "s3same-0p3n-th3-d00r"

func TestToken(t *testing.T) {
	addr, s := start(t, api.Config{Token: token}, deps())
	for _, r := range routes(s) {
		scenario{method: r[0], url: r[1], status: 401, want: []string{"token"}, not: []string{"acme:one", "Turnwatch", token}}.run(t, addr)
	}
	page := func(more map[string]string) map[string]string {
		headers := map[string]string{"Accept": "text/html,*/*", "Content-Type": "application/x-www-form-urlencoded"}
		for k, v := range more {
			headers[k] = v
		}
		return headers
	}
	cookie := "turnwatch_token=" + token + "; path=/; HttpOnly; SameSite=Strict"
	runAll(t, addr, []scenario{
		{name: "bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer " + token}, status: 200},
		{name: "wrong bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer " + token[1:] + "r"}, status: 401},
		{name: "a longer bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer " + token + "x"}, status: 401},
		{name: "empty bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer "}, status: 401},
		{name: "cookie", url: "/api/health", headers: map[string]string{"Cookie": "turnwatch_token=" + token}, status: 200},
		{name: "wrong cookie", url: "/api/health", headers: map[string]string{"Cookie": "turnwatch_token=x"}, status: 401},
		{name: "URL", url: "/api/health?token=" + token, status: 200, want: []string{cookie}},
		{name: "a foreign host with the token", url: "/api/health", headers: map[string]string{"Host": "evil.example", "Authorization": "Bearer " + token}, status: 403},
		{name: "a page's URL leaves the token behind", url: "/live?token=" + token, headers: page(nil), status: 200, want: []string{cookie, "no-store", `content="0;url=/"`}, not: []string{"?token", "Secure"}},
		{name: "a page's URL with a wrong one", url: "/?token=x", headers: page(nil), status: 401, want: []string{`<form method="post"`, "no-store"}, not: []string{"Set-Cookie", "<script"}},
		{name: "a page asks for it", url: "/live", headers: page(nil), status: 401, want: []string{`<input name="token" type="password"`}, not: []string{"Set-Cookie", token}},
		{name: "typed", method: "POST", url: "/token", headers: page(map[string]string{"Origin": "http://" + addr}), body: "token=" + token, status: 200, want: []string{cookie, `content="0;url=/"`}},
		{name: "typed wrong", method: "POST", url: "/token", headers: page(nil), body: "token=x", status: 401, not: []string{"Set-Cookie"}},
		{name: "typed on another site", method: "POST", url: "/token", headers: page(map[string]string{"Origin": "http://evil.example"}), body: "token=" + token, status: 403, not: []string{"Set-Cookie"}},
	})
}

// TestTokenCookieIsSecure: behind TLS the cookie never goes over plain HTTP.
func TestTokenCookieIsSecure(t *testing.T) {
	addr, _ := start(t, api.Config{Token: token, PublicURL: "https://turn.example.org"}, deps())
	scenario{url: "/api/health?token=" + token, headers: map[string]string{"Host": "turn.example.org"}, status: 200, want: []string{"HttpOnly; secure; SameSite=Strict"}}.run(t, addr)
}

func TestCheckAddr(t *testing.T) {
	for _, c := range []struct {
		addr, public, token string
		code                collector.Code
	}{
		{"127.0.0.1:4747", "", "", ""},
		{"[::1]:4747", "", "", ""},
		{"localhost:0", "", "", ""},
		{"0.0.0.0:4747", "", "", collector.CodeForbidden},
		{":4747", "", "", collector.CodeForbidden},
		{"[::]:4747", "", "", collector.CodeForbidden},
		{"192.168.1.5:4747", "", "", collector.CodeForbidden},
		{"box.lan:4747", "", "", collector.CodeForbidden},
		{"0.0.0.0:4747", "", token, ""},
		{"0.0.0.0:4747", "", "s3same", collector.CodeInvalid},
		{"127.0.0.1:4747", "", "s3same", collector.CodeInvalid},
		{"4747", "", token, collector.CodeInvalid},
		{"127.0.0.1:4747", "https://turn.example.org", "", collector.CodeForbidden},
		{"127.0.0.1:4747", "https://turn.example.org", token, ""},
		{"127.0.0.1:4747", "https://localhost:8443", "", ""},
		{"127.0.0.1:4747", "turn.example.org", token, collector.CodeInvalid},
		{"127.0.0.1:4747", "https://turn.example.org/turnwatch", token, collector.CodeInvalid},
		{"127.0.0.1:4747", "https://me@turn.example.org", token, collector.CodeInvalid},
		{"127.0.0.1:4747", "ftp://turn.example.org", token, collector.CodeInvalid},
	} {
		name := c.addr + " " + c.public
		err := api.CheckAddr(api.Config{Addr: c.addr, PublicURL: c.public, Token: c.token})
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || collector.ErrorCode(err) != c.code {
			t.Errorf("%s: got %v, want code %s", name, err, c.code)
			continue
		}
		if c.code == collector.CodeForbidden && (!strings.Contains(err.Error(), "--token") || !strings.Contains(err.Error(), "127.0.0.1")) {
			t.Errorf("%s: no way out in %q", name, err)
		}
		if c.token != "" && strings.Contains(err.Error(), c.token) {
			t.Errorf("%s: the token stands in %q", name, err)
		}
	}
}

// TestNoTokenNoCookie: without a token there is nothing to keep.
func TestNoTokenNoCookie(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	resp, _ := ask(t, addr, scenario{url: "/?token=anything", headers: map[string]string{"Accept": "text/html"}})
	if resp.StatusCode != http.StatusOK || len(resp.Cookies()) > 0 {
		t.Errorf("status %d, cookies %v", resp.StatusCode, resp.Cookies())
	}
}
