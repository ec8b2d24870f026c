package pipeline_test

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata"
)

// watcher collects what a pipeline publishes and lets a test wait for it.
type watcher struct {
	mu   sync.Mutex
	msgs []collector.Message
	news chan struct{}
}

func newWatcher() *watcher { return &watcher{news: make(chan struct{}, 1)} }

func (w *watcher) Publish(msgs ...collector.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.msgs = append(w.msgs, msgs...)
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// has reports whether one of the messages so far is what is looked for.
func (w *watcher) has(found func(collector.Message) bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.msgs, found)
}

// wait waits until one of the messages, old or new, is what is looked for.
func (w *watcher) wait(t testing.TB, what string, found func(collector.Message) bool) {
	t.Helper()
	deadline := time.After(10 * time.Minute) // a commit per record, with the race detector, on a busy machine
	seen := 0
	for {
		w.mu.Lock()
		for ; seen < len(w.msgs); seen++ {
			if found(w.msgs[seen]) {
				w.mu.Unlock()
				return
			}
		}
		w.mu.Unlock()
		select {
		case <-w.news:
		case <-deadline:
			t.Fatalf("no message: %s", what)
		}
	}
}

func ready(m collector.Message) bool {
	return m.Type == collector.MessageProgress && m.Progress.Ready
}

func host(home string) collector.Host {
	return collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "no-proc"), Now: time.Now, Tables: sqlite.ReadForeign,
	}
}

// start runs a pipeline over home until the test ends or stop is called.
func start(t testing.TB, home, data string, cfg pipeline.Config) (*sqlite.DB, *watcher, func()) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	w := newWatcher()
	p := pipeline.New(cfg, pipeline.Deps{
		Sources: sources.All(host(home)), Store: db, Publisher: w, Logger: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})), Now: time.Now,
		Judges: fold.Judges{Analyzers: analyzers.All(analyzers.Config{})},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db, w, stop
}

func dump(t testing.TB, db *sqlite.DB, home string) string {
	t.Helper()
	var b bytes.Buffer
	if err := db.Dump(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return string(bytes.ReplaceAll(b.Bytes(), []byte(home), []byte("HOME")))
}

func demoHome(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	return home
}

// ingest reads home into a fresh store and returns what the store knows.
func ingest(t testing.TB, home string, cfg pipeline.Config) string {
	t.Helper()
	db, w, stop := start(t, home, t.TempDir(), cfg)
	w.wait(t, "ready", ready)
	stop()
	return dump(t, db, home)
}

func TestDemoIsReadTheSameInAnyPieces(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	if len(want) < 10_000 {
		t.Fatalf("the demo gave only %d bytes of rows", len(want))
	}
	for _, n := range []int{1, 7, 2}[:scale(3, 2)] {
		if got := ingest(t, home, pipeline.Config{BatchRecords: n}); got != want {
			t.Errorf("in pieces of %d records: %s", n, firstDifference(got, want))
		}
	}
}

// firstDifference shows the first lines that differ, and where they begin to.
func firstDifference(got, want string) string {
	g, w := bytes.Split([]byte(got), []byte("\n")), bytes.Split([]byte(want), []byte("\n"))
	for i := range min(len(g), len(w)) {
		if bytes.Equal(g[i], w[i]) {
			continue
		}
		at := 0
		for at < min(len(g[i]), len(w[i])) && g[i][at] == w[i][at] {
			at++
		}
		at = max(0, at-40)
		return "line " + string(w[i][:min(len(w[i]), 80)]) + "\n got …" + string(g[i][min(at, len(g[i])):]) + "\nwant …" + string(w[i][min(at, len(w[i])):])
	}
	return "one has more lines"
}

func TestOrderDoesNotMatter(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	for seed := range scale(5, 2) {
		age := time.Now().Add(-48 * time.Hour)
		n := 0
		err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			n++
			at := age.Add(time.Duration((n*(seed*7+3))%101) * time.Minute)
			return os.Chtimes(path, at, at)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := ingest(t, home, pipeline.Config{BatchRecords: 50}); got != want {
			t.Errorf("order %d: %s", seed, firstDifference(got, want))
		}
	}
}

func treeSize(t testing.TB, dir string) int64 {
	t.Helper()
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err == nil {
			sum += fi.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}
