// Package pipelinetest reads recordings into stores, for the tests of what stands above the store. It draws no
// conclusions: what a store then says is compared by whoever asked.
package pipelinetest

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
)

var update = flag.Bool("update", false, "write the goldens instead of comparing with them")

// recordings is where they are, seen from a package two floors below the module's root.
const recordings = "../../testdata"

const fewest = 50 // recordings there are at least

// Recording is a miniature home directory.
type Recording struct {
	Name string // <agent>-<case>
	Home string
}

// Recordings returns all of them.
func Recordings(t testing.TB) []Recording {
	t.Helper()
	homes, err := filepath.Glob(recordings + "/*/*/home")
	if err != nil || len(homes) < fewest {
		t.Fatalf("%d recordings, %v", len(homes), err)
	}
	all := make([]Recording, 0, len(homes))
	for _, home := range homes {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(home)), recordings+"/")
		all = append(all, Recording{Name: strings.ReplaceAll(name, "/", "-"), Home: home})
	}
	return all
}

// Sources returns all sources, looking at home and at no running process.
func Sources(home string) []collector.Source {
	return sources.All(collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "no-proc"), Now: tomorrow, Tables: sqlite.ReadForeign,
	})
}

// tomorrow is the hosts' clock: the files of a fresh clone must not look like sessions at work.
func tomorrow() time.Time { return time.Now().Add(24 * time.Hour) }

// Open returns an empty store, which is closed when the test ends.
func Open(t testing.TB) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Read reads what is new in home into the store, and returns the sources that did it.
func Read(t testing.TB, db *sqlite.DB, home string, judges fold.Judges) []collector.Source {
	t.Helper()
	all := Sources(home)
	over := make(ready)
	p := pipeline.New(pipeline.Config{}, pipeline.Deps{
		Sources: all, Store: db, Publisher: over, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Judges: judges,
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	select {
	case <-over:
		cancel()
	case err := <-done:
		cancel()
		t.Fatalf("the pipeline ended before it had read all: %v", err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return all
}

// ready closes when a pipeline has read all history.
type ready chan struct{}

// Publish waits for the message that says so.
func (r ready) Publish(msgs ...collector.Message) {
	for _, m := range msgs {
		if m.Type == collector.MessageProgress && m.Progress.Ready {
			close(r)
			return
		}
	}
}

// Golden compares got with a file, which go test -update writes.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is old (run go test -update if this is meant):\n%s", path, d)
	}
}
