package claude_test

import (
	"context"
	"os"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// BenchmarkDecode decodes every line of the recordings, or of the home that CLAUDE_BENCH_HOME names.
func BenchmarkDecode(b *testing.B) {
	dirs := []string{os.Getenv("CLAUDE_BENCH_HOME")}
	if dirs[0] == "" {
		dirs = dirs[:0]
		for _, dir := range recordings(b) {
			dirs = append(dirs, dir+"/home")
		}
	}
	type item struct {
		st collector.Stream
		r  collector.Record
	}
	var items []item
	var size int64
	var src *claude.Source
	for _, dir := range dirs {
		src = claude.New(sourcetest.Host(b, dir))
		for st, err := range src.Discover(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
			var cp collector.Checkpoint
			for r, err := range src.Read(context.Background(), st, &cp) {
				if err != nil {
					b.Fatal(err)
				}
				r.Data = append([]byte(nil), r.Data...)
				r.TextLimit = collector.PreviewBytes
				items = append(items, item{st, r})
				size += r.Length
			}
		}
	}
	var dst []collector.Event
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, it := range items {
			dst, _ = src.Decode(dst[:0], it.st, it.r)
		}
	}
	b.ReportMetric(float64(len(items)), "lines/op")
}

// BenchmarkDiscover looks for everything that is there.
func BenchmarkDiscover(b *testing.B) {
	home := os.Getenv("CLAUDE_BENCH_HOME")
	if home == "" {
		home = "../../testdata/claude/print-2.1.332/home"
	}
	src := claude.New(sourcetest.Host(b, home))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = 0
		for range src.Discover(context.Background()) {
			n++
		}
	}
	b.ReportMetric(float64(n), "streams/op")
}
