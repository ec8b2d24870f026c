package antigravity_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/antigravity"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// log returns the one transcript of a home, and the ids of all other streams that are read.
func log(t *testing.T, src collector.Source) (log collector.Stream, other []collector.StreamID) {
	t.Helper()
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case st.Kind == collector.StreamFacts:
			other = append(other, st.ID)
		case st.Kind == collector.StreamLog && log.ID != "":
			t.Errorf("%s beside %s", st.ID, log.ID)
		case st.Kind == collector.StreamLog:
			log = st
		}
	}
	return log, other
}

// TestFullTranscript: when the full transcript appears, the stream stays the same one and is another file: what was read of
// the shortened one is not read on, and nothing counts twice.
func TestFullTranscript(t *testing.T) {
	prompt := step(0, "USER_EXPLICIT", "USER_INPUT", `,"content":"hi"`)
	encoded := step(1, "MODEL", "PLANNER_RESPONSE", `,"input_tokens":5,"output_tokens":1,"tool_calls":[{"name":"list_dir","args":{"DirectoryPath":"\"/w\""}}]`)
	plain := step(1, "MODEL", "PLANNER_RESPONSE", `,"input_tokens":5,"output_tokens":1,"tool_calls":[{"name":"list_dir","args":{"DirectoryPath":"/w"}}]`)
	home := t.TempDir()
	transcript(t, home, "transcript.jsonl", prompt, encoded)
	src := antigravity.New(sourcetest.Host(t, home))
	var cp collector.Checkpoint
	short, _ := log(t, src)
	for _, err := range src.Read(t.Context(), short, &cp) {
		if err != nil {
			t.Fatal(err)
		}
	}
	transcript(t, home, "transcript_full.jsonl", prompt, plain)
	full, _ := log(t, src)
	if full.ID != short.ID || full.Session != short.Session || full.Path == short.Path {
		t.Fatalf("%+v after %+v: want the same stream at another place", full, short)
	}
	for _, err := range src.Read(t.Context(), full, &cp) {
		if !errors.Is(err, collector.ErrReplaced) {
			t.Errorf("reading the full transcript on from the shortened one: %v, want it replaced", err)
		}
	}
	cp = collector.Checkpoint{Generation: 1}
	for r, err := range src.Read(t.Context(), full, &cp) {
		if err != nil {
			t.Fatal(err)
		}
		events, _ := src.Decode(nil, full, r)
		for i, ev := range events {
			if ev.Kind == collector.EventCall && ev.Args.Preview != `{"DirectoryPath":"/w"}` {
				t.Errorf("event %d: arguments %s", i, ev.Args.Preview)
			}
		}
	}
}

// TestEncrypted: an encrypted conversation is counted, once, if there is nothing else of it.
func TestEncrypted(t *testing.T) {
	home := t.TempDir()
	transcript(t, home, "transcript.jsonl", step(0, "USER_EXPLICIT", "USER_INPUT", `,"content":"hi"`))
	dir := filepath.Join(home, ".gemini/antigravity-cli/conversations")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{own + ".pb", "lost.pb", "other.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte{0x93, 0}, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := newReading(antigravity.New(sourcetest.Host(t, home)))
	r.on(t)
	r.on(t)
	if len(r.other) != 1 || r.other[0].Name != "encrypted conversation" {
		t.Errorf("unknown records %+v, want one encrypted conversation", r.other)
	}
}

// TestHomes: a conversation that lies in two of the three homes is read from the first one (T34).
func TestHomes(t *testing.T) {
	home := t.TempDir()
	var want []string
	for i, root := range []string{".gemini/antigravity-cli", ".gemini/antigravity", ".gemini/antigravity-ide"} {
		for _, id := range []string{"shared", fmt.Sprint("only-", i)} {
			path := filepath.Join(home, root, "brain", id, ".system_generated/logs/transcript.jsonl")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if id != "shared" || i == 0 {
				want = append(want, path)
			}
		}
	}
	var got []string
	for st, err := range antigravity.New(sourcetest.Host(t, home)).Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind == collector.StreamLog {
			got = append(got, st.Path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}

// TestLive: a conversation is live while the agent's process has one of its files open; another program's does not count.
func TestLive(t *testing.T) {
	h := sourcetest.Host(t, t.TempDir())
	root := filepath.Join(h.Home, ".gemini/antigravity-cli")
	process := func(pid int, name string, open ...string) {
		t.Helper()
		dir := filepath.Join(h.Proc, fmt.Sprint(pid))
		if err := os.MkdirAll(filepath.Join(dir, "fd"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "comm"), []byte(name+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, path := range open {
			if err := os.Symlink(path, filepath.Join(dir, "fd", fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	process(21, "agy", "/dev/null", filepath.Join(root, "conversations/a.db-wal"), filepath.Join(root, "conversations/a.db"))
	process(22, "vim", filepath.Join(root, "brain/b/.system_generated/logs/transcript.jsonl"))
	process(23, "language_server_linux", filepath.Join(root, "brain/c/task.md"), filepath.Join(root, "history.jsonl"))
	process(24, "agy")
	got := map[collector.SessionID]int{}
	for l, err := range antigravity.New(h).Live(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got[l.Session] = l.Pid
	}
	if diff := cmp.Diff(map[collector.SessionID]int{"antigravity:a": 21, "antigravity:c": 23}, got); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
}
