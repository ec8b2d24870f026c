package hooks_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// files are where each agent's hooks go: in a repository, and in the home directory.
var files = map[collector.Agent]struct{ repo, user string }{
	"claude":  {".claude/settings.local.json", ".claude/settings.json"},
	"codex":   {".codex/hooks.json", ".codex/hooks.json"},
	"copilot": {".github/hooks/turnwatch.json", ".copilot/hooks/turnwatch.json"},
	"gemini":  {".gemini/settings.json", ".gemini/settings.json"},
	"grok":    {".grok/hooks/turnwatch.json", ".grok/hooks/turnwatch.json"},
}

// world is a machine with a home directory and a repository.
type world struct {
	t               *testing.T
	dir, home, repo string
	env             map[string]string
	url             string
	frozen          string
	now             func()
	hooks           *hooks.Hooks
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo"), env: map[string]string{}}
	for _, d := range []string{w.home, filepath.Join(w.repo, ".git"), filepath.Join(w.repo, "sub", "deep")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.hooks = w.process()
	return w
}

// process is another process of Turnwatch with the same data directory.
func (w *world) process() *hooks.Hooks {
	return hooks.New(hooks.Config{
		DataDir: filepath.Join(w.dir, "data"), Home: w.home, Getenv: func(k string) string { return w.env[k] },
		URL: func() string { return w.url }, Frozen: w.frozen,
		Now: func() time.Time {
			if w.now != nil {
				w.now()
			}
			return time.Unix(1_800_000_000, 0)
		},
	})
}

func (w *world) install(r hooks.Request) hooks.Report {
	w.t.Helper()
	report, err := w.hooks.Install(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return report
}

func (w *world) uninstall(r hooks.Request) hooks.Report {
	w.t.Helper()
	report, err := w.hooks.Uninstall(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return report
}

// state returns the state of one agent's hooks.
func (w *world) state(cwd string, agent collector.Agent) hooks.AgentReport {
	w.t.Helper()
	report, err := w.hooks.Status(w.t.Context(), hooks.Request{Cwd: cwd})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, a := range report.Agents {
		if a.Agent == agent {
			return a
		}
	}
	w.t.Fatalf("no %s in %v", agent, report)
	return hooks.AgentReport{}
}

// tree returns all files below a folder with their content and mode, and all folders.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			all[name+"/"] = ""
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			all[name] = "-> " + to
		default:
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[name] = info.Mode().String() + " " + string(raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func equal(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func code(err error) collector.Code {
	if err == nil {
		return ""
	}
	return collector.ErrorCode(err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
