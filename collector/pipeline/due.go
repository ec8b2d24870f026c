package pipeline

import (
	"context"
	"time"
)

// Discoveries that a watch asks for wait a moment, so that a burst of new files costs one, and keep a distance.
const (
	discoverAfter = 20 * time.Millisecond
	discoverEvery = 500 * time.Millisecond
)

// nextDiscovery returns how long to wait until a source must be asked or a stream looked at again, or a pause is over.
func (p *Pipeline) nextDiscovery() (wait time.Duration, due bool) {
	wait, due = p.backlog.nextLook(p.deps.Now())
	if w := p.pause(); w > 0 && (!due || w < wait) {
		wait, due = w, true
	}
	for _, s := range p.sources {
		if !s.dirty {
			continue
		}
		w := max(discoverAfter, discoverEvery-p.deps.Now().Sub(s.looked))
		if !due || w < wait {
			wait, due = w, true
		}
	}
	return wait, due
}

func (p *Pipeline) discoverDue(ctx context.Context) {
	p.backlog.lookDue(p.deps.Now())
	asked := false
	for _, s := range p.sources {
		if s.dirty && p.deps.Now().Sub(s.looked) >= discoverEvery-discoverAfter {
			p.flush(ctx) // a discovery asks the store which sessions a log made up
			p.discover(ctx, s)
			asked = true
		}
	}
	if asked {
		p.sweepLive(ctx)
	}
}

// look is when a table is read again, and how often it was since it was written to.
type look struct {
	at    time.Time
	times int
}

// A commit stands in a table's write-ahead log before its readers see it: the program waits in between until the disk has
// it, and nothing is written to a file when they do. So a table is read again 50 ms after its log was last written to, 200 ms
// after that, and 800 ms after that.
const (
	firstLook = 50 * time.Millisecond
	looks     = 3
)

// unsettle notes that a table's log was written to.
func (q *queue) unsettle(s *stream, now time.Time) {
	if q.unsettled == nil {
		q.unsettled = map[*stream]look{}
	}
	q.unsettled[s] = look{at: now.Add(firstLook)}
}

// nextLook returns how long to wait until a table must be read again.
func (q *queue) nextLook(now time.Time) (wait time.Duration, due bool) {
	for _, l := range q.unsettled {
		if w := max(0, l.at.Sub(now)); !due || w < wait {
			wait, due = w, true
		}
	}
	return wait, due
}

// lookDue queues the tables that must be read again.
func (q *queue) lookDue(now time.Time) {
	for s, l := range q.unsettled {
		if l.at.After(now) {
			continue
		}
		if l.times++; l.times < looks {
			l.at = now.Add(firstLook << (2 * l.times))
			q.unsettled[s] = l
		} else {
			delete(q.unsettled, s)
		}
		q.push(s, true)
	}
}
