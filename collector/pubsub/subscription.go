package pubsub

import (
	"iter"
	"sync"
	"sync/atomic"

	"github.com/turnwatch/turnwatch/collector"
)

// QueueSize is how many messages wait for a subscriber before it is told to resync.
const QueueSize = 1024

// Subscription is one subscriber's queue.
type Subscription struct {
	filter func(*collector.Message) bool
	remove func()
	lost   *atomic.Int64 // counts what overflows, for all subscriptions
	stop   func() bool
	wake   chan struct{}
	limit  int
	from   int64

	mu    sync.Mutex
	queue []collector.Message // an empty Type marks one that a newer message replaced
	live  int                 // messages in queue that count
	seen  map[target]int      // where in queue the latest message about a target stands
	ended bool
}

// target is what a replaceable message is about.
type target struct {
	kind    collector.MessageType
	session collector.SessionID
	turn    int
}

// targetOf says what m is about, if a newer message about the same makes it superfluous.
func targetOf(m *collector.Message) (target, bool) {
	switch m.Type {
	case collector.MessageSessionUpdated, collector.MessageSessionContext, collector.MessageSessionLabels, collector.MessageTurnUpdated, collector.MessageProgress:
		t := target{kind: m.Type, session: m.Session, turn: -1}
		if m.Turn != nil {
			t.turn = *m.Turn
		}
		return t, true
	}
	return target{}, false
}

// From returns the revision that the subscription begins with: the one that was asked for, or the present one when
// there is nothing, or no longer everything, to repeat.
func (s *Subscription) From() int64 { return s.from }

// Wake returns a channel that is readable after messages arrived, and after the subscription ended.
func (s *Subscription) Wake() <-chan struct{} { return s.wake }

// Take returns the messages that wait, oldest first, and whether more can come.
func (s *Subscription) Take() (msgs []collector.Message, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compact()
	msgs, s.queue, s.live = s.queue, nil, 0
	clear(s.seen)
	return msgs, !s.ended
}

// All yields messages as they come until the subscription ends. It closes the subscription when the caller breaks off.
func (s *Subscription) All() iter.Seq[collector.Message] {
	return func(yield func(collector.Message) bool) {
		defer s.Close()
		for {
			msgs, more := s.Take()
			for _, m := range msgs {
				if !yield(m) {
					return
				}
			}
			if !more {
				return
			}
			if len(msgs) == 0 {
				<-s.wake
			}
		}
	}
}

// Close ends the subscription. It may be called again.
func (s *Subscription) Close() {
	s.stop()
	s.end()
}

func (s *Subscription) end() {
	s.remove()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.notify()
}

// add queues the messages that the filter takes.
func (s *Subscription) add(msgs []collector.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range msgs {
		if s.filter == nil || s.filter(&msgs[i]) {
			s.push(&msgs[i])
		}
	}
	if s.live > 0 {
		s.notify()
	}
}

func (s *Subscription) push(m *collector.Message) {
	t, replaceable := targetOf(m)
	if replaceable {
		if i, ok := s.seen[t]; ok {
			s.queue[i] = collector.Message{}
			s.live--
		}
	}
	if s.live >= s.limit {
		s.overflow(m.Revision)
	}
	if len(s.queue) >= 2*s.limit {
		s.compact()
	}
	if replaceable {
		s.seen[t] = len(s.queue)
	}
	s.queue = append(s.queue, *m)
	s.live++
}

// overflow replaces everything that waits by a resync.
func (s *Subscription) overflow(revision int64) {
	for _, m := range s.queue {
		if m.Type != "" && m.Type != collector.MessageResync {
			s.lost.Add(1)
		}
	}
	clear(s.queue)
	clear(s.seen)
	s.queue = append(s.queue[:0], collector.Message{Type: collector.MessageResync, Revision: revision})
	s.live = 1
}

// resync makes a resync message the first of a new queue.
func (s *Subscription) resync(revision int64) {
	s.overflow(revision)
	s.notify()
}

// compact removes what was replaced.
func (s *Subscription) compact() {
	if s.live == len(s.queue) {
		return
	}
	clear(s.seen)
	kept := s.queue[:0]
	for _, m := range s.queue {
		if m.Type == "" {
			continue
		}
		if t, ok := targetOf(&m); ok {
			s.seen[t] = len(kept)
		}
		kept = append(kept, m)
	}
	s.queue = kept
}

func (s *Subscription) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
