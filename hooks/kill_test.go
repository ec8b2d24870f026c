package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// between is a machine's files between two steps, as a kill would leave them.
type between struct {
	name string
	make func()
}

// rewind makes a folder what it was when it was copied.
func rewind(t *testing.T, dir, copied string) {
	t.Helper()
	must(t, os.RemoveAll(dir))
	must(t, os.CopyFS(dir, os.DirFS(copied)))
}

// TestKilledBetweenSteps: whenever the process dies, installing again ends the install, and uninstalling undoes it.
func TestKilledBetweenSteps(t *testing.T) {
	for agent, file := range files {
		for name, text := range map[string]string{"no file": "", "a file": "{\n  \"a\": 1\n}\n"} {
			t.Run(string(agent)+"/"+name, func(t *testing.T) {
				w := newWorld(t)
				path := filepath.Join(w.repo, file.repo)
				if text != "" {
					write(t, path, text)
				}
				testKills(t, w, agent, path)
			})
		}
	}
}

func testKills(t *testing.T, w *world, agent collector.Agent, path string) {
	kept := t.TempDir()
	before, after := filepath.Join(kept, "before"), filepath.Join(kept, "after")
	must(t, os.CopyFS(before, os.DirFS(w.dir)))
	req := hooks.Request{Agent: agent, Cwd: w.repo, Force: true}
	clean := tree(t, w.repo)
	w.url = "http://127.0.0.1:1"
	backup := w.install(req).Agents[0].Backup
	must(t, os.CopyFS(after, os.DirFS(w.dir)))
	done := tree(t, w.repo)
	installed, err := os.ReadFile(path)
	must(t, err)

	record := func() {
		rewind(t, w.dir, before)
		must(t, os.CopyFS(filepath.Join(w.dir, "data"), os.DirFS(filepath.Join(after, "data"))))
	}
	folders := func() { record(); must(t, os.MkdirAll(filepath.Dir(path), 0o755)) }
	moved := func() {
		folders()
		if backup != "" {
			must(t, os.Rename(path, backup))
		}
	}
	for _, s := range []between{
		{"recorded", record}, {"folders made", folders}, {"moved aside", moved},
		{"half written", func() {
			moved()
			write(t, filepath.Join(filepath.Dir(path), ".turnwatch-1.tmp"), string(installed[:40]))
		}},
		{"written, not announced", func() { rewind(t, w.dir, after); must(t, os.RemoveAll(filepath.Join(w.home, ".local"))) }},
		{"uninstalled, not forgotten", func() {
			rewind(t, w.dir, after)
			must(t, os.Remove(path))
			if backup != "" {
				must(t, os.Rename(backup, path))
			} else if raw, err := os.ReadFile(filepath.Join(before, strings.TrimPrefix(path, w.dir))); err == nil {
				write(t, path, string(raw))
			}
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			s.make()
			w.hooks = w.process()
			if ar := w.install(req).Agents[0]; ar.State != hooks.StateInstalled {
				t.Errorf("installed again: %+v", ar)
			}
			equal(t, "installed again", done, tree(t, w.repo))
			w.uninstall(req)
			equal(t, "uninstalled after that", clean, tree(t, w.repo))
			s.make()
			w.hooks = w.process()
			w.uninstall(req)
			equal(t, "uninstalled", clean, tree(t, w.repo))
			if raw, err := os.ReadFile(filepath.Join(w.dir, "data", "hooks.json")); err != nil || strings.Contains(string(raw), w.repo) {
				t.Errorf("still recorded: %s, %v", raw, err)
			}
		})
	}
}
