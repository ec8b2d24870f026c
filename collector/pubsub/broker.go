// Package pubsub tells whoever watches that something changed.
//
// Delivery: Publish never blocks and never fails. Every subscriber has a queue of its own, in the order of publishing.
// Messages carry names and a revision, no contents, so a message that is still in the queue when a newer one about the
// same session, turn or progress arrives is dropped in favour of the newer one. A queue that is full is emptied
// and gets one resync message instead: what the subscriber knows may be old, ask the API again. It goes on from there.
//
// The broker keeps the last messages of commits. A subscriber that comes back with the last revision that it saw gets
// the messages of that revision again (it may have seen only some of them) and all later ones; or one resync, when they
// are no longer all there, or when the revision is not of this store. Messages that belong to no commit (Revision 0) get the
// present revision. Those of labels are kept with the others; progress and attach state are not: whoever connects is told
// the present ones.
package pubsub

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/turnwatch/turnwatch/collector"
)

// Broker hands messages to subscribers.
type Broker struct {
	mu      sync.Mutex
	ring    []collector.Message // the last messages of commits; ring[next] is the oldest once it is full
	next    int
	size    int
	last    int64 // newest revision
	dropped int64 // revisions up to here are not, or not all, in the ring
	subs    map[*Subscription]struct{}
	lost    atomic.Int64 // messages that full queues dropped
}

// New returns a broker that keeps the last size messages, and that knows nothing of revisions before its first one.
func New(size int) *Broker {
	return &Broker{size: max(size, 1), dropped: -1, subs: map[*Subscription]struct{}{}}
}

// Start says at which revision the store stands, before the first Publish.
func (b *Broker) Start(revision int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last, b.dropped = revision, revision
	b.ring, b.next = nil, 0
}

// Revision returns the newest revision.
func (b *Broker) Revision() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// Dropped returns how many messages were dropped because their subscribers did not take them.
func (b *Broker) Dropped() int64 { return b.lost.Load() }

// Publish hands msgs, all of one revision, to every subscriber whose filter takes them.
func (b *Broker) Publish(msgs ...collector.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range msgs {
		m := &msgs[i]
		if m.Revision == 0 {
			m.Revision = b.last
			if m.Type == collector.MessageSessionLabels {
				b.keep(m)
			}
		} else {
			b.last = max(b.last, m.Revision)
			b.keep(m)
		}
	}
	for s := range b.subs {
		s.add(msgs)
	}
}

func (b *Broker) keep(m *collector.Message) {
	if len(b.ring) < b.size {
		b.ring = append(b.ring, *m)
		return
	}
	b.dropped = b.ring[b.next].Revision
	b.ring[b.next] = *m
	b.next = (b.next + 1) % b.size
}

// Subscribe returns a subscription to the messages that filter takes (nil = all), beginning with those of revision since;
// since < 0 begins with what comes. It ends with ctx, or by Close. Filter is called by Publish and must not block.
func (b *Broker) Subscribe(ctx context.Context, since int64, filter func(*collector.Message) bool) *Subscription {
	s := &Subscription{filter: filter, lost: &b.lost, wake: make(chan struct{}, 1), limit: QueueSize, seen: map[target]int{}}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.from = b.last
	switch {
	case since < 0:
	case since > b.last || since <= b.dropped:
		s.resync(b.last)
	default:
		s.from = since
		s.add(b.since(since))
	}
	b.subs[s] = struct{}{}
	s.remove = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, s)
	}
	s.stop = context.AfterFunc(ctx, s.end)
	return s
}

// since returns copies of the kept messages from revision on.
func (b *Broker) since(revision int64) []collector.Message {
	var msgs []collector.Message
	for i := range b.ring {
		if m := b.ring[(b.next+i)%len(b.ring)]; m.Revision >= revision {
			msgs = append(msgs, m)
		}
	}
	return msgs
}
