package main_test

import (
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/ui"
)

// TestHostileIDs: an id, or a folder's name, leads to a session or repository that there is, or nowhere, whatever it looks like.
func TestHostileIDs(t *testing.T) {
	s := serve(t, t.TempDir(), "--demo").ready()
	for _, id := range []string{
		"../../etc/passwd", "acme:../../../etc/passwd", "..", "acme:..", "/etc/passwd", "acme:x\x00", "file:///etc/passwd", "' OR 1=1 --", "acme:%", "acme:_",
		"acme:x~../y", strings.Repeat("a", 4000), "acme:\r\nSet-Cookie: x=1", "acme:\xff\xfe", "<script>alert(1)</script>", "http://evil.example/",
	} {
		esc := url.PathEscape(id)
		for _, path := range []string{
			"/api/sessions/" + esc, "/api/sessions/" + esc + "/turns", "/api/sessions/" + esc + "/turns/0?full=1", "/api/sessions/" + esc + "/calls/0", "/api/sessions/" + esc + "/raw?length=9",
			"/api/sessions/" + esc + "/transcript", "/api/sessions/" + esc + "/view", "/api/analysis/" + esc, "/api/compare?b=x&a=" + url.QueryEscape(id),
		} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			empty := strings.HasSuffix(path, "/turns") && strings.Contains(string(body), `"turns":[]`)
			if resp.StatusCode >= 500 || resp.StatusCode < 400 && !empty || strings.Contains(string(body), "root:") || len(resp.Cookies()) > 0 {
				t.Errorf("%q by %s: status %d: %.200s", id, path, resp.StatusCode, body)
			}
		}
	}
}

var inline = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<script(?:\s+[^>]*)?>\s*[^<\s]|<style|\son[a-z]+\s*=|\sstyle\s*=|javascript:|https?://|//[a-z]`)

// TestPageIsPlain: the built page has no script of its own text, loads nothing from elsewhere, and so does every asset that
// could be a page.
func TestPageIsPlain(t *testing.T) {
	pages := 0
	err := fs.WalkDir(ui.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".svg") {
			return err
		}
		b, err := fs.ReadFile(ui.FS(), path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(b), `xmlns="http://www.w3.org/2000/svg"`, "")
		if found := inline.FindString(text); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		pages++
		return nil
	})
	if err != nil || pages == 0 {
		t.Errorf("%d pages, %v", pages, err)
	}
}
