package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// sweepLive looks which sessions running processes hold, and tells what changed.
func (p *Pipeline) sweepLive(ctx context.Context) {
	var now []collector.LiveSession
	blind := false
	for _, src := range p.sources {
		for l, err := range src.Live(ctx) {
			if err != nil {
				if ctx.Err() != nil {
					return
				}
				blind = true
				p.warn("cannot-see-processes", "cannot see which sessions are live: "+err.Error(), "")
				continue
			}
			now = append(now, l)
		}
	}
	if ctx.Err() != nil {
		return
	}
	if !blind {
		p.unwarn("cannot-see-processes", "")
	}
	slices.SortFunc(now, func(a, b collector.LiveSession) int { return cmp.Or(cmp.Compare(a.Session, b.Session), a.Pid-b.Pid) })
	if p.swept && slices.Equal(now, p.live) {
		return
	}
	rev, err := p.deps.Store.SetLive(ctx, now)
	if err != nil {
		p.storeFailed(ctx, "the store cannot be written", err)
		return
	}
	if p.pause() == 0 {
		p.unwarn(collector.WarningStore, "")
	}
	var msgs []collector.Message
	tell := func(id collector.SessionID) {
		if _, known := p.stored[id]; !known {
			return // the commit that makes it known tells
		}
		state := ""
		// What a process says is half of it: whether a turn is open is in the store.
		switch s, err := p.deps.Store.Session(ctx, id); {
		case collector.ErrorCode(err) == collector.CodeNotFound:
			return // only facts of it are known: the commit of its log tells
		case err != nil:
			p.deps.Logger.Warn("state of a session", "err", err)
		default:
			state = string(s.State)
		}
		for _, kind := range []collector.MessageType{collector.MessageSessionUpdated, collector.MessageSessionContext} {
			msgs = append(msgs, collector.Message{Type: kind, Revision: rev, Session: id, Status: state})
		}
	}
	for _, l := range now {
		if !slices.Contains(p.live, l) {
			tell(l.Session)
		}
	}
	for _, l := range p.live {
		if !slices.ContainsFunc(now, func(n collector.LiveSession) bool { return n.Session == l.Session }) {
			tell(l.Session)
		}
	}
	p.live, p.swept = now, true
	p.deps.Publisher.Publish(msgs...)
}

// quietLooks is how many looks at processes are skipped while nobody holds a session and nothing was written: whoever
// begins writes, and a watch tells.
const quietLooks = 5

// tickLive looks at processes if there may be news.
func (p *Pipeline) tickLive(ctx context.Context) {
	if len(p.live) == 0 && !p.stirred && p.skipped < quietLooks {
		p.skipped++
		return
	}
	p.stirred, p.skipped = false, 0
	p.sweepLive(ctx)
}
