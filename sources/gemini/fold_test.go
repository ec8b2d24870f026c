package gemini_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// sessions folds everything that a source finds.
func sessions(t testing.TB, src collector.Source) sourcetest.Folds {
	t.Helper()
	return sourcetest.Fold(t, src, fold.Judges{Analyzers: analyzers.All(analyzers.Config{})})
}

// recorded folds the sessions of a case.
func recorded(t testing.TB, name string) map[collector.SessionID]*fold.Session {
	t.Helper()
	home, err := filepath.Abs(filepath.Join(testdata, name, "home"))
	if err != nil {
		t.Fatal(err)
	}
	return sessions(t, gemini.New(sourcetest.Host(t, home)))
}

// log folds one session from lines.
func log(t testing.TB, lines ...string) *fold.Session {
	t.Helper()
	home := t.TempDir()
	head := `{"sessionId":"00000000-0000-4000-8000-000000000001","projectHash":"x","startTime":"2026-11-30T10:00:00.000Z","kind":"main"}`
	write(t, filepath.Join(home, ".gemini", "tmp", "shop", "chats", "session-2026-11-30T10-00-00000000.jsonl"), head+"\n"+strings.Join(lines, "\n")+"\n")
	const id = "gemini:00000000-0000-4000-8000-000000000001"
	all := sessions(t, gemini.New(sourcetest.Host(t, home)))
	if len(all) == 0 {
		return fold.New(id) // nobody was asked
	}
	if all[id] == nil || len(all) != 1 {
		t.Fatalf("%d sessions", len(all))
	}
	return all[id]
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCounted: what the scripted model served, though the log holds each response twice and the history three times more.
func TestCounted(t *testing.T) {
	for name, want := range map[string]map[string][]int64{ // round trips, input, cache read, output, reasoning, calls, failed
		"tools-then-resume": {"71fc2616-2835-4ada-b536-2f1e01c5d638": {12, 7600, 9000, 586, 60, 12, 5}},
		"terminal":          {"677e8089-1c79-4169-a039-1eb808a33a6b": {10, 1804200, 4500, 467, 40, 7, 0}},
		"subagents": {
			"eb82015e-d52f-4d8b-aac9-6617b4feb010": {2, 1200, 900, 91, 10, 2, 0},
			"10fd01a3-5a64-4e90-a0cb-8e4e1f2fe7b2": {2, 1200, 900, 91, 10, 2, 0},
			"441aa1f5-1162-4cc8-8fc8-02112d60861b": {2, 1200, 900, 91, 10, 2, 0},
		},
	} {
		got := map[string][]int64{}
		for id, s := range recorded(t, name) {
			n := s.Row().Totals
			got[id.Own()] = []int64{
				int64(n.RoundTrips), n.Tokens.Input.Value, n.Tokens.CacheRead.Value, n.Tokens.Output.Value, n.Tokens.Reasoning.Value,
				int64(n.Calls), int64(n.FailedCalls),
			}
			if n.Tokens.Input.Quality != collector.QualityExact {
				t.Errorf("%s: the input is %v", name, n.Tokens.Input.Quality)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFlags: one recorded turn with a failing command tried again, and a file read three times for nothing.
func TestFlags(t *testing.T) {
	turn := recorded(t, "tools-then-resume")["gemini:71fc2616-2835-4ada-b536-2f1e01c5d638"].Turns()[0]
	got := map[collector.FlagKind][]int{}
	for _, f := range turn.Flags {
		got[f.Kind] = append(got[f.Kind], f.At.Seq)
	}
	for kind, want := range map[collector.FlagKind][]int{"fail": {2, 3, 4, 8, 9}, "retry": {3, 5}} {
		if diff := cmp.Diff(want, got[kind]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
	if len(got["loop"]) == 0 {
		t.Errorf("no loop: %v", got)
	}
}

// TestHistory: which turns were taken back, and how those ended that did not end well.
func TestHistory(t *testing.T) {
	type end struct {
		Status  collector.TurnStatus
		Rewound bool
	}
	var got []end
	for _, turn := range recorded(t, "terminal")["gemini:677e8089-1c79-4169-a039-1eb808a33a6b"].Turns() {
		got = append(got, end{turn.Status, turn.Rewound})
	}
	want := []end{{"ok", false}, {"ok", false}, {"ok", false}, {"interrupted", false}, {"failed", true}, {"ok", false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTypedCommand: what the user typed stands first, and not the sentence in which the model is told of it.
func TestTypedCommand(t *testing.T) {
	const told = "I ran the following shell command:\\n```sh\\n%s\\n```\\n\\nThis produced the following result:\\n```\\nx\\n```"
	for said, want := range map[string]string{
		strings.ReplaceAll(told, "%s", "ls -l"):           "!ls -l\n\nThis produced the following result:\n```\nx\n```",
		strings.ReplaceAll(told, "%s", "a\\n```\\nb"):     "!a\nb\n```\n\nThis produced the following result:\n```\nx\n```",
		"I ran the following shell command: ls, and then": "I ran the following shell command: ls, and then",
	} {
		events, err := gemini.New(collector.Host{}).Decode(nil, collector.Stream{ID: "gemini/log/x", Kind: collector.StreamLog},
			collector.Record{Data: []byte(`{"id":"a","type":"user","content":[{"text":"` + said + `"}]}`)})
		if err != nil || len(events) == 0 || !events[0].Tentative || events[0].Text.Preview != want {
			t.Errorf("%s: %+v, %v", said, events, err)
		}
	}
}
