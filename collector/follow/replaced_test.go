package follow_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/turnwatch/turnwatch/collector"
)

func TestLinesReplaced(t *testing.T) {
	long := strings.Repeat(`{"some":"record"}`+"\n", 200)
	for _, c := range []struct {
		name, file string
		change     func(l *log)
		replaced   bool
		want       []string
	}{
		{"appended", "a\nb\n", func(l *log) { l.append("c\n") }, false, []string{"c"}},
		{"truncated", "a\nb\n", func(l *log) { l.write("a\n") }, true, []string{"a"}},
		{"emptied", "a\nb\n", func(l *log) { l.write("") }, true, nil},
		{"half a line taken back", "a\nb\nhal", func(l *log) { l.write("a\nb\nc\n") }, false, []string{"c"}},
		{"rewritten, same size", "a\nb\n", func(l *log) { l.write("x\nb\n") }, true, []string{"x", "b"}},
		{"rewritten, longer", "a\nb\n", func(l *log) { l.write("x\nb\nc\n") }, true, []string{"x", "b", "c"}},
		{"rewritten before the offset", long, func(l *log) { l.write(long[:len(long)-3] + "x\"\n" + "c\n") }, true, nil},
		{"replaced by rename", "a\nb\n", func(l *log) { l.rename("x\ny\nz\n") }, true, []string{"x", "y", "z"}},
		{"same beginning by rename", "a\nb\n", func(l *log) { l.rename("a\nb\nc\n") }, false, []string{"c"}},
		{"moved", "a\nb\n", func(l *log) { l.move("b.jsonl"); l.append("c\n") }, false, []string{"c"}},
		{"compressed", long, func(l *log) { l.compress(); l.compressed(long + "c\n") }, false, []string{"c"}},
		{"compressed, then nothing new", long, func(l *log) { l.compress() }, false, nil},
		{"compressed, and another", long, func(l *log) { l.compress(); l.compressed("x" + long) }, true, nil},
		{"compressed, and shorter", long, func(l *log) { l.compress(); l.compressed(long[:len(long)/2]) }, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLog(t, c.file)
			l.mustRead()
			before := l.cp
			c.change(l)
			got, err := l.read()
			if errors.Is(err, collector.ErrReplaced) != c.replaced {
				t.Fatalf("error %v, want replaced: %v", err, c.replaced)
			}
			if c.replaced {
				if len(got) > 0 || l.cp != before {
					t.Fatalf("ErrReplaced after %d lines, checkpoint %s", len(got), cmp.Diff(before, l.cp))
				}
				l.cp = collector.Checkpoint{Generation: 1}
				if got, err = l.read(); err != nil {
					t.Fatal(err)
				}
				if l.cp.Generation != 1 {
					t.Errorf("generation is %d, want 1", l.cp.Generation)
				}
			}
			var data []string
			for _, ln := range got {
				data = append(data, ln.Data)
			}
			if c.want != nil || !c.replaced {
				if d := cmp.Diff(c.want, data); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
		})
	}
}

func (l *log) rename(contents string) {
	l.t.Helper()
	beside := l.path + ".tmp"
	if err := errors.Join(os.WriteFile(beside, []byte(contents), 0o600), os.Rename(beside, l.path)); err != nil {
		l.t.Fatal(err)
	}
}

func (l *log) move(name string) {
	l.t.Helper()
	to := filepath.Join(filepath.Dir(l.path), name)
	if err := os.Rename(l.path, to); err != nil {
		l.t.Fatal(err)
	}
	l.path = to
}

// compress puts a compressed file in the place of the log.
func (l *log) compress() {
	l.t.Helper()
	data, err := os.ReadFile(l.path)
	if err := errors.Join(err, os.Remove(l.path)); err != nil {
		l.t.Fatal(err)
	}
	l.path += ".zst"
	l.compressed(string(data))
}

func (l *log) compressed(contents string) {
	l.t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		l.t.Fatal(err)
	}
	_, err = w.Write([]byte(contents))
	if err := errors.Join(err, w.Close()); err != nil {
		l.t.Fatal(err)
	}
	l.write(b.String())
}

// TestLinesCompressedWhileWritten reads a compressed log whose last frame is not finished.
func TestLinesCompressedWhileWritten(t *testing.T) {
	l := newLog(t, strings.Repeat("0123456789\n", 1000))
	l.compress()
	whole, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	l.write(string(whole) + string(whole[:len(whole)-3]))
	if got := len(l.mustRead()); got < 1000 {
		t.Errorf("got %d lines, want those of the finished frame at least", got)
	}
	l.write(string(whole) + string(whole))
	l.mustRead()
	if l.cp.Line != 2000 {
		t.Errorf("%d lines after the frame was finished, want 2000", l.cp.Line)
	}
}

func TestLinesCorruptCompression(t *testing.T) {
	l := newLog(t, "a\n")
	l.compress()
	l.write("this is no zstd frame, whatever its name says\n")
	if got, err := l.read(); err == nil || errors.Is(err, collector.ErrReplaced) || got != nil {
		t.Fatalf("got %v and %v, want an error", got, err)
	}
	if !l.cp.Unchanged(l.stream()) {
		t.Error("a file that cannot be read looks changed, so that it would be tried again and again")
	}
}
