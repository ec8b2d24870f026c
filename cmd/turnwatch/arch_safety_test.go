package main_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declared returns the functions of all test files as "dir.Name".
func declared(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range goFiles(t) {
		if !f.test() {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[f.dir+"."+fn.Name.Name] = true
			}
		}
	}
	return names
}

// TestEveryDecoderIsFuzzed: whatever reads what others wrote has a fuzz target.
func TestEveryDecoderIsFuzzed(t *testing.T) {
	names := declared(t)
	want := map[string]bool{
		"collector/follow.FuzzLines": true, "collector/jsonl.FuzzEach": true, "collector/jsonl.FuzzClip": true, "collector/redact.FuzzText": true,
		"collector/printable.FuzzText": true, "api.FuzzHost": true, "api.FuzzHook": true, "hooks.FuzzInstall": true,
	}
	for _, f := range goFiles(t) {
		if !f.test() && strings.HasPrefix(f.name, "decode") && path.Dir(f.dir) == "sources" {
			want[f.dir+".FuzzDecode"] = true
		}
	}
	if len(want) < 11 {
		t.Errorf("only %d decoders", len(want))
	}
	for name := range want {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestSecurityNamesItsTests: each test that SECURITY.md rests on exists.
func TestSecurityNamesItsTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := declared(t)
	found := regexp.MustCompile("`([a-z/]+)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(text), -1)
	if len(found) < 30 {
		t.Errorf("only %d tests are named", len(found))
	}
	for _, m := range found {
		if !names[m[1]+"."+m[2]] {
			t.Errorf("there is no test %s in %s", m[2], m[1])
		}
	}
	for _, spec := range regexp.MustCompile("`(ui/[a-zA-Z0-9/._-]+)`").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join(root, spec[1])); err != nil {
			t.Error(err)
		}
	}
}
