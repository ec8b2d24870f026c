package follow_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector/follow"
)

func TestWatcherBudget(t *testing.T) {
	root := t.TempDir()
	var dirs []string
	for i := range 600 {
		dirs = append(dirs, filepath.Join(root, strconv.Itoa(i)))
		mkdir(t, dirs[i])
	}
	w := newWatcher(t, follow.Config{MaxWatches: 100})
	add(t, w, dirs...)
	if d := w.Degraded(); !strings.Contains(d, "500 of 600") {
		t.Errorf("degraded: %q, want it to say that 500 of 600 are not watched", d)
	}
	changed := func(i int) follow.Event {
		write(t, filepath.Join(dirs[i], "a"))
		return follow.Event{Path: filepath.Join(dirs[i], "a"), Op: follow.OpChanged}
	}
	// The last ones are watched; the first one is when it is added again.
	wait(t, w, changed(599))
	wait(t, w, changed(500))
	add(t, w, dirs[0])
	wait(t, w, changed(0))
	// Activity keeps 500 alive while 99 others come; 501 is given up.
	add(t, w, dirs[1:99]...)
	wait(t, w, changed(500))
	write(t, filepath.Join(dirs[501], "a"))
	if before := wait(t, w, changed(0)); len(before) > 0 {
		t.Errorf("events of a directory that was given up: %+v", before)
	}
}

func TestWatcherOverflow(t *testing.T) {
	dir := t.TempDir()
	w := newWatcher(t, follow.Config{})
	add(t, w, dir)
	follow.LoseEvents(w)
	wait(t, w, follow.Event{Op: follow.OpOverflow})
	write(t, filepath.Join(dir, "a"))
	wait(t, w, follow.Event{Path: filepath.Join(dir, "a"), Op: follow.OpChanged})
}

func TestQueue(t *testing.T) {
	var q follow.Queue
	q.Push("a", follow.OpChanged)
	q.Push("b", follow.OpChanged)
	q.Push("a", follow.OpRemoved)
	want := []follow.Event{{Path: "a", Op: follow.OpRemoved}, {Path: "b", Op: follow.OpChanged}}
	if d := cmp.Diff(want, q.Drain()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for i := range 1<<16 + 10 {
		q.Push(strconv.Itoa(i), follow.OpChanged)
	}
	if d := cmp.Diff([]follow.Event{{Op: follow.OpOverflow}}, q.Drain()); d != "" {
		t.Errorf("too many paths (-want +got):\n%s", d)
	}
}

// scarce is a system with few watches.
type scarce struct {
	left    int
	watched map[string]bool
}

func (s *scarce) Add(path string) error {
	if s.left == 0 {
		return fmt.Errorf("add %s: %w", path, syscall.ENOSPC)
	}
	s.left--
	s.watched[path] = true
	return nil
}

func (s *scarce) Remove(path string) error {
	s.left++
	delete(s.watched, path)
	return nil
}

// TestSystemLimit: the kernel refuses more watches than it has; the newest directories get what there is.
func TestSystemLimit(t *testing.T) {
	root := t.TempDir()
	sys := &scarce{left: 3, watched: map[string]bool{}}
	set := follow.NewWatchSet(100, sys)
	want := map[string]bool{}
	for i := range 10 {
		dir := filepath.Join(root, strconv.Itoa(i))
		mkdir(t, dir)
		set.Add(dir)
		if i >= 7 {
			want[dir] = true
		}
	}
	if d := cmp.Diff(want, sys.watched); d != "" {
		t.Errorf("watched (-want +got):\n%s", d)
	}
	if d := set.Degraded(); !strings.Contains(d, "max_user_watches") || !strings.Contains(d, " 3 ") {
		t.Errorf("degraded: %q, want it to name the limit and where it is set", d)
	}
	none := follow.NewWatchSet(100, &scarce{watched: map[string]bool{}})
	none.Add(root)
	if none.Degraded() == "" {
		t.Error("a system without any watch is not degraded")
	}
}

func TestWatcherConfig(t *testing.T) {
	if _, err := follow.NewWatcher(follow.Config{MaxWatches: -1}); err == nil {
		t.Error("a negative budget is accepted")
	}
	w, err := follow.NewWatcher(follow.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if _, open := <-w.Events(); open {
		t.Error("events go on after Close")
	}
}
