package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/hooks"
)

// TestGrokTrust: Grok runs the hooks of a repository only if its user trusts the folder.
func TestGrokTrust(t *testing.T) {
	w := newWorld(t)
	w.install(hooks.Request{Agent: "grok", Cwd: w.repo})
	trusted := filepath.Join(w.home, ".grok", "trusted_folders.toml")
	for _, c := range []struct {
		file, note string
		trust      hooks.Trust
	}{
		{"", "--trust", hooks.TrustPending},
		{"[folders.\"" + w.repo + "\"]\ntrusted = false\n", "--trust", hooks.TrustPending},
		{"[folders.\"" + w.repo + "/other\"]\ntrusted = true\n", "--trust", hooks.TrustPending},
		{"[folders", "cannot be read", hooks.TrustPending},
		{"[folders.\"" + w.repo + "\"]\ntrusted = true\ndecided_at = 1\n", "", hooks.TrustTrusted},
	} {
		if c.file != "" {
			write(t, trusted, c.file)
		}
		ar := w.state(w.repo, "grok")
		if ar.Trust != c.trust || c.note != "" && !strings.Contains(strings.Join(ar.Notes, "\n"), c.note) {
			t.Errorf("%q: %+v", c.file, ar)
		}
	}
	w.install(hooks.Request{Agent: "grok"})
	if ar := w.state("", "grok"); ar.Trust != hooks.TrustNone {
		t.Errorf("for all sessions: %+v", ar)
	}
}

// TestGrokBesideClaude: Grok runs the hooks of Claude Code's files too; the status says what becomes of them.
func TestGrokBesideClaude(t *testing.T) {
	w := newWorld(t)
	for _, cwd := range []string{"", w.repo} {
		path := filepath.Join(w.home, files["claude"].user)
		if cwd != "" {
			path = filepath.Join(w.repo, files["claude"].repo)
		}
		notes := func() string { return strings.Join(w.state(cwd, "grok").Notes, "\n") }
		w.install(hooks.Request{Agent: "grok", Cwd: cwd})
		if got := notes(); strings.Contains(got, "Claude") {
			t.Errorf("no hook of Claude Code's: %s", got)
		}
		w.install(hooks.Request{Agent: "claude", Cwd: cwd})
		if got := notes(); !strings.Contains(got, "nothing is told twice") {
			t.Errorf("beside Claude Code's: %s", got)
		}
		raw, err := os.ReadFile(path)
		must(t, err)
		write(t, path, strings.ReplaceAll(string(raw), "${GROK_SESSION_ID-}", ""))
		if got := notes(); !strings.Contains(got, "cannot run") {
			t.Errorf("beside those of an older version: %s", got)
		}
	}
}
