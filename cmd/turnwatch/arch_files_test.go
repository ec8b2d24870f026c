package main_test

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLibcIsPinned: modernc.org/sqlite works with exactly the modernc.org/libc that it was generated against; libc's versions promise nothing.
func TestLibcIsPinned(t *testing.T) {
	gomod, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.GoMod}}", "modernc.org/sqlite").Output()
	if err != nil {
		t.Fatal(err)
	}
	libc := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?m)^\s*(?:require\s+)?modernc\.org/libc (v\S+)`).FindSubmatch(data)
		if m == nil {
			t.Fatalf("%s requires no libc", file)
		}
		return string(m[1])
	}
	if got, want := libc(filepath.Join(root, "go.mod")), libc(strings.TrimSpace(string(gomod))); got != want {
		t.Errorf("modernc.org/libc is %s, modernc.org/sqlite was made for %s", got, want)
	}
}

// TestFilesNameNoMachine: committed files name neither a place on the machine that they were written on nor the
// registry that packages happened to come from.
func TestFilesNameNoMachine(t *testing.T) {
	list, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("no git checkout")
	}
	// The strings are put together here so that this file is clean itself.
	bad := []string{
		"/work" + "/main", "/work" + "/shared", "/tmp" + "/tw/", "/tmp" + "/realagents",
		"registry.npmjs" + ".org", "registry.yarnpkg" + ".com", "proxy.golang" + ".org", `"resolved"` + `: "http`,
	}
	proxies, err := exec.CommandContext(t.Context(), "go", "env", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	mirrors := string(proxies) + "," + os.Getenv("npm_config_registry") + "," + os.Getenv("NPM_CONFIG_REGISTRY")
	for part := range strings.FieldsFuncSeq(mirrors, func(r rune) bool { return strings.ContainsRune(",|\n", r) }) {
		if u, err := url.Parse(part); err == nil && u.Hostname() != "" {
			bad = append(bad, u.Hostname())
		}
	}
	for _, name := range strings.Split(strings.Trim(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0 {
			continue // removed but not yet committed, or no text
		}
		for _, b := range bad {
			if i := bytes.Index(data, []byte(b)); i >= 0 {
				t.Errorf("%s:%d holds %q", name, 1+bytes.Count(data[:i], []byte("\n")), b)
			}
		}
	}
}
