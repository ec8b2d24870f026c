package fold

import (
	"cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// call takes in a request for a tool call, or more about one that is known.
func (s *Session) call(ev *collector.Event) {
	key := cmp.Or(ev.Call, ev.Key)
	if i, known := s.callByKey[key]; known && key != "" {
		if c := s.calls[i]; s.sameCall(c, ev) {
			s.completeCall(c, ev)
			return
		}
	}
	t, trip := s.asker(ev)
	c := &collector.ToolCall{
		Seq:       len(s.calls),
		Turn:      t.Index,
		RoundTrip: trip,
		Key:       key,
		Within:    ev.Within,
		Tool:      ev.Tool,
		Category:  cmp.Or(ev.Category, collector.CategoryOther),
		Effect:    ev.Effect,
		Status:    collector.CallPending,
		Args:      ev.Args,
		ArgsHash:  ev.ArgsHash,
		StartedAt: ev.Time,
		Inherited: s.inherited(ev),
		Ref:       ev.Text.Ref,
		Changed:   true,
	}
	s.calls = append(s.calls, c)
	if key != "" {
		s.callByKey[key] = c.Seq
	}
	t.ToolCalls = append(t.ToolCalls, c)
	s.countTool(c, +1)
	if trip >= 0 {
		s.trips[trip].Calls++
		s.trips[trip].Changed = true
	}
	if t.Status == collector.TurnOK && t == s.last() {
		t.Status = collector.TurnOpen
	}
	s.touch(t, ev)
	s.claim(key)
	s.takeAside(key)
}

// sameCall tells a call that is written again from another call to which the model gave an old id.
func (s *Session) sameCall(c *collector.ToolCall, ev *collector.Event) bool {
	if ev.RoundTrip == "" || ev.RoundTrip == collector.LatestRoundTrip || c.Status == collector.CallPending {
		return true
	}
	r := s.named(ev.RoundTrip)
	return r != nil && (c.RoundTrip == r.Seq || c.RoundTrip < 0)
}

// completeCall fills in what a second record says about a call: it began when the later one was written.
func (s *Session) completeCall(c *collector.ToolCall, ev *collector.Event) {
	if c.Result.Ref.Length > 0 {
		return
	}
	c.Changed = true
	if c.StartedAt == 0 && c.RoundTrip >= 0 {
		r := s.trips[c.RoundTrip] // it was being written until then
		r.EndedAt, r.Changed = max(r.EndedAt, ev.Time), true
	}
	c.StartedAt = max(c.StartedAt, ev.Time)
	if c.Tool == "" {
		c.Tool = ev.Tool
	}
	if c.Category == collector.CategoryOther && ev.Category != "" {
		c.Category = ev.Category
	}
	if c.Args.Bytes == 0 && ev.Args.Bytes > 0 {
		c.Args = ev.Args
		c.Ref = ev.Args.Ref
	}
	if c.ArgsHash == 0 {
		c.ArgsHash = ev.ArgsHash
	}
	c.Effect = max(c.Effect, ev.Effect)
	c.Within = cmp.Or(c.Within, ev.Within)
	s.touch(s.turns[c.Turn], ev)
}

// result answers a call, or enriches an answer.
func (s *Session) result(ev *collector.Event) {
	i, known := s.callByKey[ev.Call]
	if !known {
		switch {
		case ev.Ahead:
			s.hold(ev)
		case ev.Enriches:
			s.keepAside(ev)
		default:
			s.orphans++
		}
		return
	}
	c := s.calls[i]
	failed := c.Status == collector.CallFailed
	if ev.Enriches {
		s.enrich(c, ev)
	} else if !s.answer(c, ev) {
		return
	}
	if isFailed := c.Status == collector.CallFailed; isFailed != failed {
		s.countFailed(c, isFailed)
	}
	c.Changed = true
	t := s.turns[c.Turn]
	if c.Background && t.Status != collector.TurnOpen {
		t.Changed = true // its turn was over before it
		return
	}
	s.touch(t, ev)
	if t == s.last() && len(t.RoundTrips) > 0 {
		s.settleStop(t, t.RoundTrips[len(t.RoundTrips)-1])
	}
}

// answer sets the call's result unless it has one that is as good.
func (s *Session) answer(c *collector.ToolCall, ev *collector.Event) bool {
	if c.Result.Ref.Length > 0 && c.Status != collector.CallInterrupted {
		return false
	}
	if c.Ref != ev.Text.Ref { // else the response made the call by itself, and goes on
		s.cur.Trigger = ev.Time
		s.fresh()
	}
	s.answeredBefore(c, ev)
	enriched := c.Status
	c.Status = cmp.Or(ev.CallStatus, collector.CallOK)
	switch {
	case c.Status == collector.CallOK && (enriched == collector.CallFailed || enriched == collector.CallDenied):
		c.Status = enriched
	case c.Status == collector.CallInterrupted && c.ExitCode != nil && *c.ExitCode == 0:
		c.Status = collector.CallOK // it had ended; only its answer was dropped
	}
	s.began(c, ev.Began)
	c.Result = ev.Text
	c.ResultHash = ev.ResultHash
	c.Error = cmp.Or(ev.Error, c.Error)
	c.Background = ev.Background
	if ev.ExitCode != nil {
		c.ExitCode = ev.ExitCode
	}
	s.endCall(c, ev)
	return true
}

func (s *Session) enrich(c *collector.ToolCall, ev *collector.Event) {
	switch ev.CallStatus {
	case collector.CallFailed, collector.CallDenied, collector.CallInterrupted:
		if c.Status == collector.CallInterrupted {
			break
		}
		c.Status = ev.CallStatus
		c.Error = cmp.Or(ev.Error, c.Error)
	case collector.CallOK:
		if c.Background && c.Status == collector.CallPending {
			c.Status = collector.CallOK
		}
	}
	if ev.ExitCode != nil {
		c.ExitCode = ev.ExitCode
	}
	if c.Result.Bytes == 0 && ev.Text.Bytes > 0 {
		c.Result = ev.Text
	}
	s.endCall(c, ev)
}

// endCall keeps when the call ended and how long it took.
func (s *Session) endCall(c *collector.ToolCall, ev *collector.Event) {
	c.LinesAdded += ev.LinesAdded
	c.LinesRemoved += ev.LinesRemoved
	s.answered(c, ev)
	if ev.Background && !ev.Enriches {
		if c.EndedAt == 0 {
			c.DurationMs = collector.Count{} // how long it took to begin was told by the side
		}
		return // it only began
	}
	switch {
	case ev.Enriches && ev.Late && c.Background: // it too only says how long it took to begin
	case ev.Duration.Quality != collector.QualityUnknown && ev.Duration.Value >= 0:
		c.DurationMs = ev.Duration
		if !ev.Late && ev.Time != 0 {
			c.EndedAt = max(c.StartedAt, ev.Time)
		}
	case ev.Late || ev.Time == 0 || ev.Enriches && c.EndedAt != 0:
	default:
		c.EndedAt = max(c.StartedAt, ev.Time)
		if c.StartedAt != 0 && c.DurationMs.Quality == collector.QualityUnknown && !s.waitedUnknown(c) {
			c.DurationMs = took(c.StartedAt, ev.Time)
		}
	}
}
