package transcript

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// said is what a record said about the session. It is valid until the next one is asked for.
type said struct {
	ref    collector.Ref
	data   []byte // nil = it cannot be read
	events []collector.Event
	bad    bool
}

// said yields what the records of the bytes [from, to) say; to 0 = to the log's end. Texts are cut to limit bytes; 0 = not
// at all.
func (l log) said(ctx context.Context, from collector.Ref, to int64, limit int) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		var events []collector.Event
		for rec, err := range l.records(ctx, from, to) {
			if err != nil {
				yield(said{}, fmt.Errorf("read %s: %w", l.stream.Path, err))
				return
			}
			rec.TextLimit = limit
			events = events[:0]
			if rec.Data != nil {
				if events, err = l.source.Decode(events, l.stream, rec); err != nil {
					yield(said{}, fmt.Errorf("decode %s: %w", l.stream.Path, err))
					return
				}
			}
			s := said{ref: rec.Ref, data: rec.Data, events: events[:0], bad: rec.Data == nil}
			for _, ev := range events {
				switch {
				case ev.Kind == collector.EventMalformed:
					s.bad = true
				case ev.Session == l.session || ev.Session == "" && l.stream.Session == l.session:
					s.events = append(s.events, ev)
				}
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// fold folds what the records of the bytes [from, to) say into f, and returns how many there are.
func (l log) fold(ctx context.Context, f *fold.Session, from collector.Ref, to int64, limit int) (records int, err error) {
	for s, err := range l.said(ctx, from, to, limit) {
		if err != nil {
			return records, err
		}
		records++
		if l.stream.Kind == collector.StreamFacts {
			s.ref = collector.Ref{} // turns refer to their log only
		}
		for i := range s.events {
			f.Apply(&s.events[i], s.ref)
		}
	}
	return records, nil
}

// read yields what the records from a place on say, with the line that the page counts by. A document of several lines is
// one record; its lines are counted by what it says, so that it has pages too.
func (c *conversation) read(ctx context.Context, from collector.Ref, limit int) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		for s, err := range c.log.said(ctx, from, 0, limit) {
			if err != nil || !bytes.ContainsRune(s.data, '\n') {
				if !yield(s, err) {
					return
				}
				continue
			}
			for i := range s.events {
				s.ref.Line = int64(i) + 1
				if !yield(said{ref: s.ref, events: s.events[i : i+1]}, nil) {
					return
				}
			}
		}
	}
}
