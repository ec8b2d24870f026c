package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/turnwatch/turnwatch/testdata/homes"
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

// evil is what a log may hold: a secret, a terminal's sequences, reordered characters, script.
func evil() string {
	return "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3) + " \x1b]0;owned\x07\x1b[2J \u202egpj.exe\u202c \u009b31m <script>owned()</script> <img src=//evil.example/x onerror=owned()> [x](javascript:owned())"
}

// TestHostileOutput prints and exports a session whose texts are evil: nothing of it reaches the terminal, the page or the file alive.
func TestHostileOutput(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	const own = "99999999-0000-4000-8000-000000000001"
	text, err := json.Marshal(evil())
	if err != nil {
		t.Fatal(err)
	}
	log := bytes.Join(homes.Lines(own, "a", 2, 0), nil)
	for _, harmless := range []string{`"Prüfe Nr. 0, bitte: 日本語 🦉"`, `"go test ./p0"`, `"ok — 漢字 0"`, `"Fertig: 1 ✓"`, `"cwd":"/home/dev/work"`} {
		evil := text
		if key, _, ok := strings.Cut(harmless, ":"); ok && key == `"cwd"` {
			evil = append([]byte(`"cwd":`), text...)
		}
		log = bytes.ReplaceAll(log, []byte(harmless), evil)
	}
	if err := homes.Write(homes.Transcript(home, own), log); err != nil {
		t.Fatal(err)
	}
	serve(t, home, "--data-dir", data).ready().end(syscall.SIGTERM)
	for _, args := range [][]string{
		{"sessions"}, {"show", own}, {"show", own, "--turn", "1"}, {"insights"}, {"flags"}, {"compare", own, own}, {"doctor"}, {"sessions", "--json"}, {"show", own, "--json"},
		{"export", own, "--format", "md"}, {"export", own, "--format", "html"}, {"export", own, "--format", "json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := program(t, home, append(args, "--data-dir", data)...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil && len(out) == 0 {
				t.Fatalf("%v: %s", err, stderr.String())
			}
			said := string(out) + stderr.String()
			for _, bad := range []string{strings.Fields(evil())[0], "\x1b]", "\x1b[2J", "\u009b"} {
				if strings.Contains(said, bad) {
					t.Errorf("%q is in: %.2000s", bad, said)
				}
			}
			if strings.Contains(strings.Join(args, " "), "json") {
				return // for programs, which see the text as it is
			}
			if strings.Contains(said, "\u202e") {
				t.Errorf("characters are turned around in: %.2000s", said)
			}
			if strings.Contains(said, "cut: ") {
				t.Errorf("masks make a text look cut: %.2000s", said)
			}
			if args[0] != "export" {
				return
			}
			said = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(said, "") // text in Markdown
			said = strings.ReplaceAll(said, `\<`, "")                             // escaped, likewise
			for _, bad := range []string{"<img src=//evil", `href="javascript`, "<script>owned", "\n[x](javascript"} {
				if strings.Contains(said, bad) {
					t.Errorf("%q stands in: %.3000s", bad, said)
				}
			}
		})
	}
}
