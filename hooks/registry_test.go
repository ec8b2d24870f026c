package hooks_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/hooks"
)

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hooks.json")
	r := hooks.OpenRegistry(dir)
	if r.Verify("claude", "") || r.Verify("claude", "x") {
		t.Error("without a file a token is right")
	}
	write(t, path, `{"version":1,"tokens":{"claude":"abc","codex":""},"installs":[]}`)
	for _, c := range []struct {
		agent, token string
		want         bool
	}{
		{"claude", "abc", true}, {"claude", "ab", false}, {"claude", "abcd", false}, {"claude", "", false},
		{"copilot", "abc", false}, {"codex", "", false}, {"", "", false},
	} {
		if got := r.Verify(c.agent, c.token); got != c.want {
			t.Errorf("Verify(%q, %q) = %t", c.agent, c.token, got)
		}
	}
	// Another process changes the file.
	write(t, path+".new", `{"version":1,"tokens":{"claude":"xyz"},"installs":[]}`)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if r.Verify("claude", "abc") || !r.Verify("claude", "xyz") {
		t.Error("a changed file was not read again")
	}
	write(t, path+".new", `{`)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if r.Verify("claude", "xyz") {
		t.Error("a damaged file lets a token pass")
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
