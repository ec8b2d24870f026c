package api_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// routes lists every registered route as method and URL.
func routes(s *api.Server) [][2]string {
	var list [][2]string
	for _, r := range s.App().GetRoutes(true) {
		if r.Method == http.MethodHead {
			continue // answers as its GET, and has no body to look into
		}
		url := strings.NewReplacer(":index", "0", ":seq", "0", ":id", "acme:one", "*", "index.html").Replace(r.Path)
		list = append(list, [2]string{r.Method, url})
	}
	return list
}

// TestForeignHostOnEveryRoute is T31: a page whose name was made to point here gets nothing, from no route.
func TestForeignHostOnEveryRoute(t *testing.T) {
	addr, s := start(t, api.Config{}, deps())
	_, port, _ := net.SplitHostPort(addr)
	all := routes(s)
	if len(all) < 20 {
		t.Fatalf("only %d routes", len(all))
	}
	for _, r := range all {
		for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1.evil.example:" + port, "localhost:1", "10.0.0.1:" + port, "localhost"} {
			scenario{
				method: r[0], url: r[1], headers: map[string]string{"Host": host, "X-Forwarded-Host": "localhost:" + port}, status: 403,
				want: []string{`"code":"forbidden"`, host, "--allowed-hosts", "Content-Security-Policy"}, not: []string{"acme:one", "Turnwatch", "turns 1"},
			}.run(t, addr)
		}
	}
}

// TestForeignOriginOnEveryRoute: another site's page may change nothing.
func TestForeignOriginOnEveryRoute(t *testing.T) {
	addr, s := start(t, api.Config{}, deps())
	_, port, _ := net.SplitHostPort(addr)
	for _, r := range routes(s) {
		if r[0] == http.MethodGet && r[1] != "/ws" {
			continue
		}
		for _, headers := range []map[string]string{
			{"Origin": "http://evil.example"},
			{"Origin": "http://localhost:3000"},
			{"Origin": "null"},
			{"Origin": "http://evil.example:" + port},
			{"Sec-Fetch-Site": "cross-site"},
			{"Origin": "http://localhost:" + port, "Sec-Fetch-Site": "cross-site"},
		} {
			if r[1] == "/ws" {
				headers["Upgrade"], headers["Connection"] = "websocket", "Upgrade"
				headers["Sec-WebSocket-Version"], headers["Sec-WebSocket-Key"] = "13", "dGhlIHNhbXBsZSBub25jZQ=="
			}
			scenario{method: r[0], url: r[1], headers: headers, status: 403, want: []string{`"code":"forbidden"`}, not: []string{"acme:one"}}.run(t, addr)
		}
	}
}

func TestOwnNames(t *testing.T) {
	addr, _ := start(t, api.Config{AllowedHosts: []string{"box.lan", "Localhost:5173"}}, deps())
	_, port, _ := net.SplitHostPort(addr)
	for _, host := range []string{addr, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port, "127.0.0.7:" + port, "box.lan", "box.lan:9000", "localhost:5173"} {
		t.Run(host, func(t *testing.T) {
			scenario{url: "/api/health", headers: map[string]string{"Host": host}, status: 200, want: []string{
				"Content-Security-Policy: default-src 'self'", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
			}, not: []string{"Access-Control", "unsafe-eval"}}.run(t, addr)
			scenario{method: "POST", url: "/api/detach", headers: map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}, status: 200}.run(t, addr)
		})
	}
}

func TestToken(t *testing.T) {
	addr, s := start(t, api.Config{Token: "s3same"}, deps())
	for _, r := range routes(s) {
		scenario{method: r[0], url: r[1], status: 401, want: []string{"token"}, not: []string{"acme:one", "Turnwatch", "s3same"}}.run(t, addr)
	}
	runAll(t, addr, []scenario{
		{name: "bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer s3same"}, status: 200},
		{name: "wrong bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer s3samE"}, status: 401},
		{name: "empty bearer", url: "/api/health", headers: map[string]string{"Authorization": "Bearer "}, status: 401},
		{name: "cookie", url: "/api/health", headers: map[string]string{"Cookie": "turnwatch_token=s3same"}, status: 200},
		{name: "URL", url: "/api/health?token=s3same", status: 200, want: []string{"turnwatch_token=s3same; path=/; HttpOnly; SameSite=Strict"}},
		{name: "a page's URL", url: "/?token=s3same", headers: map[string]string{"Accept": "text/html"}, status: 303, want: []string{"Location: /\r\n", "HttpOnly"}},
		{name: "wrong URL", url: "/?token=x", headers: map[string]string{"Accept": "text/html"}, status: 401, not: []string{"Set-Cookie"}},
		{name: "a foreign host with the token", url: "/api/health", headers: map[string]string{"Host": "evil.example", "Authorization": "Bearer s3same"}, status: 403},
	})
}

func TestCheckAddr(t *testing.T) {
	for _, c := range []struct {
		addr, token string
		code        collector.Code
	}{
		{"127.0.0.1:4747", "", ""},
		{"[::1]:4747", "", ""},
		{"localhost:0", "", ""},
		{"0.0.0.0:4747", "", collector.CodeForbidden},
		{":4747", "", collector.CodeForbidden},
		{"[::]:4747", "", collector.CodeForbidden},
		{"192.168.1.5:4747", "", collector.CodeForbidden},
		{"box.lan:4747", "", collector.CodeForbidden},
		{"0.0.0.0:4747", "s3same", ""},
		{"4747", "s3same", collector.CodeInvalid},
	} {
		err := api.CheckAddr(c.addr, c.token)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.addr, err)
			}
			continue
		}
		if err == nil || collector.ErrorCode(err) != c.code {
			t.Errorf("%s: got %v, want code %s", c.addr, err, c.code)
		} else if c.code == collector.CodeForbidden && (!strings.Contains(err.Error(), "--token") || !strings.Contains(err.Error(), "127.0.0.1")) {
			t.Errorf("%s: no way out in %q", c.addr, err)
		}
	}
}
