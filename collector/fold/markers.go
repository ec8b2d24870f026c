package fold

import (
	"cmp"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// marker takes in a marker, or the second half of one.
func (s *Session) marker(ev *collector.Event) {
	if i, known := s.markerByKey[ev.Key]; known && ev.Key != "" {
		s.completeMarker(s.markers[i], ev)
		return
	}
	m := &collector.Marker{
		Seq:        len(s.markers),
		Turn:       s.markerTurn(ev),
		Kind:       ev.Marker,
		Key:        ev.Key,
		Name:       ev.Name,
		Text:       ev.Text,
		Status:     cmp.Or(ev.MarkerStatus, collector.MarkerOK),
		At:         ev.Time,
		DurationMs: ev.Duration,
		Call:       ev.Call,
		PreTokens:  ev.PreTokens,
		PostTokens: ev.PostTokens,
		Source:     ev.Source,
		Inherited:  s.inherited(ev),
		Ref:        ev.Text.Ref,
		Changed:    true,
	}
	s.markers = append(s.markers, m)
	if m.Key != "" {
		s.markerByKey[m.Key] = m.Seq
	}
	if m.Turn < len(s.turns) {
		t := s.turns[m.Turn]
		t.Markers = append(t.Markers, m)
		t.Changed = true
	}
	s.changed = true
	if r := s.named(ev.RoundTrip); r != nil && m.Kind == collector.MarkerCompaction {
		r.Compaction, r.Changed = true, true // it made the summary, it is no work of the turn
		s.turns[r.Turn].Changed = true
	}
	s.compacted(m)
	s.waited(m)
}

// markerTurn is the turn that a marker belongs to: the named or the open one; between turns, the next.
func (s *Session) markerTurn(ev *collector.Event) int {
	t := s.turnOf(ev)
	if t == nil {
		return len(s.turns)
	}
	if ev.Turn == "" && t.Status != collector.TurnOpen && ev.Marker == collector.MarkerHook && s.cur.Tentative == nil {
		return s.hookTurn(t, ev)
	}
	return t.Index
}

// hookTurn places a hook that ran while no turn was open: hooks of a turn's end are written within moments of it,
// those of the next one's beginning come later.
func (s *Session) hookTurn(t *collector.Turn, ev *collector.Event) int {
	const moments = 30_000 // ms
	if ev.Time != 0 && t.EndedAt != 0 && ev.Time-t.EndedAt > moments {
		return len(s.turns)
	}
	return t.Index
}

func (s *Session) completeMarker(m *collector.Marker, ev *collector.Event) {
	m.Changed = true
	m.Source = cmp.Or(m.Source, ev.Source)
	m.Name = cmp.Or(m.Name, ev.Name)
	m.PreTokens = m.PreTokens.Max(ev.PreTokens)
	m.PostTokens = m.PostTokens.Max(ev.PostTokens)
	if m.Status != collector.MarkerPending {
		return
	}
	m.Status = cmp.Or(ev.MarkerStatus, collector.MarkerOK)
	if ev.Text.Bytes > 0 {
		m.Text = ev.Text
	}
	m.Call = cmp.Or(m.Call, ev.Call)
	switch {
	case ev.Duration.Quality != collector.QualityUnknown && ev.Duration.Value >= 0:
		m.DurationMs = ev.Duration
	case m.At != 0 && ev.Time != 0:
		m.DurationMs = took(m.At, ev.Time)
	}
	if m.Turn < len(s.turns) {
		s.turns[m.Turn].Changed = true
	}
	s.compacted(m)
	s.waited(m)
}

// compacted lists the calls that were in flight when history was compacted.
func (s *Session) compacted(m *collector.Marker) {
	if m.Kind != collector.MarkerCompaction || m.Status == collector.MarkerPending || m.Turn >= len(s.turns) {
		return
	}
	for _, c := range s.turns[m.Turn].ToolCalls {
		if c.Status == collector.CallPending && !c.Background {
			m.InFlight = append(m.InFlight, c.Seq)
		}
	}
}

// answeredBefore takes a call off the lists of those that were in flight when history was compacted, if its answer came
// before that and was only written later: some agents' logs are not in the order of time.
func (s *Session) answeredBefore(c *collector.ToolCall, ev *collector.Event) {
	for _, m := range s.turns[c.Turn].Markers {
		if m.Kind != collector.MarkerCompaction || ev.Late || ev.Time == 0 || ev.Time >= m.At {
			continue
		}
		if i := slices.Index(m.InFlight, c.Seq); i >= 0 {
			m.InFlight = slices.Delete(m.InFlight, i, i+1)
			m.Changed = true
		}
	}
}

// answered ends the wait for a human that a call's answer ends.
func (s *Session) answered(c *collector.ToolCall, ev *collector.Event) {
	for _, m := range s.turns[c.Turn].Markers {
		if m.Kind == collector.MarkerPermission && m.Call == c.Key && m.Status == collector.MarkerPending {
			s.completeMarker(m, &collector.Event{Time: ev.Time})
		}
	}
}

// waitedUnknown reports whether a human was asked about the call for a time that the log does not state.
func (s *Session) waitedUnknown(c *collector.ToolCall) bool {
	return slices.ContainsFunc(s.turns[c.Turn].Markers, func(m *collector.Marker) bool {
		return m.Kind == collector.MarkerPermission && m.Call == c.Key && m.Status != collector.MarkerPending &&
			m.DurationMs.Quality == collector.QualityUnknown
	})
}

// waited adds the time that a human was asked to the call that waited.
func (s *Session) waited(m *collector.Marker) {
	if m.Kind != collector.MarkerPermission || m.Status == collector.MarkerPending || m.Call == "" {
		return
	}
	if i, known := s.callByKey[m.Call]; known {
		c := s.calls[i]
		c.WaitMs += m.DurationMs.Value
		c.Changed = true
		if m.DurationMs.Quality == collector.QualityUnknown {
			c.DurationMs = collector.Count{} // how much of it was the human's, the log does not say
		}
	}
}
