package fold

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// Judges say what fold itself does not know.
type Judges struct {
	Analyzers []collector.Analyzer
	// Cost prices a round trip in USD; nil leaves costs out.
	Cost func(model string, t collector.Tokens) collector.Amount
}

// Changes is what differs from the stored rows.
type Changes struct {
	Session    *collector.Session // nil = no change
	Turns      []*collector.Turn
	Before     [][]collector.Flag // the flags that each of Turns had
	RoundTrips []*collector.RoundTrip
	Calls      []*collector.ToolCall
	Markers    []*collector.Marker
	Cursor     []byte
}

// Empty reports whether there is nothing to store.
func (c Changes) Empty() bool { return c.Session == nil }

// Settle brings totals and flags up to date and returns what changed since the last time. The caller stores it, and
// drops the Session if that fails.
func (s *Session) Settle(j Judges) Changes {
	var ch Changes
	for _, t := range s.turns {
		if !t.Changed && !s.partsChanged(t) {
			continue
		}
		s.total(t, j)
		ch.Before = append(ch.Before, t.Flags)
		t.Flags = t.Flags[:0:0]
		for _, a := range j.Analyzers {
			t.Flags = append(t.Flags, a.Run(t)...)
		}
		t.Totals.Flags = len(t.Flags)
		t.Changed = false
		ch.Turns = append(ch.Turns, t)
		collect(&ch.RoundTrips, t.RoundTrips, func(r *collector.RoundTrip) *bool { return &r.Changed })
		collect(&ch.Calls, t.ToolCalls, func(c *collector.ToolCall) *bool { return &c.Changed })
	}
	collect(&ch.Markers, s.markers, func(m *collector.Marker) *bool { return &m.Changed })
	cursor := s.cur.encode()
	if len(ch.Turns) == 0 && len(ch.Markers) == 0 && !s.changed && xxhash.Sum64(cursor) == s.settled {
		return ch
	}
	s.settled = xxhash.Sum64(cursor)
	s.changed = false
	s.sessionTotals()
	ch.Session = &s.row
	ch.Cursor = cursor
	return ch
}

// asks returns what the open turn waits for a human to say, "" = nothing.
func (s *Session) asks() string {
	t := s.last()
	if t == nil || t.Status != collector.TurnOpen {
		return ""
	}
	for i := len(t.Markers) - 1; i >= 0; i-- {
		if m := t.Markers[i]; m.Kind == collector.MarkerPermission && m.Status == collector.MarkerPending {
			return cmp.Or(m.Name, "permission")
		}
	}
	return ""
}

func (s *Session) partsChanged(t *collector.Turn) bool {
	return t == s.last() && (slices.ContainsFunc(t.RoundTrips, func(r *collector.RoundTrip) bool { return r.Changed }) ||
		slices.ContainsFunc(t.ToolCalls, func(c *collector.ToolCall) bool { return c.Changed }))
}

func collect[T any](dst *[]T, items []T, changed func(T) *bool) {
	for _, it := range items {
		if c := changed(it); *c {
			*c = false
			*dst = append(*dst, it)
		}
	}
}

// total sums up one turn.
func (s *Session) total(t *collector.Turn, j Judges) {
	n := collector.ZeroTotals()
	t.Calls = map[collector.Category]int{}
	if !t.Inherited {
		n.Turns = 1
	}
	var cost *collector.Amount
	unpriced := false
	for _, r := range t.RoundTrips {
		if !r.Counts() {
			continue
		}
		if !r.Compaction {
			n.RoundTrips++
		}
		n.PremiumRequests = plus(n.PremiumRequests, r.Premium)
		n.Credits = plus(n.Credits, r.Credits)
		if !t.Totals.OfTurn {
			n.Tokens = n.Tokens.Plus(r.Tokens)
		}
		switch {
		case r.CostUSD != nil:
			cost = plus(cost, r.CostUSD)
		case j.Cost == nil || r.Premium != nil || r.Credits != nil || t.Totals.OfTurn:
		case !r.Tokens.Known():
			unpriced = true
		default:
			c := j.Cost(r.Model, r.Tokens)
			cost = plus(cost, &c)
		}
	}
	if cost != nil && unpriced {
		sum := cost.Plus(collector.Amount{})
		cost = &sum
	}
	if t.Totals.OfTurn && !t.Inherited {
		n.Tokens, n.OfTurn, n.OfTree = t.Totals.Tokens, true, t.Totals.OfTree
		if j.Cost != nil {
			c := j.Cost(t.Model, n.Tokens)
			cost = &c
		}
	}
	if n.PremiumRequests == nil && n.Credits == nil {
		n.CostUSD = cost
	}
	for _, c := range t.ToolCalls {
		t.Calls[c.Category]++
		if c.Inherited {
			continue
		}
		n.Calls++
		if c.Status == collector.CallFailed {
			n.FailedCalls++
		}
		n.LinesAdded += c.LinesAdded
		n.LinesRemoved += c.LinesRemoved
	}
	for _, m := range t.Markers {
		if m.Inherited {
			continue
		}
		if m.Kind == collector.MarkerCompaction && m.Status == collector.MarkerOK {
			n.Compactions++
		}
		if m.Status == collector.MarkerFailed {
			n.Errors++
		}
	}
	if !t.Inherited {
		n.Clocks = clocks(t)
	}
	t.Totals = n
}

// sessionTotals sums up the turns, then lets the agent's own account fill in what they do not know.
func (s *Session) sessionTotals() {
	n := collector.ZeroTotals()
	for _, t := range s.turns {
		n = n.Plus(t.Totals)
	}
	s.ofTree(&n)
	if !s.cur.Exact {
		for _, row := range s.cur.TableOpen {
			n.Tokens = n.Tokens.Plus(row.Tokens)
			n.PremiumRequests = plus(n.PremiumRequests, row.Premium)
			n.Credits = plus(n.Credits, row.Credits)
		}
	}
	if b := s.cur.Books; b != nil {
		s.applyBooks(&n, b)
	}
	if x := s.cur.Extra; x != nil { // no account has it
		n.Tokens = n.Tokens.Plus(x.Tokens)
		n.PremiumRequests = plus(n.PremiumRequests, x.Premium)
		n.Credits = plus(n.Credits, x.Credits)
	}
	s.row.Totals = n
	s.row.State = collector.SessionEnded
	if t := s.last(); t != nil && t.Status == collector.TurnOpen && !t.Inherited && !t.Rewound {
		s.row.State = collector.SessionCrashed // unless a process holds it
	}
	s.row.WaitingFor = s.asks()
	s.row.TopTools = s.topTools()
}

const topTools = 8

func (s *Session) topTools() []collector.ToolCount {
	all := make([]collector.ToolCount, 0, len(s.tools))
	for _, t := range s.tools {
		all = append(all, *t)
	}
	slices.SortFunc(all, func(a, b collector.ToolCount) int {
		return cmp.Or(b.Calls-a.Calls, cmp.Compare(a.Tool, b.Tool))
	})
	return all[:min(len(all), topTools)]
}
