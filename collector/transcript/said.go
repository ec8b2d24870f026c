package transcript

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
)

// said is what a record said about the session: its place, with the line that the page counts by.
type said struct {
	ref    collector.Ref
	events []collector.Event
	bad    bool
}

// read yields what the records from a place on say. A document of several lines is one record; its lines are counted by
// what it says, so that it has pages too.
func (c *conversation) read(ctx context.Context, from collector.Ref, limit int) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		var events []collector.Event
		for rec, err := range c.log.records(ctx, from, 0) {
			if err != nil {
				yield(said{}, fmt.Errorf("read %s: %w", c.log.stream.Path, err))
				return
			}
			rec.TextLimit = limit
			events = events[:0]
			if rec.Data != nil {
				if events, err = c.log.source.Decode(events, c.log.stream, rec); err != nil {
					yield(said{}, fmt.Errorf("decode %s: %w", c.log.stream.Path, err))
					return
				}
			}
			s := c.own(rec, events)
			if !bytes.ContainsRune(rec.Data, '\n') {
				if !yield(s, nil) {
					return
				}
				continue
			}
			for i := range s.events {
				s.ref.Line = int64(i) + 1
				if !yield(said{s.ref, s.events[i : i+1], false}, nil) {
					return
				}
			}
		}
	}
}

// own leaves out what a record says about other sessions.
func (c *conversation) own(rec collector.Record, events []collector.Event) said {
	s := said{ref: rec.Ref, bad: rec.Data == nil}
	own := events[:0]
	for _, ev := range events {
		switch {
		case ev.Kind == collector.EventMalformed:
			s.bad = true
		case ev.Session == c.log.session || ev.Session == "" && c.log.stream.Session == c.log.session:
			own = append(own, ev)
		}
	}
	s.events = own
	return s
}
