package codex_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
)

// BenchmarkDecode decodes every rollout of the recordings, whose records are small. User time on a shared VM (AMD EPYC):
// about 90 MB/s; on the synthetic corpus, whose records are as long as real ones, 230 MB/s.
func BenchmarkDecode(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(testdata, "v*", "home", ".codex", "sessions", "*", "*", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		b.Fatalf("no recordings: %v", err)
	}
	var records []collector.Record
	src := codex.New(collector.Host{})
	size := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		size += len(data)
		var cp collector.Checkpoint
		st := rollout
		st.Path = path
		for r, err := range src.Read(b.Context(), st, &cp) {
			if err != nil {
				b.Fatal(err)
			}
			r.Data = append([]byte(nil), r.Data...)
			r.TextLimit = collector.PreviewBytes
			records = append(records, r)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var events []collector.Event
	for b.Loop() {
		for _, r := range records {
			if events, err = src.Decode(events[:0], rollout, r); err != nil {
				b.Fatal(err)
			}
		}
	}
}
