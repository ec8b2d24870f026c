package fold

import (
	"cmp"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// Claims returns, and forgets, the new round trips whose names are unique over all sessions of the agent. Whoever
// keeps the sessions decides which one owns such a name, and disowns the others.
func (s *Session) Claims() []*collector.RoundTrip {
	c := s.claims
	s.claims = nil
	return c
}

// Shows reports whether the session shows a round trip of that name.
func (s *Session) Shows(key string) bool {
	_, known := s.tripByKey[key]
	return known
}

// Disown notes that the round trip named key belongs to owner and is a copy here; owner "" takes that back. It
// reports whether that is news.
func (s *Session) Disown(key string, owner collector.SessionID) bool {
	i, known := s.tripByKey[key]
	if !known || s.trips[i].DuplicateOf == owner {
		return false
	}
	r := s.trips[i]
	r.DuplicateOf = owner
	r.Changed = true
	s.turns[r.Turn].Changed = true
	return true
}

// ByOwnership orders sessions by who owns a round trip that both show: a root before a child, the one that began
// first, then the smaller id.
func ByOwnership[E any](row func(E) *collector.Session) func(a, b E) int {
	return func(x, y E) int {
		a, b := row(x), row(y)
		child := func(s *collector.Session) int { return strings.Count(string(s.ID), "~") }
		return cmp.Or(child(a)-child(b), cmp.Compare(a.StartedAt, b.StartedAt), cmp.Compare(a.ID, b.ID))
	}
}
