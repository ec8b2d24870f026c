package follow_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

func awake(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	select {
	case _, ok := <-wake:
		if !ok {
			t.Fatal("tailing ended")
		}
	case <-time.After(patience):
		t.Fatal("no signal")
	}
}

func ended(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case _, ok := <-wake:
			if !ok {
				return
			}
		case <-deadline:
			t.Fatal("tailing goes on")
		}
	}
}

// TestTail reads whenever it is woken; every line comes once, in spite of what nxadm/tail makes of replacements.
func TestTail(t *testing.T) {
	l := newLog(t, "a\n")
	ctx, cancel := context.WithCancel(t.Context())
	wake := follow.Tail(ctx, collector.Stream{Path: l.path}, discard)
	until := func(want string) {
		t.Helper()
		for got := []string(nil); len(got) == 0 || got[len(got)-1] != want; {
			awake(t, wake)
			lines, err := l.read()
			if err != nil {
				l.cp = collector.Checkpoint{Generation: l.cp.Generation + 1}
				if lines, err = l.read(); err != nil {
					t.Fatal(err)
				}
			}
			for _, ln := range lines {
				got = append(got, ln.Data)
			}
		}
	}
	until("a")
	l.append("b\nhal")
	until("b")
	l.append("f\nc\n")
	until("c")
	l.rename("x\ny\n")
	until("y")
	cancel()
	ended(t, wake)
}

var discard = slog.New(slog.DiscardHandler)

// TestTailTwice: tailing a path again, or twice at once, works.
func TestTailTwice(t *testing.T) {
	l := newLog(t, "a\n")
	ctx, cancel := context.WithCancel(t.Context())
	first := follow.Tail(ctx, collector.Stream{Path: l.path}, discard)
	awake(t, first)
	second := follow.Tail(t.Context(), collector.Stream{Path: l.path}, discard)
	awake(t, second)
	l.append("b\n")
	awake(t, first)
	awake(t, second)
	cancel()
	ended(t, first)
	l.append("c\n")
	awake(t, second)
}

func TestTailOfNothing(t *testing.T) {
	dir := t.TempDir()
	ended(t, follow.Tail(t.Context(), collector.Stream{Path: filepath.Join(dir, "missing")}, discard))
	ended(t, follow.Tail(t.Context(), collector.Stream{Path: dir}, discard))
}

// TestTailSurvives: nxadm/tail would end the process here, because the file's place is neither there nor gone.
func TestTailSurvives(t *testing.T) {
	root := t.TempDir()
	dir, path := filepath.Join(root, "logs"), filepath.Join(root, "logs", "a.log")
	mkdir(t, dir+".1")
	link(t, dir+".1", dir)
	write(t, path)
	said := &notice{said: make(chan struct{})}
	follow.OnLastWords(t, slog.New(slog.NewTextHandler(said, nil)))

	ctx, cancel := context.WithCancel(t.Context())
	wake := follow.Tail(ctx, collector.Stream{Path: path}, discard)
	awake(t, wake)
	write(t, dir+".2")
	link(t, dir+".2", dir) // a file where the directory was, at once: ENOTDIR
	// Most of the time the poller finds it and wants to exit. When it had not begun yet, tailing ends by itself.
	deadline := time.After(patience)
	for over := false; !over; {
		select {
		case <-said.said:
			over = true
		case _, open := <-wake:
			over = !open
		case <-deadline:
			t.Fatal("tailing goes on as if nothing was wrong")
		}
	}
	cancel()
	ended(t, wake)
}

// link makes path a link to target, whatever stood there.
func link(t *testing.T, target, path string) {
	t.Helper()
	if err := errors.Join(os.Symlink(target, path+".new"), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// notice tells that something was logged.
type notice struct {
	once sync.Once
	said chan struct{}
}

func (n *notice) Write(b []byte) (int, error) {
	n.once.Do(func() { close(n.said) })
	return len(b), nil
}
