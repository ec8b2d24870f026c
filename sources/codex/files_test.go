package codex_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
)

func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func streams(t testing.TB, src collector.Source) []collector.Stream {
	t.Helper()
	var out []collector.Stream
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatalf("discover: %v", err)
		}
		out = append(out, st)
	}
	return out
}

// onlyLog returns the one rollout there is.
func onlyLog(t testing.TB, src collector.Source) collector.Stream {
	t.Helper()
	logs := slices.DeleteFunc(streams(t, src), func(st collector.Stream) bool { return st.Kind != collector.StreamLog })
	if len(logs) != 1 {
		t.Fatalf("%d rollouts, want 1", len(logs))
	}
	return logs[0]
}

func TestDiscoverTakesTheFileThatTheAgentReads(t *testing.T) {
	home := filepath.Join(testdata, "files", "home")
	var got []string
	for _, st := range streams(t, codex.New(host(home))) {
		rel, err := filepath.Rel(home, st.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(st.Kind)+" "+filepath.ToSlash(rel))
	}
	want := []string{
		"directory .codex", "directory .codex/sessions", "directory .codex/archived_sessions", "directory .codex/thread-writer-locks",
		"directory .codex/sessions/2026", "directory .codex/sessions/2026/11", "directory .codex/sessions/2026/11/30",
		"log .codex/archived_sessions/rollout-2026-11-30T10-30-53-01a22c01-ecc5-7f91-9af1-104c17b4336b.jsonl.zst",
		"log .codex/sessions/2026/11/30/rollout-2026-11-30T10-30-58-01a22c02-01e1-7f31-9ab7-8985f5d838c4.jsonl",
		"log .codex/sessions/2026/11/30/rollout-2026-11-30T10-38-30-01a22c08-e7e4-76d2-b17f-65c6e55b7092.jsonl",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got (-) and want (+):\n%s", diff)
	}
}

// A stream keeps its name when its file is archived or compressed.
func TestStreamNames(t *testing.T) {
	id := collector.StreamID("codex/log/01a22c01-ecc5-7f91-9af1-104c17b4336b")
	for _, name := range []string{"files", "v171-interrupt"} {
		found := slices.ContainsFunc(streams(t, codex.New(host(filepath.Join(testdata, name, "home")))), func(st collector.Stream) bool {
			return st.ID == id && st.Session == "codex:01a22c01-ecc5-7f91-9af1-104c17b4336b" && st.Size > 0 && st.ModTime > 0
		})
		if !found {
			t.Errorf("%s: no stream %s", name, id)
		}
	}
}

func TestCompressedRolloutSaysTheSame(t *testing.T) {
	plain := folded(t, "v171-interrupt")[0]
	compressed := folded(t, "files")[0]
	if diff := cmp.Diff(plain.Turns(), compressed.Turns()); diff != "" {
		t.Errorf("plain (-) and compressed (+):\n%s", diff)
	}
}

// The last record of this rollout, the turn's end, was never completed.
func TestTornRolloutKeepsItsTurnOpen(t *testing.T) {
	turns := folded(t, "torn")[0].Turns()
	if len(turns) != 1 || turns[0].Status != collector.TurnOpen || turns[0].Reply.Preview != "fork answer" {
		t.Errorf("got %d turns, the first %+v", len(turns), turns[0])
	}
}

func TestChildrenKnowParentAndCall(t *testing.T) {
	const (
		parent = "codex:01a22c08-e5da-7432-9e58-fb7d218ddf6a"
		id     = parent + "~01a22c08-e7e4-76d2-b17f-65c6e55b7092"
	)
	src := codex.New(host(filepath.Join(testdata, "v171-forkcontext-parent", "home")))
	child := sessions(t, src)[id]
	if child == nil {
		t.Fatal("the parent's log says nothing about the child")
	}
	row := child.Row()
	if row.Parent != parent || row.ParentCall != "call_sp1" || row.Path != "" {
		t.Errorf("parent %s, call %s, path %q", row.Parent, row.ParentCall, row.Path)
	}
	own := folded(t, "v171-forkcontext-child")[0].Row()
	if own.Parent != parent || own.ForkedFrom != parent || own.ID != id {
		t.Errorf("own file: id %s, parent %s, forked from %s", own.ID, own.Parent, own.ForkedFrom)
	}
}
