package follow_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

func (l *log) document(ctx context.Context) (got []line, err error) {
	for r, err := range follow.Document(ctx, collector.Stream{Path: l.path}, &l.cp) {
		if err != nil {
			return got, err
		}
		got = append(got, line{r.Ref, string(r.Data)})
	}
	return got, nil
}

func TestDocument(t *testing.T) {
	l := newLog(t, "name: a\n")
	l.cp.Generation = 3
	step := func(what string, change func(), want ...line) {
		t.Helper()
		change()
		got, err := l.document(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
		if !l.cp.Unchanged(l.stream()) || l.cp.Generation != 3 {
			t.Errorf("%s: checkpoint is %+v", what, l.cp)
		}
	}
	step("first", func() {}, line{collector.Ref{Length: 8, Line: 1}, "name: a\n"})
	step("again", func() {})
	step("touched", func() {
		if err := os.Chtimes(l.path, time.Time{}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	})
	step("longer", func() { l.write("name: a\nmore: b") }, line{collector.Ref{Length: 15, Line: 1}, "name: a\nmore: b"})
	step("shorter", func() { l.write("n") }, line{collector.Ref{Length: 1, Line: 1}, "n"})
	step("by rename", func() { l.rename("m") }, line{collector.Ref{Length: 1, Line: 1}, "m"})
}

func TestDocumentTooLarge(t *testing.T) {
	l := newLog(t, "")
	if err := os.Truncate(l.path, 16<<20+1); err != nil {
		t.Fatal(err)
	}
	if got, err := l.document(t.Context()); err == nil || got != nil {
		t.Fatalf("got %d records and %v, want an error", len(got), err)
	}
	if got, err := l.document(t.Context()); err != nil || got != nil {
		t.Errorf("unchanged: got %d records and %v, want nothing more to be said", len(got), err)
	}
}

func TestDocumentErrors(t *testing.T) {
	l := newLog(t, "a")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.document(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if err := os.Remove(l.path); err != nil {
		t.Fatal(err)
	}
	if _, err := l.document(t.Context()); !errors.Is(err, os.ErrNotExist) || l.cp != (collector.Checkpoint{}) {
		t.Errorf("missing: error %v, checkpoint %+v", err, l.cp)
	}
}
