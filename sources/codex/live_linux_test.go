package codex_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
)

const (
	held  = "01a22bae-b680-7028-8000-000000000001"
	stale = "01a22bae-b680-7028-8000-000000000002"
)

// lockedHome is a home with a lock that is taken according to locks and one that a killed agent left behind.
func lockedHome(t *testing.T, locks func(inode uint64, device string) string) collector.Host {
	t.Helper()
	home := t.TempDir()
	h := host(home)
	dir := filepath.Join(home, ".codex", "thread-writer-locks")
	var st syscall.Stat_t
	for _, thread := range []string{held, stale} {
		write(t, filepath.Join(dir, thread+".lock"), "")
	}
	if err := syscall.Stat(filepath.Join(dir, held+".lock"), &st); err != nil {
		t.Fatal(err)
	}
	dev := uint64(st.Dev)
	device := fmt.Sprintf("%02x:%02x", (dev>>8)&0xfff, dev&0xff|(dev>>12)&^uint64(0xff))
	write(t, filepath.Join(h.Proc, "locks"), locks(st.Ino, device))
	return h
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func liveSessions(t *testing.T, h collector.Host) []collector.LiveSession {
	t.Helper()
	var got []collector.LiveSession
	for ls, err := range codex.New(h).Live(t.Context()) {
		if err != nil {
			t.Fatalf("live: %v", err)
		}
		got = append(got, ls)
	}
	return got
}

// T28: the kernel drops a killed process's lock, so its thread is over at once, and no reused pid is taken for it.
func TestLiveThreadsAreThoseWhoseLockIsHeld(t *testing.T) {
	running := []collector.LiveSession{{Session: "codex:" + held, Pid: 4711}}
	for _, c := range []struct {
		name  string
		locks func(inode uint64, device string) string
		fds   bool
		want  []collector.LiveSession
	}{
		{"held", func(i uint64, d string) string {
			return fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 4711 %s:%d 0 EOF\n", d, i)
		}, false, running},
		{"killed", func(uint64, string) string { return "" }, false, nil},
		{"waiting for it", func(i uint64, d string) string {
			return fmt.Sprintf("1: -> FLOCK  ADVISORY  WRITE 4711 %s:%d 0 EOF\n", d, i)
		}, false, nil},
		{"a read lock", func(i uint64, d string) string {
			return fmt.Sprintf("1: FLOCK  ADVISORY  READ 4711 %s:%d 0 EOF\n", d, i)
		}, false, nil},
		{"the same inode elsewhere", func(i uint64, _ string) string {
			return fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 4711 ff:ff:%d 0 EOF\n", i)
		}, false, nil},
		{"a device that the kernel names otherwise", func(i uint64, _ string) string {
			return fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 4711 ff:ff:%d 0 EOF\n", i)
		}, true, running},
		{"damaged", func(uint64, string) string { return "1: FLOCK\n2: FLOCK ADVISORY WRITE x y:z 0 EOF\n" }, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := lockedHome(t, c.locks)
			if c.fds {
				fd := filepath.Join(h.Proc, "4711", "fd")
				if err := os.MkdirAll(fd, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(h.Home, ".codex", "thread-writer-locks", held+".lock"), filepath.Join(fd, "7")); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(liveSessions(t, h), c.want); diff != "" {
				t.Errorf("got (-) and want (+):\n%s", diff)
			}
		})
	}
}

// A real lock: the test process itself holds it.
func TestLiveSeesTheKernelsLocks(t *testing.T) {
	if _, err := os.Stat("/proc/locks"); err != nil {
		t.Skip("no /proc/locks")
	}
	h := lockedHome(t, func(uint64, string) string { return "" })
	h.Proc = "/proc"
	if got := liveSessions(t, h); len(got) != 0 {
		t.Fatalf("nobody holds a lock, got %v", got)
	}
	f, err := os.Open(filepath.Join(h.Home, ".codex", "thread-writer-locks", held+".lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	want := []collector.LiveSession{{Session: "codex:" + held, Pid: os.Getpid()}}
	if diff := cmp.Diff(liveSessions(t, h), want); diff != "" {
		t.Errorf("got (-) and want (+):\n%s", diff)
	}
}

// A sub-agent's lock names its thread alone.
func TestLiveSubAgents(t *testing.T) {
	h := lockedHome(t, func(i uint64, d string) string {
		return fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 4711 %s:%d 0 EOF\n", d, i)
	})
	write(t, filepath.Join(h.Home, ".codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T09-00-00-"+held+".jsonl"),
		`{"type":"session_meta","payload":{"session_id":"`+stale+`","id":"`+held+`","parent_thread_id":"`+stale+`"}}`+"\n")
	want := []collector.LiveSession{{Session: "codex:" + stale + "~" + held, Pid: 4711}}
	if diff := cmp.Diff(liveSessions(t, h), want); diff != "" {
		t.Errorf("got (-) and want (+):\n%s", diff)
	}
}

// Versions before 0.148 take no locks: a rollout that was written a moment ago, and that a process has open, has to do.
func TestLiveWithoutLocks(t *testing.T) {
	h := host(t.TempDir())
	fd := filepath.Join(h.Proc, "4711", "fd")
	if err := os.MkdirAll(fd, 0o755); err != nil {
		t.Fatal(err)
	}
	const closed = "01a22bae-b680-7028-8000-000000000003"
	for thread, age := range map[string]time.Duration{held: time.Minute, stale: time.Hour, closed: time.Minute} {
		path := filepath.Join(h.Home, ".codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T09-00-00-"+thread+".jsonl")
		write(t, path, "{}\n")
		if err := os.Chtimes(path, h.Now().Add(-age), h.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		if thread == closed {
			continue
		}
		if err := os.Symlink(path, filepath.Join(fd, thread)); err != nil {
			t.Fatal(err)
		}
	}
	want := []collector.LiveSession{{Session: "codex:" + held, Pid: 4711}}
	if diff := cmp.Diff(liveSessions(t, h), want); diff != "" {
		t.Errorf("got (-) and want (+):\n%s", diff)
	}
	h.Proc = filepath.Join(h.Home, "none")
	want = []collector.LiveSession{{Session: "codex:" + held}, {Session: "codex:" + closed}}
	if diff := cmp.Diff(liveSessions(t, h), want); diff != "" {
		t.Errorf("without processes: got (-) and want (+):\n%s", diff)
	}
	if got := liveSessions(t, host(t.TempDir())); len(got) != 0 {
		t.Errorf("empty home: got %v", got)
	}
}
