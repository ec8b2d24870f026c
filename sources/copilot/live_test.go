package copilot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

// machine is a home and a /proc that tests fill.
type machine struct {
	t    testing.TB
	home string
	proc string
	boot time.Time
	now  time.Time // one hour after boot, until a test moves it
}

func newMachine(t testing.TB) *machine {
	t.Helper()
	m := &machine{t: t, home: t.TempDir(), proc: t.TempDir(), boot: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
	m.now = m.boot.Add(time.Hour)
	m.file(filepath.Join(m.proc, "stat"), fmt.Sprintf("cpu 1 2\nbtime %d\n", m.boot.Unix()), m.boot)
	return m
}

func (m *machine) file(path, text string, at time.Time) string {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// process starts one after boot.
func (m *machine) process(pid int, after time.Duration, state, cmdline string) {
	m.t.Helper()
	ticks := after.Milliseconds() / 10
	m.file(filepath.Join(m.proc, fmt.Sprint(pid), "stat"),
		fmt.Sprintf("%d (a (b) c) %s 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 %d 1 1", pid, state, ticks), m.boot)
	m.file(filepath.Join(m.proc, fmt.Sprint(pid), "cmdline"), cmdline, m.boot)
}

// lock leaves a session's lock, made after boot.
func (m *machine) lock(session string, pid int, after time.Duration, suffix string) string {
	m.t.Helper()
	dir := filepath.Join(m.home, ".copilot/session-state", session)
	path := m.file(filepath.Join(dir, fmt.Sprintf("inuse.%d.%s", pid, suffix)), fmt.Sprintln(pid), m.boot.Add(after))
	if err := os.Chtimes(dir, m.boot, m.boot); err != nil {
		m.t.Fatal(err)
	}
	return path
}

func (m *machine) source() *copilot.Source {
	return copilot.New(collector.Host{Home: m.home, Proc: m.proc, Now: func() time.Time { return m.now }})
}

func live(t testing.TB, src collector.Source) []collector.LiveSession {
	t.Helper()
	var out []collector.LiveSession
	for s, err := range src.Live(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestLive tells sessions that a process holds from those whose process died, was followed by another of its number (T28),
// or is none of the CLI's.
func TestLive(t *testing.T) {
	const hour = time.Hour
	m := newMachine(t)
	m.process(10, hour, "S", "node\x00/usr/lib/node_modules/@github/copilot/index.js\x00")
	m.process(11, 3*hour, "S", "/opt/copilot\x00")
	m.process(12, hour, "S", "vim\x00")
	m.process(13, hour, "Z", "copilot\x00")
	m.lock("alive", 10, hour+time.Second, "lock")
	m.lock("reused", 11, 2*hour, "lock")
	m.lock("other program", 12, hour, "lock")
	m.lock("zombie", 13, hour, "lock")
	m.lock("dead", 14, hour, "lock")
	m.lock(".session-operation-locks", 10, hour, "lock")
	got := live(t, m.source())
	want := []collector.LiveSession{{Session: "copilot:alive", Pid: 10}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
}

// TestLiveHold: from 1.0.102 the process holds a file lock, which the system forgets with the process.
func TestLiveHold(t *testing.T) {
	m := newMachine(t)
	m.lock("held", 20, time.Hour, "lock")
	hold := m.lock("held", 20, time.Hour, "hold")
	_, _, inode, err := follow.Stat(hold)
	if err != nil {
		t.Fatal(err)
	}
	src := m.source()
	if got := live(t, src); len(got) != 0 {
		t.Errorf("without a file lock: %v", got)
	}
	m.file(filepath.Join(m.proc, "locks"), fmt.Sprintf("1: POSIX  ADVISORY  READ 9 00:2f:7 0 EOF\n2: FLOCK  ADVISORY  WRITE 20 00:2f:%d 0 EOF\n", inode), m.boot)
	if got := live(t, src); len(got) != 0 {
		t.Errorf("at once, though no process of the CLI is in sight: %v", got)
	}
	m.now = m.now.Add(time.Minute)
	if got, want := live(t, src), []collector.LiveSession{{Session: "copilot:held", Pid: 20}}; gocmp.Diff(want, got) != "" {
		t.Errorf("with a file lock: %v, want %v", got, want)
	}
	if got := live(t, src); len(got) != 1 {
		t.Errorf("once more: %v", got)
	}
}

// TestLiveState takes busy and idle from what interactive sessions write.
func TestLiveState(t *testing.T) {
	m := newMachine(t)
	for i, name := range []string{"busy", "idle", "silent"} {
		m.process(30+i, time.Hour, "R", "copilot\x00")
		m.lock(name, 30+i, time.Hour, "lock")
	}
	m.file(filepath.Join(m.home, ".copilot/open-sessions-state.json"), `{"busy":{"schemaVersion":1,"working":true},"idle":{"working":false}}`, m.boot)
	got := map[collector.SessionID]collector.SessionState{}
	for _, s := range live(t, m.source()) {
		got[s.Session] = s.State
	}
	want := map[collector.SessionID]collector.SessionState{"copilot:busy": collector.SessionBusy, "copilot:idle": collector.SessionIdle, "copilot:silent": ""}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

// TestLiveAnnounced: a session that was resumed is not locked before its first prompt, but the process log names it.
func TestLiveAnnounced(t *testing.T) {
	m := newMachine(t)
	m.process(40, time.Hour, "S", "copilot\x00")
	started := m.boot.Add(time.Hour).UnixMilli()
	m.file(filepath.Join(m.home, fmt.Sprintf(".copilot/logs/process-%d-40.log", started)),
		"2026-11-30T01:00:00.485Z [INFO] Workspace initialized: first (checkpoints: 0)\n"+
			"2026-11-30T01:00:01.485Z [INFO] Workspace initialized: second (checkpoints: 2)\n", m.boot)
	src := m.source()
	if got, want := live(t, src), []collector.LiveSession{{Session: "copilot:second", Pid: 40}}; gocmp.Diff(want, got) != "" {
		t.Errorf("live %v, want %v", got, want)
	}
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(st.Path) == ".log" && !st.Tail {
			t.Errorf("%s is not followed though its process lives", st.Path)
		}
	}
}

// TestLiveSweep: a lock that appears, and one that goes, are seen without reading every directory again.
func TestLiveSweep(t *testing.T) {
	m := newMachine(t)
	m.process(50, time.Hour, "S", "copilot\x00")
	m.lock("a", 50, time.Hour, "lock")
	src := m.source()
	names := func() []string {
		var out []string
		for _, s := range live(t, src) {
			out = append(out, s.Session.Own())
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"a"}) {
		t.Fatalf("live %v", got)
	}
	path := m.lock("b", 50, time.Hour, "lock")
	if got := names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("after a lock appeared: %v", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("after it went: %v", got)
	}
}
