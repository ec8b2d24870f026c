package pipeline_test

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/metrics"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// corpusHome returns a generated home, or the one that TURNWATCH_BENCH_HOME names.
func corpusHome(b *testing.B) (string, int64) {
	b.Helper()
	dir := os.Getenv("TURNWATCH_BENCH_HOME")
	if dir == "" {
		dir = b.TempDir()
		if _, err := corpus.Generate(dir, corpus.Options{MB: 60, Sessions: 90, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
	return dir, treeSize(b, dir)
}

// BenchmarkCold reads a history into a fresh store.
func BenchmarkCold(b *testing.B) {
	home, size := corpusHome(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		_, w, stop := start(b, home, b.TempDir(), pipeline.Config{})
		w.wait(b, "ready", ready)
		stop()
	}
}

// BenchmarkObserved reads a history with and without metrics, which look at all of it and count nothing.
func BenchmarkObserved(b *testing.B) {
	home, size := corpusHome(b)
	for _, by := range []string{"nobody", "metrics"} {
		b.Run(by, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				o := options{home: home}
				if by == "metrics" {
					o.observe = metrics.New(metrics.Config{Agents: agents(home), Now: time.Now, Logger: slog.New(slog.DiscardHandler)}).Observe
				}
				run(b, o).ready().stop()
			}
		})
	}
}

// BenchmarkWarm starts over a history that was read before and did not change.
func BenchmarkWarm(b *testing.B) {
	home, _ := corpusHome(b)
	data := b.TempDir()
	run := func() {
		_, w, stop := start(b, home, data, pipeline.Config{})
		w.wait(b, "ready", ready)
		stop()
	}
	run()
	b.ReportAllocs()
	for b.Loop() {
		run()
	}
}
