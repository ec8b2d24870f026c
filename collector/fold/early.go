package fold

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// maxEarly is how many results wait for their calls: as many as one response may ask for at once.
const maxEarly = 16

// began moves the beginning of a call to when its result says that it was. The response that asked for it was being
// written until then, if its own records are not later.
func (s *Session) began(c *collector.ToolCall, at int64) {
	if at <= c.StartedAt {
		return
	}
	if c.RoundTrip >= 0 {
		if r := s.trips[c.RoundTrip]; r.EndedAt == c.StartedAt {
			r.EndedAt, r.Changed = at, true
		}
	}
	c.StartedAt = at
}

// hold keeps a result that stands before its call. Agents whose threads write one log each as it is ready do that.
func (s *Session) hold(ev *collector.Event) {
	s.cur.Early = append(s.cur.Early, *ev)
	s.changed = true
	s.dropEarly(maxEarly)
}

// claim answers a new call with the result that stood before it.
func (s *Session) claim(key string) {
	i := slices.IndexFunc(s.cur.Early, func(ev collector.Event) bool { return ev.Call == key })
	if i < 0 {
		return
	}
	ev := s.cur.Early[i]
	s.cur.Early = slices.Delete(s.cur.Early, i, i+1)
	s.result(&ev)
}

// dropEarly gives up all but the latest keep of the results that wait: their calls will not come.
func (s *Session) dropEarly(keep int) {
	if n := len(s.cur.Early) - keep; n > 0 {
		s.orphans += n
		s.cur.Early = slices.Delete(s.cur.Early, 0, n)
	}
}
