package pipeline

import (
	"maps"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// noteRead keeps what whoever observes wants to know of a record, once the part of the stream that was there at start is
// behind.
func (p *Pipeline) noteRead(s *stream, rec *collector.Record, events []collector.Event) {
	if p.deps.Observe == nil || !s.news {
		return
	}
	// A row of a table has a length of 1 in its place, and its own in what was read of it; a line that was too long to be
	// read has none.
	size := max(rec.Length, int64(len(rec.Data)))
	r := collector.Read{Agent: s.Agent, Kind: s.Kind, Result: collector.ReadOK, Bytes: size}
	for i := range events {
		ev := &events[i]
		if r.At == 0 {
			r.At = ev.Time
		}
		switch ev.Kind {
		case collector.EventMalformed:
			r.Result = collector.ReadMalformed
		case collector.EventUnknown:
			if r.Result == collector.ReadOK {
				r.Result, r.Version = collector.ReadSkipped, p.version(s, ev)
			}
		}
	}
	p.batch.reads = append(p.batch.reads, r)
}

// version returns the version of the program that wrote the event, as far as it is known without asking the store.
func (p *Pipeline) version(s *stream, ev *collector.Event) string {
	id := ev.Session
	if id == "" {
		id = s.Session
	}
	if e := p.sessions[id]; e != nil {
		return e.fold.Row().Version
	}
	return ""
}

// change returns what a commit changed in the session.
func (e *entry) change(ch fold.Changes) collector.Change {
	return collector.Change{
		Session: ch.Session, Turns: e.fold.Turns(), Changed: ch.Turns, Before: ch.Before,
		RoundTrips: ch.RoundTrips, Calls: ch.Calls, Global: e.claims,
	}
}

// observe tells whoever observes what was committed.
func (p *Pipeline) observe(changes []collector.Change, reads []collector.Read) {
	p.noteBacklog()
	if p.deps.Observe != nil {
		p.deps.Observe(&collector.Commit{At: p.deps.Now().UnixMilli(), Changes: changes, Reads: reads})
	}
}

// left returns how many bytes of the stream wait to be read, roughly where it is compressed or a table.
func (s *stream) left() int64 { return max(0, s.Size-s.cp.Offset) }

// noteBacklog sums up what waits to be read.
func (p *Pipeline) noteBacklog() {
	sum := make(map[collector.Agent]int64, len(p.sources))
	for _, q := range [][]*stream{p.backlog.live, p.backlog.history} {
		for _, s := range q {
			sum[s.Agent] += s.left()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.backlog = sum
}

// Backlog returns how many bytes of each agent's streams wait to be read.
func (p *Pipeline) Backlog() map[collector.Agent]int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.status.backlog)
}
