package copilot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

// BenchmarkDecode decodes a recorded session, line by line.
func BenchmarkDecode(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(recordings, "1.0.102-tools-then-resume/home/.copilot/session-state/*/events.jsonl"))
	if err != nil || len(files) != 1 {
		b.Fatalf("recording: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		b.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	src := copilot.New(collector.Host{})
	st := collector.Stream{ID: "copilot/log/x", Session: root}
	var events []collector.Event
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			if events, err = src.Decode(events[:0], st, collector.Record{Data: l, TextLimit: collector.PreviewBytes}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
