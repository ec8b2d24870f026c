package fold

import "github.com/turnwatch/turnwatch/collector"

// asker returns the turn of a call, and the round trip that asked for it, -1 if none did.
func (s *Session) asker(ev *collector.Event) (*collector.Turn, int) {
	if ev.Unasked {
		return s.working(ev), -1
	}
	if ev.Within == collector.WithinPending {
		ev.Within = s.pendingScript(ev)
		if t := s.turnOf(ev); ev.Within == "" && t != nil && len(t.RoundTrips) > 0 {
			return t, t.RoundTrips[len(t.RoundTrips)-1].Seq
		}
	}
	if ev.Within != "" {
		if i, known := s.callByKey[ev.Within]; known {
			outer := s.calls[i]
			return s.turns[outer.Turn], outer.RoundTrip
		}
	}
	r := s.askedBy(ev)
	r.EndedAt = max(r.EndedAt, ev.Time)
	r.Changed = true
	s.note(r, ev)
	return s.turns[r.Turn], r.Seq
}

// askedBy returns the round trip that asked for a call.
func (s *Session) askedBy(ev *collector.Event) *collector.RoundTrip {
	if ev.RoundTrip == collector.LatestRoundTrip {
		if t := s.turnOf(ev); t != nil && len(t.RoundTrips) > 0 {
			return t.RoundTrips[len(t.RoundTrips)-1]
		}
		ev.RoundTrip = ""
	}
	return s.trip(ev, ev.Within == "")
}

// pendingScript returns the key of the newest call of the turn that still runs and was not made by a script itself.
func (s *Session) pendingScript(ev *collector.Event) string {
	t := s.turnOf(ev)
	if t == nil {
		return ""
	}
	for i := len(t.ToolCalls) - 1; i >= 0; i-- {
		if c := t.ToolCalls[i]; c.Status == collector.CallPending && c.Within == "" {
			return c.Key
		}
	}
	return ""
}
