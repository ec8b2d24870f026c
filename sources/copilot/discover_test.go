package copilot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

// put makes files with a line each.
func put(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDiscoverRoots: the homes of COPILOT_HOME and the default one, each session once (T34).
func TestDiscoverRoots(t *testing.T) {
	home, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, one, "session-state/a/events.jsonl", "session-state/a/workspace.yaml", "session-state/.session-operation-locks/x/events.jsonl", "session-state/vscode.metadata.json")
	put(t, two, "session-state/a/events.jsonl", "session-state/b/events.jsonl", "session-state/b/inuse.1.lock")
	put(t, filepath.Join(home, ".copilot"), "session-state/c.jsonl", "session-state/d/workspace.yaml", "session-state/d.jsonl",
		"session-state/b.jsonl", "logs/process-1-2.log", "logs/other.log", "session-store.db")
	h := host(t, home)
	h.Getenv = func(key string) string {
		if key == "COPILOT_HOME" {
			return one + string(os.PathListSeparator) + " " + two + "/," + one
		}
		return ""
	}
	var got []string
	dirs := 0
	for st, err := range copilot.New(h).Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Agent != "copilot" {
			t.Errorf("%s: agent %q", st.ID, st.Agent)
		}
		if st.Kind == collector.StreamDirectory {
			dirs++
			continue
		}
		if st.Size == 0 || st.ModTime == 0 {
			t.Errorf("%s: no attributes", st.ID)
		}
		for i, root := range []string{one, two, home} {
			st.Path = strings.Replace(st.Path, root, fmt.Sprint(i), 1)
		}
		got = append(got, fmt.Sprint(st.Kind, " ", st.ID, " ", st.Session, " ", st.Path))
	}
	want := []string{
		"log copilot/log/a copilot:a 0/session-state/a/events.jsonl",
		"facts copilot/facts/workspace/a copilot:a 0/session-state/a/workspace.yaml",
		"log copilot/log/b copilot:b 1/session-state/b/events.jsonl",
		"log copilot/log/c copilot:c 2/.copilot/session-state/c.jsonl",
		"facts copilot/facts/workspace/d copilot:d 2/.copilot/session-state/d/workspace.yaml",
		"log copilot/log/d copilot:d 2/.copilot/session-state/d.jsonl",
		"facts copilot/facts/process/process-1-2  2/.copilot/logs/process-1-2.log",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("streams (-want +got):\n%s", diff)
	}
	if dirs != 3*3+3 {
		t.Errorf("%d directories, want 3 of each root and 3 of sessions", dirs)
	}
}

// TestDiscoverTable: the table is a stream only where the host lends a way to read it.
func TestDiscoverTable(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".copilot"), "session-store.db", "session-store.db-wal")
	_, st := withTables(t, home)
	if st.Kind != collector.StreamFacts || st.Session != "" || st.Size != 6 {
		t.Errorf("stream %+v, want facts of 6 bytes with the write-ahead log", st)
	}
}

func TestDiscoverStops(t *testing.T) {
	src := recorded(t, "1.0.102-hello")
	for range src.Discover(t.Context()) {
		break
	}
	n := 0
	for range src.Discover(t.Context()) {
		n++
	}
	if n == 0 {
		t.Error("nothing after a look that was broken off")
	}
}

func TestWorkspace(t *testing.T) {
	tests := []struct {
		name, text string
		want       []*collector.Facts
	}{
		{"named", "id: x\ncwd: /w\nname: my name\nuser_named: true\n", []*collector.Facts{
			{Title: "my name", TitleRank: collector.TitleUser}, {Cwd: "/w", Fallback: true}}},
		{"1.0.20", "repository: o/r\r\nsummary: 'it''s: so'\r\n", []*collector.Facts{
			{Title: "it's: so", TitleRank: collector.TitleSummary}, {Repo: "o/r", Fallback: true}}},
		{"block", "name: |-\n  two\n  lines\nbranch: \"a\\tb\"\n", []*collector.Facts{
			{Title: "two lines", TitleRank: collector.TitleSummary}, {Branch: "a\tb", Fallback: true}}},
		{"no YAML", "{}\n\x00\x00", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := collector.Stream{ID: "copilot/facts/workspace/x", Session: root}
			events, err := recorded(t, "1.0.102-hello").Decode(nil, st, collector.Record{Data: []byte(tt.text)})
			if err != nil {
				t.Fatal(err)
			}
			var got []*collector.Facts
			for _, ev := range events {
				got = append(got, ev.Facts)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}
