package pipeline

import (
	"context"
	"errors"
	"io/fs"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// A piece of a stream ends after so much, so that live streams need not wait for a long one, and memory stays flat. Pieces
// of a compressed one are longer: each costs going through all that stands before it.
const (
	pieceBytes   = 8 << 20
	pieceRecords = 4000
)

// read reads a piece of s, and reports whether there is more.
func (p *Pipeline) read(ctx context.Context, s *stream, live bool) (more bool) {
	if !s.present {
		return false
	}
	if err := p.attributes(s); err != nil {
		return false // it vanished between two looks; the next discovery tells
	}
	p.batch.touch(s) // whatever ends reading, what was applied and how far go together
	var events []collector.Event
	bytes, records := 0, 0
	maxBytes, maxRecords := pieceBytes, min(pieceRecords, p.cfg.BatchRecords)
	if follow.Compressed(s.Path) {
		maxBytes, maxRecords = int(min(max(pieceBytes, s.cp.Offset), 8*pieceBytes)), 12*maxRecords
	}
	for rec, err := range s.source.Read(ctx, s.Stream, &s.cp) {
		if err != nil {
			return p.readError(ctx, s, err)
		}
		rec.TextLimit = collector.PreviewBytes
		events = events[:0]
		if rec.Data == nil {
			events = append(events, collector.Event{Kind: collector.EventMalformed, Text: collector.Text{Preview: "too long"}})
		} else if events, err = s.source.Decode(events, s.Stream, rec); err != nil {
			p.warn("cannot-decode", "cannot be read on: "+err.Error(), s.Path)
			return false
		}
		for i := range events {
			p.apply(ctx, s, &events[i], rec.Ref)
		}
		p.noteRead(s, &rec, events)
		if live && s.Kind == collector.StreamLog {
			p.batch.raw = append(p.batch.raw, rawLine{sessionOf(s, events), rec.Ref})
		}
		records++
		bytes += len(rec.Data)
		if bytes >= maxBytes || records >= maxRecords {
			more = true
			break
		}
	}
	if _, again := p.backlog.unsettled[s]; again {
		s.cp.ModTime = 0 // what it says was read may not have been seen
	}
	s.news = s.news || !more
	p.readable(s)
	p.batch.bytes += int64(bytes)
	p.batch.records += records
	p.advance(int64(bytes), !more && !live)
	return more
}

// sessionOf returns whose record it was that said the events.
func sessionOf(s *stream, events []collector.Event) collector.SessionID {
	if s.Session == "" && len(events) > 0 {
		return events[0].Session
	}
	return s.Session
}

// attributes brings the stream's attributes up to date: a watch only says that something changed.
func (p *Pipeline) attributes(s *stream) error {
	return follow.Fill(&s.Stream)
}

// readError handles what Read could not do.
func (p *Pipeline) readError(ctx context.Context, s *stream, err error) (more bool) {
	switch {
	case errors.Is(err, collector.ErrReplaced):
		p.replaced(ctx, s)
		return true
	case errors.Is(err, fs.ErrNotExist), ctx.Err() != nil:
		return false
	}
	s.failed = true
	p.warn("cannot-read", "cannot be read: "+err.Error()+"; tried again when it changes, or within a minute", s.Path)
	return false
}

// readable takes back that a stream cannot be read.
func (p *Pipeline) readable(s *stream) {
	if s.failed {
		s.failed = false
		p.unwarn("cannot-read", s.Path)
	}
}

// apply hands an event to its session's fold.
func (p *Pipeline) apply(ctx context.Context, s *stream, ev *collector.Event, ref collector.Ref) {
	id := ev.Session
	if id == "" {
		id = s.Session
	}
	if ev.Kind == collector.EventUnknown || ev.Kind == collector.EventMalformed {
		p.unknown(ctx, s, id, ev)
		return
	}
	if id == "" {
		return
	}
	e := p.session(ctx, id)
	if e == nil {
		return
	}
	if s.Kind == collector.StreamLog && (ev.Session == "" || ev.Session == s.Session || ev.Kind != collector.EventFacts) {
		e.fold.SawLog(s.Path)
		e.stream = s.ID
	}
	if s.Kind == collector.StreamFacts {
		ref = collector.Ref{} // turns refer to their log only
	}
	e.fold.Apply(ev, ref)
	if n := e.fold.Orphans(); n > 0 {
		p.count(ctx, s, e.fold.Row().Version, "result without a call", int64(n))
	}
	p.batch.dirty[e] = struct{}{}
}
