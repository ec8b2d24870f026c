package muse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/muse"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLive: the process that a file names must be there, be the program, and have begun before the file was written (T28).
func TestLive(t *testing.T) {
	h := sourcetest.Host(t, t.TempDir())
	write(t, filepath.Join(h.Proc, "stat"), fmt.Sprintf("cpu 1 2\nbtime %d\n", sourcetest.Now.Add(-time.Hour).Unix()))
	process := func(pid int, name, state string, began time.Duration) { // began: since boot
		write(t, filepath.Join(h.Proc, fmt.Sprint(pid), "stat"),
			fmt.Sprintf("%d (%s) %s%s %d 0\n", pid, name, state, strings.Repeat(" 0", 18), began.Milliseconds()/10))
	}
	process(11, "muse", "S", time.Minute)
	process(12, "vim", "S", time.Minute)
	process(13, "muse-bin", "S", 50*time.Minute) // the pid was given away again
	process(14, "muse", "Z", time.Minute)
	sessions := filepath.Join(h.Home, ".local/share/muse/runtime/muse/sessions")
	for name, text := range map[string]string{
		"a.json": `{"session_id":"a","process_generation_hint":"pid=11"}`,
		"b.json": `{"session_id":"b","process_generation_hint":"pid=12"}`,
		"c.json": `{"session_id":"c","process_generation_hint":"pid=13"}`,
		"d.json": `{"session_id":"d","process_generation_hint":"pid=14"}`,
		"e.json": `{"session_id":"e","process_generation_hint":"pid=99"}`,
		"f.json": `{"session_id":"f"`,
		"g.json": `{"session_id":5,"process_generation_hint":{}}`,
		"h.txt":  `{"session_id":"h","process_generation_hint":"pid=11"}`,
	} {
		path := filepath.Join(sessions, name)
		write(t, path, text)
		at := sourcetest.Now.Add(-30 * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var got []collector.LiveSession
	for l, err := range muse.New(h).Live(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, l)
	}
	if diff := cmp.Diff([]collector.LiveSession{{Session: "muse:a", Pid: 11}}, got); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
}

// TestHomes: sessions of XDG_DATA_HOME and of the default are found, each once (T34).
func TestHomes(t *testing.T) {
	h := sourcetest.Host(t, t.TempDir())
	other := t.TempDir()
	h.Getenv = func(key string) string { return map[string]string{"XDG_DATA_HOME": other}[key] }
	for _, path := range []string{
		filepath.Join(other, "muse/sessions/2026/11/30/a/session.jsonl"),
		filepath.Join(other, "muse/sessions/2026/11/30/b/session.jsonl"),
		filepath.Join(h.Home, ".local/share/muse/sessions/2026/11/29/b/session.jsonl"),
		filepath.Join(h.Home, ".local/share/muse/sessions/2026/11/29/c/session.jsonl"),
		filepath.Join(h.Home, ".local/share/muse/sessions/2026/11/29/c/subagent/d/subagent/e/session.jsonl"),
		filepath.Join(h.Home, ".local/share/muse/sessions/2026/11/29/c/approval-review/f.jsonl"),
		filepath.Join(h.Home, ".local/share/muse/sessions/.msp-view-v1/g/session.jsonl"),
	} {
		write(t, path, "")
	}
	var got []collector.SessionID
	for st, err := range muse.New(h).Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind == collector.StreamLog {
			got = append(got, st.Session)
		}
	}
	if diff := cmp.Diff([]collector.SessionID{"muse:a", "muse:b", "muse:c", "muse:c~d~e"}, got); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}
