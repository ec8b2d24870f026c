package follow_test

import (
	"os"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// BenchmarkLines reads 16 MiB of lines: half of them short, a few that hold half of the bytes.
func BenchmarkLines(b *testing.B) {
	var file strings.Builder
	for i := 0; file.Len() < 16<<20; i++ {
		n := 300
		if i%33 == 0 {
			n = 20_000
		}
		file.WriteString(strings.Repeat("x", n))
		file.WriteByte('\n')
	}
	l := newLog(b, file.String())
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		var cp collector.Checkpoint
		for _, err := range follow.Lines(b.Context(), collector.Stream{Path: l.path}, &cp) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkLinesNothingNew is what a log costs that was touched and did not grow.
func BenchmarkLinesNothingNew(b *testing.B) {
	l := newLog(b, strings.Repeat("0123456789\n", 10_000))
	l.mustRead()
	if fi, err := os.Stat(l.path); err != nil || fi.Size() != l.cp.Offset {
		b.Fatal("the log was not read to its end")
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range follow.Lines(b.Context(), collector.Stream{Path: l.path}, &l.cp) {
			b.Fatal("something new:", err)
		}
	}
}
