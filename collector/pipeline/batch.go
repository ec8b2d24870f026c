package pipeline

import (
	"cmp"
	"context"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// batch is what was read since the last commit.
type batch struct {
	dirty   map[*entry]struct{}
	streams map[*stream]struct{}
	forget  []collector.SessionID
	forgot  []collector.StreamID
	unknown map[unknownKey]int64
	// released are names whose claimant was forgotten: another session that shows them may own them now.
	released map[string]collector.Agent
	// fates are the streams that were lost or moved, and what gone must say so that the next discovery notices
	// again.
	fates   map[*stream]bool
	raw     []rawLine
	reads   []collector.Read // for who observes
	bytes   int64
	records int
	since   time.Time // of its first record
	broken  error     // the store could not be read: what is in memory is incomplete
	clock   int64
	later   bool // something was committed before
}

type unknownKey struct {
	stream  collector.StreamID
	agent   collector.Agent
	version string
	kind    string
}

type rawLine struct {
	session collector.SessionID
	ref     collector.Ref
}

// A batch of history is committed after so much; what is live at once.
const (
	batchBytes = 24 << 20
	batchTime  = 400 * time.Millisecond
	firstTime  = 120 * time.Millisecond // so that the page has something to show at once
)

func (b *batch) touch(s *stream) { b.streams[s] = struct{}{} }

// due reports whether the batch must be committed now.
func (b *batch) due(now time.Time, records int, live bool) bool {
	if len(b.streams) == 0 {
		return false
	}
	if b.since.IsZero() {
		b.since = now
	}
	limit := firstTime
	if b.later {
		limit = batchTime
	}
	return live || b.records >= records || b.bytes >= batchBytes || now.Sub(b.since) >= limit
}

func (b *batch) reset() {
	*b = batch{
		dirty: map[*entry]struct{}{}, streams: map[*stream]struct{}{}, unknown: map[unknownKey]int64{},
		released: map[string]collector.Agent{}, fates: map[*stream]bool{}, clock: b.clock,
		later: b.later || len(b.streams) > 0,
	}
}

// flush commits the batch and publishes what it changed.
func (p *Pipeline) flush(ctx context.Context) {
	if len(p.batch.streams) == 0 && len(p.batch.dirty) == 0 && p.batch.broken == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	p.settleClaims(ctx)
	if err := p.batch.broken; err != nil {
		p.giveUp(ctx, "the store cannot be read", err)
		return
	}
	var b sqlite.Batch
	b.Forget, b.Uncount = p.batch.forget, p.batch.forgot
	var news []news
	var seen []collector.Change
	for e := range p.batch.dirty {
		ch := e.fold.Settle(p.deps.Judges)
		if ch.Empty() {
			continue
		}
		b.Sessions = append(b.Sessions, sqlite.SessionChange{
			Stream: e.stream, Session: ch.Session, Turns: ch.Turns, RoundTrips: ch.RoundTrips, Calls: ch.Calls, Markers: ch.Markers,
			Cursor: ch.Cursor, Claims: e.claims,
			Rollup: p.rollup(e),
		})
		news = append(news, e.news(ch))
		seen = append(seen, e.change(ch))
	}
	for s := range p.batch.streams {
		b.Streams = append(b.Streams, sqlite.StoredStream{Stream: s.Stream, Checkpoint: s.cp})
	}
	for k, n := range p.batch.unknown {
		b.Unknown = append(b.Unknown, sqlite.UnknownRecords{Stream: k.stream, UnknownCount: collector.UnknownCount{
			Agent: k.agent, Version: k.version, Type: k.kind, Count: n}})
	}
	rev, err := p.deps.Store.Commit(ctx, &b)
	if err != nil {
		p.giveUp(ctx, "the store cannot be written", err)
		return
	}
	p.unwarn(collector.WarningStore, "")
	for s := range p.batch.streams {
		s.committed, s.owner = s.cp, s.Session
	}
	for i := range b.Sessions {
		p.stored[b.Sessions[i].Session.ID] = struct{}{}
	}
	raw, reads, counted := p.batch.raw, p.batch.reads, len(p.batch.unknown) > 0
	p.batch.reset()
	p.publish(rev, news, raw)
	p.observe(seen, reads)
	if counted {
		p.refreshUnknown(ctx)
	}
	p.evict()
}

// pause returns how long reading still rests.
func (p *Pipeline) pause() time.Duration { return max(0, p.paused.Sub(p.deps.Now())) }

// giveUp drops what is in memory; reading goes on from what is stored after a pause.
func (p *Pipeline) giveUp(ctx context.Context, what string, err error) {
	p.storeFailed(ctx, what, err)
	p.paused = p.deps.Now().Add(p.cfg.PauseAfter)
	for s := range p.batch.streams {
		s.cp = s.committed
		s.Session = cmp.Or(s.owner, s.Session) // the next discovery renames it again
		s.kinds = nil
		p.backlog.push(s, false)
	}
	for s, gone := range p.batch.fates {
		s.gone = gone
	}
	clear(p.sessions)
	p.claimed = nil
	p.batch.reset()
	p.noteBacklog()
}

// rollupParts is up to how many parts a session is digested with every commit; a larger one is when insights are asked
// for, so that the cost of an appended record does not grow with its session.
const rollupParts = 1500

func (p *Pipeline) rollup(e *entry) []byte {
	if e.fold.Parts() > rollupParts && p.isReady() {
		return nil
	}
	return insights.Digest(e.fold.Turns(), p.deps.Judges.Cost)
}
