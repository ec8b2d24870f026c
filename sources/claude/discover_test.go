package claude_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
)

// tree writes files below dir: path → contents.
func tree(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func withEnv(home string, env map[string]string) *claude.Source {
	return claude.New(collector.Host{Home: home, Getenv: func(k string) string { return env[k] }, Proc: filepath.Join(home, "proc"), Now: time.Now})
}

// discovered returns the streams of one kind: their ids, with the path behind them, the home cut off.
func discovered(t testing.TB, src *claude.Source, kind collector.StreamKind, home string) []string {
	t.Helper()
	var out []string
	for st, err := range src.Discover(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind != kind {
			continue
		}
		line := strings.TrimPrefix(string(st.ID), "claude/"+string(kind)+"/")
		if kind != collector.StreamDirectory {
			line += " [" + strings.TrimPrefix(string(st.Session), "claude:") + "]"
		}
		out = append(out, line+" "+strings.TrimPrefix(st.Path, home))
	}
	return out
}

// T4, and everything else that lies about: one root with its sub-agents, in both layouts; the rest is no session.
func TestDiscoverLayouts(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		".claude/projects/-w/s1.jsonl":                               "{}\n",
		".claude/projects/-w/s1/custom-title.json":                   "{}",
		".claude/projects/-w/s1/subagents/agent-a.jsonl":             "{}\n",
		".claude/projects/-w/s1/subagents/agent-a.meta.json":         "{}",
		".claude/projects/-w/s1/subagents/workflows/w/agent-b.jsonl": "{}\n",
		".claude/projects/-w/s1/subagents/workflows/w/journal.jsonl": "{}\n",
		".claude/projects/-w/s1/workflows/w.json":                    "{}",
		".claude/projects/-w/s1/tool-results/x.txt":                  "x",
		".claude/projects/-w/agent-old.jsonl":                        "{}\n",
		".claude/projects/-w/memory/notes.jsonl":                     "{}\n",
		".claude/projects/-w/s0/chat.jsonl":                          "{}\n",
		".claude/sessions/7.abc.key":                                 "secret",
		".claude/history.jsonl":                                      "{}\n",
	})
	src := withEnv(home, nil)
	if d := cmp.Diff([]string{
		"agent-old [] /.claude/projects/-w/agent-old.jsonl",
		"s0 [s0] /.claude/projects/-w/s0/chat.jsonl",
		"s1 [s1] /.claude/projects/-w/s1.jsonl",
		"s1/a [s1~a] /.claude/projects/-w/s1/subagents/agent-a.jsonl",
		"s1/b [s1~b] /.claude/projects/-w/s1/subagents/workflows/w/agent-b.jsonl",
	}, discovered(t, src, collector.StreamLog, home)); d != "" {
		t.Errorf("logs (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{
		"s1/a [s1~a] /.claude/projects/-w/s1/subagents/agent-a.meta.json",
		"s1/custom-title [s1] /.claude/projects/-w/s1/custom-title.json",
	}, discovered(t, src, collector.StreamFacts, home)); d != "" {
		t.Errorf("facts (-want +got):\n%s", d)
	}
	var dirs []string
	for _, d := range discovered(t, src, collector.StreamDirectory, home) {
		_, path, _ := strings.Cut(d, " ")
		dirs = append(dirs, path)
	}
	if d := cmp.Diff([]string{
		"/.claude", "/.claude/sessions", "/.claude/projects", "/.claude/projects/-w", "/.claude/projects/-w/s0",
		"/.claude/projects/-w/s1", "/.claude/projects/-w/s1/subagents", "/.claude/projects/-w/s1/subagents/workflows",
		"/.claude/projects/-w/s1/subagents/workflows/w",
		"/.config/claude", "/.config/claude/sessions", "/.config/claude/projects",
	}, dirs); d != "" {
		t.Errorf("directories (-want +got):\n%s", d)
	}
}

// T34: the variable is a list, and the defaults count beside it; each session is there once.
func TestDiscoverRoots(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		"one/projects/-w/s1.jsonl":             "{}\n{}\n",
		"two/projects/-w/s2.jsonl":             "{}\n",
		"two/projects/-w/s1.jsonl":             "{}\n",
		"three/projects/-w/s3.jsonl":           "{}\n",
		".claude/projects/-w/s4.jsonl":         "{}\n",
		".config/claude/projects/-w/s5.jsonl":  "{}\n",
		".config/claude/projects/-v/s5.jsonl":  "{}\n",
		".config/claude/projects/-v/s5b.jsonl": "{}\n",
	})
	if err := os.Symlink(filepath.Join(home, "one"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	p := func(name string) string { return filepath.Join(home, name) }
	want := []string{
		"s1 [s1] /one/projects/-w/s1.jsonl", // the larger one
		"s2 [s2] /two/projects/-w/s2.jsonl",
		"s3 [s3] /three/projects/-w/s3.jsonl",
		"s4 [s4] /.claude/projects/-w/s4.jsonl",
		"s5 [s5] /.config/claude/projects/-v/s5.jsonl", // as large: the first path
		"s5b [s5b] /.config/claude/projects/-v/s5b.jsonl",
	}
	for name, env := range map[string]map[string]string{
		"comma": {"CLAUDE_CONFIG_DIR": p("one") + ", " + p("two") + "/", "CLAUDE_HOME": p("three")},
		"path":  {"CLAUDE_CONFIG_DIR": strings.Join([]string{p("two"), p("one"), p("three")}, string(os.PathListSeparator))},
		"home":  {"CLAUDE_CONFIG_DIR": "~/one,~/two", "CLAUDE_HOME": "~/three"},
		"twice": {"CLAUDE_CONFIG_DIR": p("one") + "," + p("link") + "," + p("two") + "," + p("three") + "," + p(".claude")},
	} {
		t.Run(name, func(t *testing.T) {
			src := withEnv(home, env)
			if d := cmp.Diff(want, discovered(t, src, collector.StreamLog, home)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			seen := map[string]bool{}
			for _, d := range discovered(t, src, collector.StreamDirectory, home) {
				if _, path, _ := strings.Cut(d, " "); seen[path] {
					t.Errorf("%s is watched twice", path)
				} else {
					seen[path] = true
				}
			}
		})
	}
}

// A directory that cannot be read is reported and does not end discovery.
func TestDiscoverReportsErrors(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		".claude/projects/-a":          "a file where a directory was",
		".claude/projects/-w/s1.jsonl": "{}\n",
		".config/claude":               "a file where a root was",
	})
	var logs, errs int
	for st, err := range withEnv(home, nil).Discover(context.Background()) {
		switch {
		case err != nil:
			errs++
		case st.Kind == collector.StreamLog:
			logs++
		}
	}
	if logs != 1 || errs != 1 {
		t.Errorf("got %d logs and %d errors, want 1 and 1", logs, errs)
	}
}
