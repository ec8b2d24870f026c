package api_test

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/api"
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
				want: []string{`"code":"forbidden"`, host, "--public-url", "Content-Security-Policy"}, not: []string{"acme:one", "Turnwatch", "turns 1"},
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
			{"Origin": "https://localhost:" + port},
			{"Origin": "file://"},
			{"Sec-Fetch-Site": "same-site"},
			{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
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

// TestForeignSiteReadsNothing: another site's page can neither load, frame nor probe what this server has; it may link to it.
func TestForeignSiteReadsNothing(t *testing.T) {
	addr, s := start(t, api.Config{}, deps())
	for _, r := range routes(s) {
		if r[0] != http.MethodGet || r[1] == "/ws" {
			continue
		}
		for _, site := range []string{"cross-site", "same-site"} {
			for _, headers := range []map[string]string{
				{"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"},
				{"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
				{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
			} {
				headers["Sec-Fetch-Site"] = site
				scenario{url: r[1], headers: headers, status: 403, want: []string{`"code":"forbidden"`, site}, not: []string{"acme:one", "Turnwatch"}}.run(t, addr)
			}
		}
	}
	scenario{url: "/", headers: map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, status: 200, want: []string{"<title>"}}.run(t, addr)
}

func TestOwnNames(t *testing.T) {
	addr, _ := start(t, api.Config{AllowedHosts: []string{"localhost:5173"}}, deps())
	_, port, _ := net.SplitHostPort(addr)
	for _, host := range []string{addr, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port, "127.0.0.7:" + port, "localhost:5173"} {
		t.Run(host, func(t *testing.T) {
			scenario{url: "/api/health", headers: map[string]string{"Host": host}, status: 200, want: []string{
				"Content-Security-Policy: default-src 'self'; script-src 'self';", "frame-ancestors 'none'", "connect-src 'self';", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
				"Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
			}, not: []string{"Access-Control", "unsafe-eval", "script-src 'self' 'unsafe-inline'"}}.run(t, addr)
			scenario{method: "POST", url: "/api/detach", headers: map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}, status: 200}.run(t, addr)
		})
	}
}

// TestPublicURL: behind a reverse proxy the page has one more name, and its origin that name's scheme.
func TestPublicURL(t *testing.T) {
	for _, c := range []struct {
		public, host, origin string
		status               int
	}{
		{"https://Turn.example.org", "turn.example.org", "https://turn.example.org", 200},
		{"https://turn.example.org/", "TURN.example.org:443", "https://turn.example.org", 200},
		{"https://turn.example.org:8443", "turn.example.org:8443", "https://turn.example.org:8443", 200},
		{"http://turn.example.org", "turn.example.org:80", "http://turn.example.org", 200},
		{"https://turn.example.org", "turn.example.org", "", 200},
		{"https://turn.example.org", "turn.example.org", "http://turn.example.org", 403},
		{"https://turn.example.org", "turn.example.org", "https://turn.example.org:8443", 403},
		{"https://turn.example.org", "turn.example.org:80", "https://turn.example.org", 403},
		{"https://turn.example.org", "other.example.org", "https://turn.example.org", 403},
		{"https://turn.example.org", "example.org", "", 403},
		{"https://turn.example.org", "x.turn.example.org", "", 403},
	} {
		addr, _ := start(t, api.Config{PublicURL: c.public}, deps())
		headers := map[string]string{"Host": c.host}
		if c.origin != "" {
			headers["Origin"] = c.origin
		}
		scenario{name: c.public, method: "POST", url: "/api/detach", headers: headers, status: c.status}.run(t, addr)
	}
}

// FuzzHost looks for a Host header or Origin that is taken for ours and that a browser would connect somewhere else for.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"localhost:4174", "127.0.0.1:4174", "[::1]:4174", "evil.example", "localhost:4174@evil.example", "127.0.0.1:4174.evil.example", "[::1%lo]:4174", "turn.example.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for what, ours := range map[string]bool{"host": api.NamesHost("https://turn.example.org", 4174, s), "origin": api.NamesOrigin("https://turn.example.org", 4174, "http://"+s)} {
			if !ours {
				continue
			}
			u, err := url.Parse("http://" + s)
			if err != nil {
				t.Fatalf("%s %q is ours and no host: %v", what, s, err)
			}
			name := strings.ToLower(u.Hostname())
			ip, err := netip.ParseAddr(name)
			if name != "localhost" && name != "turn.example.org" && (err != nil || !ip.IsLoopback()) {
				t.Errorf("%s %q is ours, and leads to %q", what, s, name)
			}
		}
	})
}
