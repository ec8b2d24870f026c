package fold

import "github.com/turnwatch/turnwatch/collector"

// books is what the agent accounted for: the sum of closed segments, or the last running account.
type books struct {
	Sum     collector.Accounting `json:"s"`
	Covered int                  `json:"c"`           // round trips up to the last account
	Gap     bool                 `json:"g,omitempty"` // a segment before it was never accounted for
}

// book takes in what the agent accounted for.
func (s *Session) book(a *collector.Accounting) {
	s.changed = true
	b := s.cur.Books
	if s.wholeAccount(a) {
		s.cur.Books = &books{Sum: *a, Covered: len(s.trips)}
		return
	}
	if b == nil {
		s.cur.Books = &books{Sum: *a, Covered: len(s.trips), Gap: s.cur.Segment > 0}
		return
	}
	b.Sum.RoundTrips += a.RoundTrips
	b.Sum.Tokens = b.Sum.Tokens.Plus(a.Tokens)
	b.Sum.Premium = plus(b.Sum.Premium, a.Premium)
	b.Sum.Credits = plus(b.Sum.Credits, a.Credits)
	b.Sum.CostUSD = plus(b.Sum.CostUSD, a.CostUSD)
	b.Sum.Tree = b.Sum.Tree || a.Tree
	b.Gap = b.Gap || b.Covered < s.cur.Segment
	b.Covered = len(s.trips)
}

// wholeAccount reports whether an account covers the session, and not its segment only. One of unsure scope shows it in
// how many round trips it names: those since the account before, or that many more; and what was consumed never shrinks.
func (s *Session) wholeAccount(a *collector.Accounting) bool {
	if a.Cumulative != collector.Unsure {
		return a.Cumulative == collector.Yes
	}
	before, since := s.cur.Segment, len(s.trips)-s.cur.Segment
	if b := s.cur.Books; b != nil {
		if shrunk(b.Sum.Tokens, a.Tokens) {
			return false
		}
		before, since = b.Sum.RoundTrips, len(s.trips)-b.Covered
	}
	return distance(a.RoundTrips, before+since) < distance(a.RoundTrips, since)
}

// shrunk reports whether a class that both know is smaller in the second.
func shrunk(before, after collector.Tokens) bool {
	less := func(a, b collector.Count) bool { return a.Quality != 0 && b.Quality != 0 && b.Value < a.Value }
	return less(before.Input, after.Input) || less(before.CacheRead, after.CacheRead) || less(before.CacheWrite5m, after.CacheWrite5m) ||
		less(before.CacheWrite1h, after.CacheWrite1h) || less(before.Output, after.Output) || less(before.Reasoning, after.Reasoning)
}

func distance(a, b int) int {
	if a > b {
		return a - b
	}
	return b - a
}

// applyBooks replaces what the round trips do not know exactly by the agent's account, and all if the account is of the
// tree. Round trips since then make it a lower bound.
func (s *Session) applyBooks(n *collector.Totals, b *books) {
	covers := b.Covered >= len(s.trips) && !b.Gap
	tree := b.Sum.Tree
	class := func(have *collector.Count, booked collector.Count) {
		switch {
		case booked.Quality == collector.QualityUnknown:
			if tree {
				have.Quality = min(have.Quality, collector.QualityPartial) // the descendants' share is missing
			}
			return
		case have.Quality == collector.QualityExact && n.RoundTrips > 0 && !tree:
			return
		}
		if !covers {
			booked.Quality = collector.QualityPartial
		}
		if !covers || tree {
			booked.Value = max(booked.Value, have.Value)
		}
		*have = booked
	}
	class(&n.Tokens.Input, b.Sum.Tokens.Input)
	class(&n.Tokens.CacheRead, b.Sum.Tokens.CacheRead)
	class(&n.Tokens.CacheWrite5m, b.Sum.Tokens.CacheWrite5m)
	class(&n.Tokens.CacheWrite1h, b.Sum.Tokens.CacheWrite1h)
	class(&n.Tokens.Output, b.Sum.Tokens.Output)
	class(&n.Tokens.Reasoning, b.Sum.Tokens.Reasoning)
	amount := func(have **collector.Amount, booked *collector.Amount, tree bool) {
		if booked == nil || *have != nil && (*have).Quality == collector.QualityExact && !covers && !tree {
			return
		}
		v := *booked
		if !covers && v.Quality == collector.QualityExact {
			v.Quality = collector.QualityPartial
		}
		if tree && *have != nil && v.Quality != collector.QualityUnknown {
			v.Value = max(v.Value, (*have).Value)
		}
		*have = &v
	}
	amount(&n.PremiumRequests, b.Sum.Premium, false)
	amount(&n.Credits, b.Sum.Credits, tree)
	n.OfTree = n.OfTree || tree
}
