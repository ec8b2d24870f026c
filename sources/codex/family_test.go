package codex_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
)

// thread names the n-th thread of a made-up home.
func thread(n int) string { return fmt.Sprintf("01a22bae-b680-7000-8000-%012d", n) }

// rolloutOf returns where the n-th thread of a home lies.
func rolloutOf(home string, n int) string {
	return filepath.Join(home, ".codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T09-00-00-"+thread(n)+".jsonl")
}

// metaOf returns the first line of the n-th thread, with more fields, a beginning of the instructions and no end.
func metaOf(n int, more string) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-30T09:00:00.020Z","type":"session_meta","payload":{"id":%q,%s"model_provider":"x","base_instructions":{"text":"you, \"a\"`,
		thread(n), strings.NewReplacer("T1", thread(1), "T2", thread(2), "T3", thread(3)).Replace(more))
}

const metaEnd = `"}}}` + "\n"

// families puts up threads and returns the sessions that a discovery makes of them and their parents, by their number.
func families(t *testing.T, src *codex.Source) map[string]string {
	t.Helper()
	short := strings.NewReplacer("codex:", "", "01a22bae-b680-7000-8000-00000000000", "")
	got := map[string]string{}
	for id, f := range sessions(t, src) {
		got[short.Replace(string(id))] = short.Replace(string(f.Row().Parent))
	}
	return got
}

func TestSubAgentsLieUnderTheirRoot(t *testing.T) {
	const (
		child  = `"session_id":"T1","parent_thread_id":"T1",`
		nested = `"session_id":"T1","parent_thread_id":"T2",`
		spawn1 = `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"T1","depth":1}}},`
		spawn2 = `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"T2","depth":2}}},`
	)
	for _, c := range []struct {
		name  string
		metas []string
		want  map[string]string
	}{
		{"roots named", []string{`"session_id":"T1",`, child, nested}, map[string]string{"1": "", "1~2": "1", "1~3": "1~2"}},
		{"roots not named (up to 0.147)", []string{"", spawn1, spawn2}, map[string]string{"1": "", "1~2": "1", "1~3": "1~2"}},
		{"a fork is a root", []string{"", `"session_id":"T2","forked_from_id":"T1",`}, map[string]string{"1": "", "2": ""}},
		{"an agent of the harness's own", []string{"", `"session_id":"T1","source":{"subagent":"review"},`}, map[string]string{"1": "", "1~2": "1"}},
		{"the same, of a version that names no root", []string{"", `"source":{"subagent":"review"},`}, map[string]string{"1": "", "2": ""}},
		{"a circle", []string{"", `"parent_thread_id":"T3",`, `"parent_thread_id":"T2",`}, map[string]string{"1": "", "2": "3", "3": "2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			for i, more := range c.metas {
				write(t, rolloutOf(home, i+1), metaOf(i+1, more)+metaEnd)
			}
			if diff := cmp.Diff(families(t, codex.New(host(home))), c.want); diff != "" {
				t.Errorf("got (-) and want (+):\n%s", diff)
			}
		})
	}
}

// Whose child a thread is must never change, so a thread shows when its first line tells.
func TestThreadsShowWhenTheirFirstLineTells(t *testing.T) {
	home := t.TempDir()
	meta := metaOf(2, `"session_id":"T1","parent_thread_id":"T1",`)
	src := codex.New(host(home))
	for _, c := range []struct {
		content string
		want    []collector.SessionID
	}{
		{"", nil},
		{meta[:120], nil},
		{meta, []collector.SessionID{sessionID(1, 2)}}, // what the instructions say does not matter
		{meta + strings.Repeat("x", 100<<10) + metaEnd, []collector.SessionID{sessionID(1, 2)}},
	} {
		for _, source := range []*codex.Source{src, codex.New(host(home))} {
			write(t, rolloutOf(home, 2), c.content)
			var got []collector.SessionID
			for _, st := range streams(t, source) {
				if st.Kind == collector.StreamLog {
					got = append(got, st.Session)
				}
			}
			if diff := cmp.Diff(got, c.want); diff != "" {
				t.Errorf("%d bytes: got (-) and want (+):\n%s", len(c.content), diff)
			}
		}
	}
}

func sessionID(root, own int) collector.SessionID {
	return collector.NewSessionID(codex.Agent, thread(root)).Child(thread(own))
}

// A first line is read once: a change that no agent makes goes unseen until the file is another one.
func TestFirstLinesAreReadOnce(t *testing.T) {
	home := t.TempDir()
	path := rolloutOf(home, 3)
	of := func(root string) string {
		return metaOf(3, `"session_id":"`+root+`","parent_thread_id":"`+root+`",`) + metaEnd
	}
	src := codex.New(host(home))
	write(t, path, of("T1"))
	if got := onlyLog(t, src).Session; got != sessionID(1, 3) {
		t.Fatalf("session %s", got)
	}
	write(t, path, of("T2"))
	if got := onlyLog(t, src).Session; got != sessionID(1, 3) {
		t.Errorf("read again: session %s", got)
	}
	write(t, path+".new", of("T2")+"{}\n")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if got := onlyLog(t, src).Session; got != sessionID(2, 3) {
		t.Errorf("another file: session %s", got)
	}
}

// The names of threads are those of roots; one of a sub-agent makes no session show.
func TestNamesOfSubAgents(t *testing.T) {
	home := t.TempDir()
	write(t, rolloutOf(home, 2), metaOf(2, `"session_id":"T1","parent_thread_id":"T1",`)+metaEnd)
	write(t, filepath.Join(home, ".codex", "session_index.jsonl"), `{"id":"`+thread(2)+`","thread_name":"mine"}`+"\n")
	for id, f := range sessions(t, codex.New(host(home))) {
		if shown := f.Row().Path != ""; shown != (id == sessionID(1, 2)) {
			t.Errorf("%s: shown %v", id, shown)
		}
	}
}
