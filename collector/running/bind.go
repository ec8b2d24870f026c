package running

import (
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// early is how much earlier than the log's time of a call the hook that announced it may be. Both are of one clock, and
// all agents that show running calls write the call first.
const early = 500 * time.Millisecond

// bind finds the log's call for what hooks told, and drops what is over.
func (l *lane) bind(now time.Time) {
	l.unclaim()
	kept := l.hooks[:0]
	for _, h := range l.hooks {
		if h.seq < 0 {
			if c := l.find(h); c != nil {
				l.claim(h, c)
			} else if limit := time.UnixMilli(h.At).Add(unseen); l.known && !h.done && !h.Unlogged && h.until.After(limit) {
				h.until = limit
			}
		}
		if !l.over(h, now) {
			kept = append(kept, h)
		}
	}
	clear(l.hooks[len(kept):])
	l.hooks = kept
}

func (l *lane) claim(h *hooked, c *collector.ToolCall) {
	if l.claimed == nil {
		l.claimed = map[int]struct{}{}
	}
	l.claimed[c.Seq] = struct{}{}
	h.seq = c.Seq
	if !h.done {
		h.until = time.Time{}
	}
}

// unclaim forgets the claims on calls that are no longer recent.
func (l *lane) unclaim() {
	for seq := range l.claimed {
		if l.call(seq) == nil {
			delete(l.claimed, seq)
		}
	}
}

// find returns the log's call that h is: the newest of its id (agents use ids again after a resume), else the first of
// the same tool and arguments that is nobody else's and had not ended by then. Identical calls that run side by side are
// bound in order. What has ended is no call that begins later.
func (l *lane) find(h *hooked) *collector.ToolCall {
	if h.Call != "" {
		for i := len(l.log) - 1; i >= 0; i-- {
			if l.log[i].Key == h.Call {
				return l.log[i]
			}
		}
		return nil
	}
	for _, c := range l.log {
		_, taken := l.claimed[c.Seq]
		later := h.done && c.StartedAt > h.At+early.Milliseconds()
		ended := c.Status != collector.CallPending && c.EndedAt < h.At
		if c.EndedAt == 0 { // nobody knows when
			ended = c.Status != collector.CallPending && c.Seq <= h.after
		}
		if !taken && !later && !ended && c.Tool == h.Tool && c.ArgsHash == h.ArgsHash {
			return c
		}
	}
	return nil
}

// over reports whether nothing more is to be shown or hidden by h.
func (l *lane) over(h *hooked, now time.Time) bool {
	if h.seq >= 0 {
		if c := l.call(h.seq); c == nil || c.Status != collector.CallPending {
			return true
		}
	}
	return !h.until.IsZero() && !now.Before(h.until)
}

// call returns the log's call of a seq, if it is recent.
func (l *lane) call(seq int) *collector.ToolCall {
	for _, c := range l.log {
		if c.Seq == seq {
			return c
		}
	}
	return nil
}

// of returns what a hook told of the log's call.
func (l *lane) of(seq int) *hooked {
	for _, h := range l.hooks {
		if h.seq == seq {
			return h
		}
	}
	return nil
}
