package api_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/api"
)

func TestSite(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	page := map[string]string{"Accept": "text/html,*/*"}
	resp, _ := ask(t, addr, scenario{url: "/"})
	etag := resp.Header.Get("ETag")
	runAll(t, addr, []scenario{
		{name: "the page", url: "/", status: 200, want: []string{"<title>Turnwatch", "Cache-Control: no-cache", "Etag: \"", "text/html; charset=utf-8"}},
		{name: "the page, known", url: "/", headers: map[string]string{"If-None-Match": etag}, status: 304, not: []string{"<title>"}},
		{name: "the page, once known", url: "/", headers: map[string]string{"If-None-Match": `"old"`}, status: 200, want: []string{"<title>"}},
		{name: "only its head", method: "HEAD", url: "/", status: 200, want: []string{"Content-Length: 39"}, not: []string{"<title>"}},
		{name: "a route of the page", url: "/live/acme:one?turn=3", headers: page, status: 200, want: []string{"<title>Turnwatch", "no-cache"}},
		{name: "a route with dots", url: "/live/acme:1.2.3", headers: page, status: 200, want: []string{"<title>Turnwatch"}},
		{name: "a route for a program", url: "/live/acme:one", headers: map[string]string{"Accept": "application/json"}, status: 404},
		{name: "a missing asset", url: "/assets/app-gone.js", headers: page, status: 404, not: []string{"<title>"}},
		{name: "a missing file", url: "/robots.txt", headers: map[string]string{"Accept": "*/*"}, status: 404},
		{name: "an asset", url: "/assets/app-1a2b.js", status: 200, want: []string{"plain script", "immutable", "text/javascript", "Vary: Accept-Encoding"}, not: []string{"Content-Encoding"}},
		{name: "an asset, gzip", url: "/assets/app-1a2b.js", headers: map[string]string{"Accept-Encoding": "gzip, deflate"}, status: 200, want: []string{"packed script", "Content-Encoding: gzip"}},
		{name: "an asset, brotli", url: "/assets/app-1a2b.js", headers: map[string]string{"Accept-Encoding": "gzip, br"}, status: 200, want: []string{"better packed", "Content-Encoding: br"}},
		{name: "an asset that was not packed", url: "/assets/type-3c4d.woff2", headers: map[string]string{"Accept-Encoding": "gzip, br"}, status: 200, want: []string{"font", "font/woff2"}, not: []string{"Content-Encoding"}},
		{name: "an icon", url: "/favicon.svg", status: 200, want: []string{"image/svg+xml", "no-cache"}},
		{name: "up and away", url: "/../../etc/passwd", status: 404, not: []string{"root:"}},
		{name: "up and away, encoded", url: "/%2e%2e/%2e%2e/etc/passwd", status: 404, not: []string{"root:"}},
		{name: "a folder", url: "/assets", status: 404},
		{name: "not with POST", method: "POST", url: "/", status: 405},
	})
}
