package follow_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// packed compresses n bytes, that unit repeated.
func packed(t testing.TB, unit string, n int64, options ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, options...)
	if err != nil {
		t.Fatal(err)
	}
	chunk := []byte(strings.Repeat(unit, 1<<20/len(unit)))
	for left := n; left > 0; left -= int64(len(chunk)) {
		if _, err := w.Write(chunk[:min(left, int64(len(chunk)))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLinesBomb reads compressed files that are a few kilobytes and become a hundred megabytes.
func TestLinesBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a hundred megabytes")
	}
	for name, unit := range map[string]string{"one line": "x", "empty lines": "\n", "records": `{"type":"user"}` + "\n"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl.zst")
			b := packed(t, unit, 100<<20)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			st := collector.Stream{Path: path, Kind: collector.StreamLog}
			if err := follow.Fill(&st); err != nil {
				t.Fatal(err)
			}
			var cp collector.Checkpoint
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var bytes int64
			var last error
			for rec, err := range follow.Lines(t.Context(), st, &cp) {
				last, bytes = err, bytes+rec.Length
			}
			runtime.ReadMemStats(&after)
			if last == nil || !strings.Contains(last.Error(), "expands") {
				t.Errorf("%d bytes became %d and %v", len(b), bytes, last)
			}
			if most := int64(64<<20 + 200*len(b)); bytes > most {
				t.Errorf("%d bytes were read, want at most %d", bytes, most)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
				t.Errorf("%d MB were allocated", took>>20)
			}
			if !cp.Unchanged(st) {
				t.Error("it looks changed, so that it would be read again and again")
			}
		})
	}
}

// TestLinesWideWindow: a frame may ask for a window of gigabytes; it is not given.
func TestLinesWideWindow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl.zst")
	// Magic, a frame header without a size and with a window of 1.75 TiB, one raw block of "{}\n".
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf7, 0x19, 0x00, 0x00, '{', '}', '\n'}
	if err := os.WriteFile(path, frame, 0o600); err != nil {
		t.Fatal(err)
	}
	var cp collector.Checkpoint
	var last error
	for _, err := range follow.Lines(t.Context(), collector.Stream{Path: path}, &cp) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "expands") {
		t.Errorf("got %v", last)
	}
}

// TestLinesWellCompressed: logs of one thing said over and over shrink to a hundredth, and are logs.
func TestLinesWellCompressed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl.zst")
	if err := os.WriteFile(path, packed(t, `{"type":"user","text":"`+strings.Repeat("again ", 80)+"\"}\n", 60<<20, zstd.WithWindowSize(8<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	var cp collector.Checkpoint
	n := 0
	for _, err := range follow.Lines(t.Context(), collector.Stream{Path: path}, &cp) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 100_000 {
		t.Errorf("%d records", n)
	}
}

// FuzzLines reads bytes that pretend to be a log, compressed or not: no panic, no endless reading, and offsets that only grow.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a\nb\n", "\x00\x00\n", "{\"a\":1}\r\n{", string(packed(f, "{}\n", 300)), string(packed(f, "x", 4000))[:10], "\x28\xb5\x2f\xfd\x00\xf7\x19\x00\x00{}\n"} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, compressed bool) {
		path := filepath.Join(dir, "log")
		if compressed {
			path += ".zst"
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var cp collector.Checkpoint
		var at int64
		for rec, err := range follow.Lines(t.Context(), collector.Stream{Path: path}, &cp) {
			if err != nil {
				if errors.Is(err, io.EOF) || errors.Is(err, collector.ErrReplaced) {
					t.Errorf("a first reading ends with %v", err)
				}
				return
			}
			if rec.Offset < at || rec.Offset+rec.Length >= cp.Offset || !compressed && cp.Offset > int64(len(data)) {
				t.Errorf("record at %d+%d after %d, checkpoint at %d of %d", rec.Offset, rec.Length, at, cp.Offset, len(data))
			}
			at = rec.Offset + rec.Length + 1
		}
	})
}
