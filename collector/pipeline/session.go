package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// entry is a session that is in memory.
type entry struct {
	id       collector.SessionID
	fold     *fold.Session
	stream   collector.StreamID            // of its log
	claims   map[*collector.RoundTrip]bool // round trips whose names are unique over all sessions
	stored   int                           // turns that the store has
	statuses map[int]collector.TurnStatus  // as last published
	renewed  int                           // generation for which it was emptied
	used     int64                         // for eviction
}

// session returns the fold of a session, loading it if the store has it. It returns nil if the store cannot be read.
func (p *Pipeline) session(ctx context.Context, id collector.SessionID) *entry {
	p.batch.clock++
	if e := p.sessions[id]; e != nil {
		e.used = p.batch.clock
		return e
	}
	e := &entry{id: id, claims: map[*collector.RoundTrip]bool{}, used: p.batch.clock, statuses: map[int]collector.TurnStatus{}}
	var st *sqlite.StoredSession
	var err error
	if _, known := p.stored[id]; known {
		st, err = p.deps.Store.Load(context.WithoutCancel(ctx), id)
	}
	if err == nil && st != nil {
		e.stream, e.claims, e.stored = st.Stream, st.Claims, len(st.Turns)
		if e.fold, err = fold.Restore(st.Session, st.Turns, st.Cursor); err != nil {
			err = fmt.Errorf("%w: session %s: %w", collector.ErrDamaged, id, err)
		} else {
			e.fold.RestoreMarkers(st.Waiting)
			if t := len(st.Turns) - 1; t >= 0 {
				e.statuses[t] = st.Turns[t].Status
			}
		}
	}
	if err != nil {
		p.batch.broken = err
		return nil
	}
	if e.fold == nil {
		e.fold = fold.New(id)
	}
	p.sessions[id] = e
	return e
}

// Sessions stay in memory while they may go on: the most recently used ones, up to so many parts. Those of history are
// mostly read once.
const (
	keepSessions = 48
	keepParts    = 12_000
	keepHistory  = 4
)

// evict forgets the sessions in memory that were not used for longest. They are all stored.
func (p *Pipeline) evict() {
	if p.cfg.KeepNone {
		clear(p.sessions)
		return
	}
	most := keepSessions
	if !p.isReady() {
		most = keepHistory
	}
	parts := 0
	for _, e := range p.sessions {
		parts += e.fold.Parts()
	}
	if len(p.sessions) <= most && parts <= keepParts {
		return
	}
	all := make([]*entry, 0, len(p.sessions))
	for _, e := range p.sessions {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entry) int { return int(b.used - a.used) })
	kept := 0
	parts = 0
	for _, e := range all {
		parts += e.fold.Parts()
		if kept < most && (parts <= keepParts || kept == 0) {
			kept++
			continue
		}
		delete(p.sessions, e.id)
	}
}
