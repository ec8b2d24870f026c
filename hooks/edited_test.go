package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

func TestForeignFile(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.repo, files["copilot"].repo)
	write(t, path, "{\"version\": 1}\n")
	was := tree(t, w.repo)
	req := hooks.Request{Agent: "copilot", Cwd: w.repo}
	if _, err := w.hooks.Install(t.Context(), req); code(err) != collector.CodeConflict || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("without force: %v", err)
	}
	equal(t, "after a refusal", was, tree(t, w.repo))
	if ar := w.state(w.repo, "copilot"); ar.State != hooks.StateForeign || len(ar.Notes) == 0 {
		t.Errorf("state %+v", ar)
	}
	req.Force = true
	ar := w.install(req).Agents[0]
	backup, err := os.ReadFile(ar.Backup)
	if err != nil || string(backup) != "{\"version\": 1}\n" || ar.Backup != path+".bak.20270115T080000" {
		t.Errorf("backup %s: %q, %v", ar.Backup, backup, err)
	}
	w.uninstall(hooks.Request{Agent: "copilot", Cwd: w.repo})
	equal(t, "after uninstalling", was, tree(t, w.repo))
}

// TestEditedMeanwhile: what somebody did to the file after the install stays.
func TestEditedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct{ before, from, to, want string }{
		"a member": {"{\n  \"a\": 1\n}\n", `"a": 1`, `"a": 2`, "{\n  \"a\": 2\n}\n"},
		"a hook in the list": {
			"{\n  \"hooks\": {\n    \"Stop\": [\n      " + foreignGroup + "\n    ]\n  }\n}\n", "\n      " + foreignGroup, "\n      7,\n      " + foreignGroup,
			"{\n  \"hooks\": {\n    \"Stop\": [\n      7,\n      " + foreignGroup + "\n    ]\n  }\n}\n",
		},
		"a hook among ours": {
			"", `"hooks": {`, `"hooks": {"Mine": [` + foreignGroup + `],`,
			"{\n  \"hooks\": {\"Mine\": [" + foreignGroup + "]\n  }\n}\n",
		},
		"a member in our file":   {"", `"hooks"`, `"env": {}, "hooks"`, "{\n  \"env\": {}\n}\n"},
		"an empty list stays":    {"{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n", "\n}\n", "\n}\n// end", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n// end"},
		"a handler in our group": {"{}", `"timeout": 2` + "\n", `"timeout": 2` + "\n}, {\"type\": \"command\", \"command\": \"x\"\n", "*"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := filepath.Join(w.repo, files["claude"].repo)
			if c.before != "" {
				write(t, path, c.before)
			}
			req := hooks.Request{Agent: "claude", Cwd: w.repo}
			w.install(req)
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(string(raw), c.from, c.to, 1)
			if edited == string(raw) {
				t.Fatalf("no %q in:\n%s", c.from, raw)
			}
			write(t, path, edited)
			w.uninstall(req)
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(got), "turnwatch-hook") {
				t.Errorf("ours are still there:\n%s", got)
			}
			if c.want != "*" {
				if diff := cmp.Diff(c.want, string(got)); diff != "" {
					t.Error(diff)
				}
			} else if !strings.Contains(string(got), `"command": "x"`) {
				t.Errorf("the foreign handler is gone:\n%s", got)
			}
		})
	}
}
