package pipeline

import (
	"cmp"
	"slices"
)

// queue holds the streams to be read: those that changed just now first, then the newest.
type queue struct {
	live    []*stream
	history []*stream // ascending by ModTime: the newest is last
	sorted  bool

	unsettled map[*stream]look // tables whose newest rows may not have been seen
}

func (q *queue) push(s *stream, live bool) {
	if s.queued && !(live && !s.live) {
		return
	}
	if s.queued { // it waits among history: move it
		q.history = slices.DeleteFunc(q.history, func(o *stream) bool { return o == s })
	}
	s.queued = true
	s.live = live
	if live {
		q.live = append(q.live, s)
		return
	}
	q.history = append(q.history, s)
	q.sorted = false
}

func (q *queue) empty() bool { return len(q.live)+len(q.history) == 0 }

func (q *queue) pop() (*stream, bool) {
	if len(q.live) > 0 {
		s := q.live[0]
		q.live = q.live[1:]
		s.queued, s.live = false, false
		return s, true
	}
	if len(q.history) == 0 {
		return nil, false
	}
	if !q.sorted {
		slices.SortFunc(q.history, func(a, b *stream) int {
			return cmp.Or(cmp.Compare(a.ModTime, b.ModTime), cmp.Compare(b.ID, a.ID))
		})
		q.sorted = true
	}
	s := q.history[len(q.history)-1]
	q.history = q.history[:len(q.history)-1]
	s.queued = false
	return s, false
}
