package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
)

// TestSettingsDocument: the table of settings is the one of the program's own flags.
func TestSettingsDocument(t *testing.T) {
	const path = "settings.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(data), "<!-- settings: ")
	mark, rest, found2 := strings.Cut(rest, "-->\n")
	table, tail, found3 := strings.Cut(rest, "<!-- /settings -->")
	if !found || !found2 || !found3 {
		t.Fatalf("%s has no marks for the table", path)
	}
	var c cli
	want := settings.Markdown(settings.All(newParser(t.Context(), &c).Model))
	if f := flag.Lookup("update-scripts"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(path, []byte(head+"<!-- settings: "+mark+"-->\n"+want+"<!-- /settings -->"+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table, want); diff != "" {
		t.Errorf("%s (got -, want +; -update-scripts writes it):\n%s", path, diff)
	}
}

// TestEverySettingIsSaid: what can be set has a name for the environment that follows from the flag's, and a text.
func TestEverySettingIsSaid(t *testing.T) {
	var c cli
	for _, s := range settings.All(newParser(t.Context(), &c).Model) {
		if want := "TURNWATCH_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_")); s.Env != want {
			t.Errorf("%s: the variable is %s, want %s", s.Name, s.Env, want)
		}
		if len(s.Doc) < 8 {
			t.Errorf("%s: it says only %q", s.Name, s.Doc)
		}
	}
}
