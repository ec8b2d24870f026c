package pipeline

import (
	"context"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// stays returns the session that a stream belongs to from now on: one that was a sub-agent's stays that, if whoever spawned
// it was deleted.
func stays(before, now collector.SessionID) collector.SessionID {
	if before.Root() != before && now.Root() == now && now.Own() == before.Own() {
		return before
	}
	return now
}

// renamed starts a stream over whose session turned out to be another's sub-agent: what was read of it so far stands under
// the wrong name.
func (p *Pipeline) renamed(ctx context.Context, s *stream) {
	p.anew(s)
	if s.Kind != collector.StreamLog {
		return
	}
	for _, e := range p.sessionsOf(ctx, s) {
		p.forget(e)
		e.fold = fold.New(e.id)
		delete(p.batch.dirty, e)
	}
	p.deps.Logger.Info("session belongs to another and is read anew", "stream", s.ID)
}

// anew goes back to the beginning of a stream.
func (p *Pipeline) anew(s *stream) {
	s.cp = collector.Checkpoint{Generation: s.cp.Generation + 1}
	s.news = false
	p.batch.touch(s)
	p.uncount(s)
}

// forget drops what the store has of a session.
func (p *Pipeline) forget(e *entry) {
	for r := range e.claims {
		p.batch.released[r.Key] = e.id.Agent()
	}
	e.claims = map[*collector.RoundTrip]bool{}
	e.stored = 0
	p.batch.forget = append(p.batch.forget, e.id)
}

// replaced starts a stream over: its file is not the one that was read.
func (p *Pipeline) replaced(ctx context.Context, s *stream) {
	p.anew(s)
	if s.Kind != collector.StreamLog {
		return
	}
	for _, e := range p.sessionsOf(ctx, s) {
		if e.renewed == s.cp.Generation {
			continue
		}
		p.forget(e)
		e.fold = fold.Renew(e.fold.Row())
		e.renewed = s.cp.Generation
		p.batch.dirty[e] = struct{}{}
	}
	for _, o := range p.streams { // what side tables said about them was forgotten too
		if o.Agent == s.Agent && o.Kind == collector.StreamFacts && o.present {
			o.cp = collector.Checkpoint{Generation: o.cp.Generation}
			o.news = false
			p.backlog.push(o, true)
		}
	}
	p.deps.Logger.Info("stream was replaced and is read anew", "stream", s.ID)
}

// sessionsOf returns the sessions whose log is s.
func (p *Pipeline) sessionsOf(ctx context.Context, s *stream) []*entry {
	ids, err := p.deps.Store.SessionsOf(ctx, s.ID)
	if err != nil {
		p.batch.broken = err
		return nil
	}
	var all []*entry
	for _, id := range ids {
		if e := p.session(ctx, id); e != nil {
			all = append(all, e)
		}
	}
	for _, e := range p.sessions {
		if e.stream == s.ID && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}

// gone notes that a log's file is no longer there. Its sessions stay.
func (p *Pipeline) gone(ctx context.Context, s *stream) {
	p.batch.fates[s] = false
	s.gone = true
	for _, e := range p.sessionsOf(ctx, s) {
		if e.fold.SetGone(true) {
			p.batch.dirty[e] = struct{}{}
		}
	}
}

// moved notes that a log's file is at another place now, or there again.
func (p *Pipeline) moved(ctx context.Context, s *stream) {
	p.batch.fates[s] = true
	s.gone = false
	p.batch.touch(s)
	if s.Kind != collector.StreamLog {
		return
	}
	for _, e := range p.sessionsOf(ctx, s) {
		e.fold.SawLog(s.Path)
		e.fold.SetGone(false)
		p.batch.dirty[e] = struct{}{}
	}
	if len(p.batch.dirty) >= keepSessions {
		p.flush(ctx) // when a whole home moved, it need not be in memory at once
	}
}
