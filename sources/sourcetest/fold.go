package sourcetest

import (
	"cmp"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// Folds are sessions that are put together, by id.
type Folds map[collector.SessionID]*fold.Session

// Fold reads everything that src finds, each stream from its beginning, and settles the sessions.
func Fold(t testing.TB, src collector.Source, judges fold.Judges) Folds {
	t.Helper()
	folds := Folds{}
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatalf("discover: %v", err)
		}
		if st.Kind != collector.StreamDirectory {
			folds.Read(t, src, st, &collector.Checkpoint{})
		}
	}
	for _, f := range folds {
		f.Settle(judges)
	}
	return folds
}

// Read reads a stream on from cp, as the pipeline does.
func (folds Folds) Read(t testing.TB, src collector.Source, st collector.Stream, cp *collector.Checkpoint) {
	t.Helper()
	for r, err := range src.Read(t.Context(), st, cp) {
		if err != nil {
			t.Fatalf("read %s: %v", st.ID, err)
		}
		r.TextLimit = collector.PreviewBytes
		events, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatalf("decode %s: %v", st.ID, err)
		}
		if st.Kind == collector.StreamFacts {
			r.Ref = collector.Ref{} // it names no place in a log
		}
		for i := range events {
			id := cmp.Or(events[i].Session, st.Session)
			f := folds[id]
			if f == nil {
				f = fold.New(id)
				folds[id] = f
			}
			if st.Kind == collector.StreamLog && id == st.Session {
				f.SawLog(st.Path)
			}
			f.Apply(&events[i], r.Ref)
		}
	}
}
