package follow_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       []line
		offset     int64
		lines      int64
	}{
		{"empty", "", nil, 0, 0},
		{"one", "ab\n", []line{{collector.Ref{Offset: 0, Length: 2, Line: 1}, "ab"}}, 3, 1},
		{"half a line", "ab\ncd", []line{{collector.Ref{Offset: 0, Length: 2, Line: 1}, "ab"}}, 3, 1},
		{"half a line only", "ab", nil, 0, 0},
		{"a CR stays", "ab\r\n", []line{{collector.Ref{Offset: 0, Length: 3, Line: 1}, "ab\r"}}, 4, 1},
		{"blank lines count", "\n\r\nab\n\n", []line{{collector.Ref{Offset: 3, Length: 2, Line: 3}, "ab"}}, 7, 4},
		{"line separators end nothing", "a\u2028b\u2029c\u0085d\vz\n", []line{{collector.Ref{Offset: 0, Length: 14, Line: 1}, "a\u2028b\u2029c\u0085d\vz"}}, 15, 1},
		{"NUL tail", "ab\n\x00\x00\x00", []line{{collector.Ref{Offset: 0, Length: 2, Line: 1}, "ab"}}, 3, 1},
		{"NULs within", "\x00\x00ab\n", []line{{collector.Ref{Offset: 0, Length: 4, Line: 1}, "\x00\x00ab"}}, 5, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLog(t, c.file)
			got, err := l.read()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
			if l.cp.Offset != c.offset || l.cp.Line != c.lines {
				t.Errorf("checkpoint is at offset %d, line %d, want %d, %d", l.cp.Offset, l.cp.Line, c.offset, c.lines)
			}
			if !l.cp.Unchanged(l.stream()) {
				t.Errorf("the stream looks changed after it was read to its end: %+v", l.cp)
			}
			if again := l.mustRead(); again != nil {
				t.Errorf("reading again gives %q", again)
			}
		})
	}
}

// TestLinesInPieces appends in pieces of any size, through characters and CRLFs, and reads after some of them.
func TestLinesInPieces(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		var whole strings.Builder
		for i := range 60 {
			fmt.Fprintf(&whole, `{"n":%d,"text":"%s"}`+[]string{"\n", "\r\n"}[r.IntN(2)], i, strings.Repeat("é\u2028😀", r.IntN(1<<r.IntN(9))))
		}
		all := newLog(t, whole.String())
		want, err := all.read()
		if err != nil {
			t.Fatal(err)
		}
		l := newLog(t, "")
		var got []line
		for rest := whole.String(); rest != ""; {
			n := min(1+r.IntN(1<<r.IntN(14)), len(rest))
			l.append(rest[:n])
			rest = rest[n:]
			if r.IntN(3) > 0 && rest != "" {
				continue
			}
			more, err := l.read()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got = append(got, more...)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d (-at once +in pieces):\n%s", seed, d)
		}
		l.cp.ModTime, l.cp.Inode = all.cp.ModTime, all.cp.Inode
		if d := cmp.Diff(all.cp, l.cp); d != "" {
			t.Fatalf("seed %d, checkpoints (-at once +in pieces):\n%s", seed, d)
		}
	}
}

// TestLinesStopped stops at every record, as one who commits in batches does, and reads on.
func TestLinesStopped(t *testing.T) {
	l := newLog(t, strings.Repeat("0123456789\n", 300))
	want, err := l.read()
	if err != nil {
		t.Fatal(err)
	}
	for stop := range want {
		var cp collector.Checkpoint
		for r, err := range follow.Lines(t.Context(), collector.Stream{Path: l.path}, &cp) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Ref == want[stop].Ref {
				break
			}
		}
		if cp.Unchanged(l.stream()) {
			t.Fatalf("stopped at %d: the stream looks as if it was read to its end", stop)
		}
		n := stop + 1
		for r, err := range follow.Lines(t.Context(), collector.Stream{Path: l.path}, &cp) {
			if err != nil {
				t.Fatalf("stopped at %d: %v", stop, err)
			}
			if r.Ref != want[n].Ref {
				t.Fatalf("stopped at %d: got %+v, want %+v", stop, r.Ref, want[n].Ref)
			}
			n++
		}
		if n != len(want) || cp != l.cp {
			t.Fatalf("stopped at %d: read %d of %d, checkpoint differs: %s", stop, n, len(want), cmp.Diff(l.cp, cp))
		}
	}
}

func TestLinesLong(t *testing.T) {
	big := strings.Repeat("x", 10<<20)
	l := newLog(t, "a\n"+big+"\nb\n"+big)
	if d := cmp.Diff([]string{"a", big, "b"}, l.mustRead()); d != "" {
		t.Error("the long line or its neighbours are not what they were")
	}
	l.append("y\nc\n")
	if d := cmp.Diff([]string{big + "y", "c"}, l.mustRead()); d != "" {
		t.Error("the long line that was completed later is not what it was")
	}
}

func TestLinesTooLong(t *testing.T) {
	const n = follow.MaxLine + 3<<20
	l := newLog(t, "a\n")
	f, err := os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A hole, so that the test does not write 67 MiB: the line is NUL bytes.
	if _, err := f.WriteAt([]byte("\nb\n"), 2+n); err != nil {
		t.Fatal(err)
	}
	want := []line{
		{collector.Ref{Offset: 0, Length: 1, Line: 1}, "a"},
		{collector.Ref{Offset: 2, Length: n, Line: 2}, ""},
		{collector.Ref{Offset: 3 + n, Length: 1, Line: 3}, "b"},
	}
	got, err := l.read()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	l.append("c\n")
	if d := cmp.Diff([]string{"c"}, l.mustRead()); d != "" {
		t.Errorf("behind it (-want +got):\n%s", d)
	}
}

func TestLinesCancelled(t *testing.T) {
	l := newLog(t, "a\nb\nc\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []string
	var last error
	for r, err := range follow.Lines(ctx, collector.Stream{Path: l.path}, &l.cp) {
		if last = err; err == nil {
			got = append(got, string(r.Data))
		}
		cancel()
	}
	if !errors.Is(last, context.Canceled) || !slices.Equal(got, []string{"a"}) {
		t.Fatalf("got %q and then %v, want a and then cancelled", got, last)
	}
	if d := cmp.Diff([]string{"b", "c"}, l.mustRead()); d != "" {
		t.Errorf("afterwards (-want +got):\n%s", d)
	}
}

func TestLinesMissing(t *testing.T) {
	l := newLog(t, "a\n")
	l.mustRead()
	before := l.cp
	if err := os.Remove(l.path); err != nil {
		t.Fatal(err)
	}
	if _, err := l.read(); !errors.Is(err, os.ErrNotExist) || l.cp != before {
		t.Errorf("error %v, checkpoint %s, want not-exist and the same", err, cmp.Diff(before, l.cp))
	}
}

// TestLinesForeignCheckpoint gives a checkpoint that no reading of this file can have left.
func TestLinesForeignCheckpoint(t *testing.T) {
	for _, cp := range []collector.Checkpoint{
		{Offset: 4, HeadLen: 1 << 30, HeadHash: 1},
		{Offset: 4, TailLen: 1 << 30, TailHash: 1},
		{Offset: 1, HeadLen: 3, HeadHash: 1},
	} {
		l := newLog(t, "a\nb\n")
		l.cp = cp
		if _, err := l.read(); !errors.Is(err, collector.ErrReplaced) {
			t.Errorf("%+v: error %v, want ErrReplaced", cp, err)
		}
	}
}

func TestLinesLeaveNoDescriptors(t *testing.T) {
	const fds = "/proc/self/fd"
	if _, err := os.Stat(fds); err != nil {
		t.Skip("descriptors cannot be counted here")
	}
	count := func() int {
		entries, err := os.ReadDir(fds)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	plain, packed := newLog(t, "a\nb\n"), newLog(t, "a\nb\n")
	packed.compress()
	before := count()
	for range 50 {
		for _, l := range []*log{plain, packed} {
			for _, cp := range []collector.Checkpoint{{}, {Offset: 4, TailLen: 1, TailHash: 5}} {
				for range follow.Lines(t.Context(), collector.Stream{Path: l.path}, &cp) {
					break
				}
			}
		}
	}
	if after := count(); after > before+5 {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
