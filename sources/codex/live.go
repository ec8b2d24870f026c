package codex

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// locksDir holds an empty file per thread that a process has loaded for writing (from 0.148 on). It stays behind,
// unlocked, after a kill.
const locksDir = "thread-writer-locks"

// fresh is how long after its last record a thread of an older version counts as running.
const fresh = 2 * time.Minute

// Live yields the threads that a process has loaded: those whose writer lock is taken. The kernel is asked who holds it,
// the lock itself is never touched. Whether a turn runs only the log says.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		l := liveness{source: s, ctx: ctx}
		for _, root := range s.roots() {
			live, err := l.root(root)
			if err != nil && !yield(collector.LiveSession{}, err) {
				return
			}
			for _, ls := range live {
				if ctx.Err() != nil || !yield(ls, nil) {
					return
				}
			}
		}
	}
}

type liveness struct {
	source *Source
	ctx    context.Context
	locks  []lock // read at most once
	read   bool
	err    error
}

// lock is one taken file lock.
type lock struct {
	device string // "08:01", as the kernel writes it
	inode  uint64
	pid    int
}

func (l *liveness) root(root string) ([]collector.LiveSession, error) {
	dir := filepath.Join(root, locksDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return l.recent(root), nil
	}
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	var live []collector.LiveSession
	for _, e := range entries {
		thread, ok := strings.CutSuffix(e.Name(), ".lock")
		if !ok {
			continue
		}
		locks, err := l.taken()
		if errors.Is(err, fs.ErrNotExist) { // not Linux: a lock file and a fresh rollout have to do
			return slices.DeleteFunc(l.recent(root), func(ls collector.LiveSession) bool {
				_, err := os.Stat(filepath.Join(dir, ls.Session.Own()+".lock"))
				return err != nil
			}), nil
		}
		if err != nil {
			return live, err
		}
		if pid, held := l.holder(filepath.Join(dir, e.Name()), locks); held {
			live = append(live, collector.LiveSession{Session: l.source.session(l.ctx, thread), Pid: pid})
		}
	}
	return live, nil
}

// taken returns the file locks that are taken now.
func (l *liveness) taken() ([]lock, error) {
	if !l.read {
		l.read = true
		data, err := os.ReadFile(filepath.Join(l.source.host.Proc, "locks"))
		if err != nil {
			l.err = fmt.Errorf("live: %w", err)
		}
		l.locks = parseLocks(data)
	}
	return l.locks, l.err
}

// parseLocks reads lines such as "1: FLOCK  ADVISORY  WRITE 4711 08:01:131090 0 EOF"; a waiter's line has "->" behind the
// number.
func parseLocks(data []byte) []lock {
	var locks []lock
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		f := strings.Fields(sc.Text())
		if len(f) < 6 || f[1] != "FLOCK" || f[3] != "WRITE" {
			continue
		}
		device, number, ok := cutLast(f[5], ":")
		inode, err := strconv.ParseUint(number, 10, 64)
		pid, errPid := strconv.Atoi(f[4])
		if ok && err == nil && errPid == nil {
			locks = append(locks, lock{device, inode, pid})
		}
	}
	return locks
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// holder returns the process that holds the lock file at path. On file systems whose device number is not the one that
// the kernel lists (btrfs, overlays) the process must have the file open.
func (l *liveness) holder(path string, locks []lock) (pid int, held bool) {
	fi, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	device, inode := deviceOf(fi)
	for _, k := range locks {
		if k.inode == inode && (k.device == device || l.opened(k.pid, path)) {
			return max(k.pid, 0), true
		}
	}
	return 0, false
}

// opened reports whether the process has the file open.
func (l *liveness) opened(pid int, path string) bool {
	dir := filepath.Join(l.source.host.Proc, strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && target == path {
			return true
		}
	}
	return false
}

// recent returns the threads of a home without locks that run by what else there is to see: the rollout was
// written a moment ago, and, where processes can be looked at, one has it open. It looks at the newest two days only: an
// older version may resume an older thread, and then says nothing here, but looking at all would cost a stat per
// thread each time.
func (l *liveness) recent(root string) []collector.LiveSession {
	var live []collector.LiveSession
	now := l.source.now()
	for _, day := range newestDays(filepath.Join(root, "sessions"), 2) {
		entries, err := os.ReadDir(day)
		if err != nil {
			continue // gone meanwhile; Discover reports what cannot be read
		}
		for _, e := range entries {
			thread, plain := threadOf(e.Name())
			if thread == "" || plain == 0 {
				continue
			}
			if fi, err := e.Info(); err != nil || now.Sub(fi.ModTime()).Abs() >= fresh {
				continue
			}
			if pid, running := l.writer(filepath.Join(day, e.Name())); running {
				live = append(live, collector.LiveSession{Session: l.source.session(l.ctx, thread), Pid: pid})
			}
		}
	}
	return live
}

// writer returns the process that has a rollout open, 0 if processes cannot be looked at.
func (l *liveness) writer(path string) (pid int, running bool) {
	entries, err := os.ReadDir(l.source.host.Proc)
	if err != nil {
		return 0, true
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && l.opened(pid, path) {
			return pid, true
		}
	}
	return 0, false
}

func (s *Source) now() time.Time {
	if s.host.Now == nil {
		return time.Now()
	}
	return s.host.Now()
}

// newestDays returns the newest n day directories of sessions/YYYY/MM/DD, newest first.
func newestDays(sessions string, n int) []string {
	level := []string{sessions}
	for range 3 {
		var next []string
		for _, dir := range level {
			entries, err := os.ReadDir(dir)
			if err != nil {
				continue
			}
			for i := len(entries) - 1; i >= 0 && len(next) < n; i-- {
				if entries[i].IsDir() {
					next = append(next, filepath.Join(dir, entries[i].Name()))
				}
			}
		}
		level = next
	}
	return level
}
