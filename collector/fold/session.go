// Package fold turns events into sessions, turns, round trips, tool calls and markers. It is the only state machine in
// Turnwatch: sources say what a record said, fold alone decides what a turn is. It does no I/O and knows no agent.
//
// A Session is fed the events of its log in order. What it was fed, cut into pieces at any record and continued from
// the stored rows and cursor (Restore), gives the same rows as being fed at once.
package fold

import (
	"github.com/cespare/xxhash/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// Session folds the events of one session.
type Session struct {
	row     collector.Session
	turns   []*collector.Turn
	trips   []*collector.RoundTrip
	calls   []*collector.ToolCall
	markers []*collector.Marker

	turnByKey   map[string]int
	promptByKey map[string]int
	tripByKey   map[string]int
	callByKey   map[string]int
	markerByKey map[string]int
	tools       map[string]*collector.ToolCount

	cur       cursor
	textLimit int
	orphans   int
	changed   bool
	settled   uint64 // hash of the cursor as last settled: some events change nothing else
	claims    []*collector.RoundTrip
}

// New returns the fold of a session of which nothing is known yet. Texts are cut to collector.PreviewBytes.
func New(id collector.SessionID) *Session {
	s := &Session{
		row:         collector.Session{ID: id, Agent: id.Agent(), Totals: collector.ZeroTotals()},
		turnByKey:   map[string]int{},
		promptByKey: map[string]int{},
		tripByKey:   map[string]int{},
		callByKey:   map[string]int{},
		markerByKey: map[string]int{},
		tools:       map[string]*collector.ToolCount{},
		textLimit:   collector.PreviewBytes,
		changed:     true,
	}
	s.cur.Trip = -1
	return s
}

// NewFull returns a fold that keeps whole texts, for reading a session again.
func NewFull(id collector.SessionID) *Session {
	s := New(id)
	s.textLimit = 0
	return s
}

// Restore returns the fold that wrote row, turns (with their parts) and cursor. It takes them over.
func Restore(row *collector.Session, turns []*collector.Turn, cursor []byte) (*Session, error) {
	s := New(row.ID)
	s.row = *row
	s.changed = false
	s.settled = xxhash.Sum64(cursor)
	if err := s.cur.decode(cursor); err != nil {
		return nil, err
	}
	for _, t := range turns {
		s.indexTurn(t)
		s.turns = append(s.turns, t)
		s.trips = append(s.trips, t.RoundTrips...)
		s.calls = append(s.calls, t.ToolCalls...)
		s.markers = append(s.markers, t.Markers...)
	}
	sortBySeq(s.trips, func(r *collector.RoundTrip) int { return r.Seq })
	sortBySeq(s.calls, func(c *collector.ToolCall) int { return c.Seq })
	sortBySeq(s.markers, func(m *collector.Marker) int { return m.Seq })
	for _, r := range s.trips {
		if r.Key != "" {
			s.tripByKey[r.Key] = r.Seq
		}
	}
	for _, c := range s.calls {
		s.callByKey[c.Key] = c.Seq
		s.countTool(c, +1)
	}
	for _, m := range s.markers {
		if m.Key != "" {
			s.markerByKey[m.Key] = m.Seq
		}
	}
	return s, nil
}

// Renew returns an empty fold of the session for reading its log anew. It keeps what other streams said.
func Renew(old *collector.Session) *Session {
	s := New(old.ID)
	s.row.Parent, s.row.ParentCall, s.row.ForkedFrom, s.row.Role = old.Parent, old.ParentCall, old.ForkedFrom, old.Role
	if old.TitleRank > collector.TitlePrompt {
		s.row.Title, s.row.TitleRank = old.Title, old.TitleRank
	}
	return s
}

// RestoreMarkers adds the markers that wait for a turn that has not begun.
func (s *Session) RestoreMarkers(waiting []*collector.Marker) {
	for _, m := range waiting {
		s.markers = append(s.markers, m)
		if m.Key != "" {
			s.markerByKey[m.Key] = m.Seq
		}
	}
	sortBySeq(s.markers, func(m *collector.Marker) int { return m.Seq })
}

// Row returns the session's own row; Settle brings its totals up to date.
func (s *Session) Row() *collector.Session { return &s.row }

// Turns returns the turns with all their parts.
func (s *Session) Turns() []*collector.Turn { return s.turns }

// Cursor returns the state beside the rows that Restore needs.
func (s *Session) Cursor() []byte { return s.cur.encode() }

// Orphans returns, and forgets, how many results answered no known call since it was last asked.
func (s *Session) Orphans() int {
	n := s.orphans
	s.orphans = 0
	return n
}

// SawLog notes that the session has a log, and where: only then it is shown.
func (s *Session) SawLog(path string) {
	if s.row.Path != path {
		s.row.Path = path
		s.changed = true
	}
}

// Apply takes in one event of the record at ref.
func (s *Session) Apply(ev *collector.Event, ref collector.Ref) {
	ev.Text.Ref = ref
	ev.Args.Ref = ref
	switch ev.Kind {
	case collector.EventFacts:
		s.facts(ev)
		return
	case collector.EventUnknown, collector.EventMalformed:
		return
	}
	if ev.Usage != nil && (ev.Usage.Unattributed || ev.Usage.Rank == collector.UsageTable) {
		s.sideUsage(ev)
		return
	}
	s.seen(ev)
	switch ev.Kind {
	case collector.EventInherit:
		s.cur.Inheriting, s.cur.InheritAt = true, ev.Time
		s.changed = true
	case collector.EventPrompt:
		s.prompt(ev)
	case collector.EventTurnStart:
		s.turnStart(ev)
	case collector.EventTurnEnd:
		s.turnEnd(ev)
	case collector.EventRoundTripStart:
		s.cur.AskedAt = ev.Time
		s.fresh()
	case collector.EventText:
		s.text(ev)
	case collector.EventUsage, collector.EventRoundTripEnd:
		s.usage(ev)
	case collector.EventCall:
		s.call(ev)
	case collector.EventResult:
		s.result(ev)
	case collector.EventMarker:
		s.marker(ev)
	case collector.EventRewind:
		s.rewind(ev)
	}
}

// seen keeps the session's first and last time.
func (s *Session) seen(ev *collector.Event) {
	if ev.Time == 0 {
		return
	}
	if s.row.StartedAt == 0 || s.cur.Fallback&fallbackStart != 0 {
		s.row.StartedAt = ev.Time
		s.cur.Fallback &^= fallbackStart
		s.changed = true
	}
	if ev.Time > s.row.LastAt {
		s.row.LastAt = ev.Time
		s.changed = true
	}
}

// inherited reports whether the event belongs to copied history.
func (s *Session) inherited(ev *collector.Event) bool { return ev.Inherited || s.cur.Inheriting }

// Parts returns how many round trips, calls and markers are in memory.
func (s *Session) Parts() int { return len(s.trips) + len(s.calls) + len(s.markers) }

// SetGone notes that the log is no longer there, or is again; it reports whether that is news.
func (s *Session) SetGone(gone bool) bool {
	if s.row.Gone == gone {
		return false
	}
	s.row.Gone = gone
	s.changed = true
	return true
}
