package follow_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/follow"
)

// patience is how long something may take that must happen.
const patience = 20 * time.Second

func newWatcher(t *testing.T, cfg follow.Config) *follow.Watcher {
	t.Helper()
	w, err := follow.NewWatcher(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func add(t *testing.T, w *follow.Watcher, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := w.Add(d); err != nil {
			t.Fatal(err)
		}
	}
}

// wait takes events until want comes, and returns those before it.
func wait(t *testing.T, w *follow.Watcher, want follow.Event) (before []follow.Event) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case ev := <-w.Events():
			if ev == want {
				return before
			}
			before = append(before, ev)
		case <-deadline:
			t.Fatalf("no event %+v, but %+v", want, before)
		}
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("x\n"); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestWatcherTellsWhatHappens(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	w := newWatcher(t, follow.Config{})
	add(t, w, dir)

	write(t, file)
	wait(t, w, follow.Event{Path: file, Op: follow.OpChanged})
	write(t, file)
	wait(t, w, follow.Event{Path: file, Op: follow.OpChanged})
	mkdir(t, filepath.Join(dir, "sub"))
	wait(t, w, follow.Event{Path: filepath.Join(dir, "sub"), Op: follow.OpChanged})
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	wait(t, w, follow.Event{Path: file + ".old", Op: follow.OpChanged})
	if err := os.Remove(file + ".old"); err != nil {
		t.Fatal(err)
	}
	wait(t, w, follow.Event{Path: file + ".old", Op: follow.OpRemoved})
	if d := w.Degraded(); d != "" {
		t.Errorf("degraded: %s", d)
	}

	w.Remove(dir)
	other := t.TempDir()
	add(t, w, other)
	write(t, file)
	write(t, filepath.Join(other, "b"))
	if before := wait(t, w, follow.Event{Path: filepath.Join(other, "b"), Op: follow.OpChanged}); len(before) > 0 {
		t.Errorf("events of a directory that is not watched any more: %+v", before)
	}
}

// TestWatcherCoalesces writes while nobody takes events; what comes then is one event per path.
func TestWatcherCoalesces(t *testing.T) {
	dir := t.TempDir()
	w := newWatcher(t, follow.Config{})
	add(t, w, dir)
	for range 500 {
		write(t, filepath.Join(dir, "busy"))
	}
	write(t, filepath.Join(dir, "last"))
	before := wait(t, w, follow.Event{Path: filepath.Join(dir, "last"), Op: follow.OpChanged})
	if len(before) > 100 {
		t.Errorf("%d events before the last one, want few", len(before))
	}
}

func TestWatcherWaitsForMissingDirectories(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "agent", "sessions", "2026")
	w := newWatcher(t, follow.Config{})
	add(t, w, dir)
	write(t, filepath.Join(home, "unrelated"))

	mkdir(t, dir)
	before := wait(t, w, follow.Event{Path: dir, Op: follow.OpChanged})
	if len(before) > 0 {
		t.Errorf("events beside the directory: %+v", before)
	}
	write(t, filepath.Join(dir, "a"))
	wait(t, w, follow.Event{Path: filepath.Join(dir, "a"), Op: follow.OpChanged})

	// Removed with all of its parents, and made again.
	if err := os.RemoveAll(filepath.Join(home, "agent")); err != nil {
		t.Fatal(err)
	}
	wait(t, w, follow.Event{Path: dir, Op: follow.OpRemoved})
	mkdir(t, dir)
	wait(t, w, follow.Event{Path: dir, Op: follow.OpChanged})
	write(t, filepath.Join(dir, "b"))
	wait(t, w, follow.Event{Path: filepath.Join(dir, "b"), Op: follow.OpChanged})

	// Moved away, and another put in its place.
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	mkdir(t, dir)
	wait(t, w, follow.Event{Path: dir, Op: follow.OpChanged})
	write(t, filepath.Join(dir, "c"))
	wait(t, w, follow.Event{Path: filepath.Join(dir, "c"), Op: follow.OpChanged})
}

// TestWatcherNoticesAnotherDirectory: nobody tells that a directory far above was replaced; adding what lies below again
// does not keep the watch of what lay there before.
func TestWatcherNoticesAnotherDirectory(t *testing.T) {
	top := filepath.Join(t.TempDir(), "top")
	dirs := []string{filepath.Join(top, "a", "b"), filepath.Join(top, "a", "b", "missing")}
	mkdir(t, dirs[0])
	w := newWatcher(t, follow.Config{})
	add(t, w, dirs...)
	if err := os.Rename(top, top+".old"); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	mkdir(t, filepath.Join(other, "a", "b"))
	if err := os.Symlink(other, top); err != nil {
		t.Fatal(err)
	}
	add(t, w, dirs...)
	write(t, filepath.Join(dirs[0], "x"))
	wait(t, w, follow.Event{Path: filepath.Join(dirs[0], "x"), Op: follow.OpChanged})
	mkdir(t, dirs[1])
	wait(t, w, follow.Event{Path: dirs[1], Op: follow.OpChanged})
}
