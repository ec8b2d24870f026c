package fold

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// usage takes in what one response consumed; EventRoundTripEnd also closes and names the open round trip.
func (s *Session) usage(ev *collector.Event) {
	u := ev.Usage
	if u != nil && u.Cumulative != nil {
		same := s.cur.Running != nil && *s.cur.Running == *u.Cumulative
		total := *u.Cumulative
		s.cur.Running = &total
		s.changed = true
		if same {
			return
		}
	}
	if s.cur.Inheriting && ev.RoundTrip == "" {
		return
	}
	if u != nil {
		s.context(u)
		if t := s.turnOf(ev); u.Rank == collector.UsageCumulative && t != nil && t == s.last() && s.cur.TurnRank > int(u.Rank) {
			return // a better witness told the same
		}
	}
	r := s.usageTrip(ev)
	r.EndedAt = max(r.EndedAt, ev.Time)
	r.Changed = true
	s.note(r, ev)
	if u != nil {
		s.account(r, u)
	}
	t := s.turns[r.Turn]
	if ev.Kind == collector.EventRoundTripEnd {
		s.cur.Trip = -1
		s.fresh()
		if ev.RoundTrip != "" && r.Key == "" {
			r.Key = ev.RoundTrip
			s.tripByKey[r.Key] = r.Seq
		}
	}
	s.touch(t, ev)
	s.settleStop(t, r)
}

// usageTrip finds the round trip that a usage belongs to.
func (s *Session) usageTrip(ev *collector.Event) *collector.RoundTrip {
	if ev.RoundTrip != "" {
		if r := s.named(ev.RoundTrip); r != nil {
			return r
		}
	}
	if ev.RoundTrip != "" && ev.Kind == collector.EventUsage {
		return s.trip(ev, false)
	}
	t := s.working(ev)
	if r := s.openTrip(t); r != nil {
		if ev.Kind == collector.EventRoundTripEnd || r.UsageRank < ev.Usage.Rank {
			return r
		}
	}
	unnamed := *ev
	unnamed.RoundTrip = ""
	r := s.begin(&unnamed, t)
	s.cur.Trip = r.Seq
	s.cur.UsageFirst = true
	return r
}

// account merges a usage into r by rank. The best rank in a turn silences lower ones: they count the same tokens.
func (s *Session) account(r *collector.RoundTrip, u *collector.Usage) {
	t := s.turns[r.Turn]
	rank := int(u.Rank)
	if u.Rank == collector.UsageExact {
		s.cur.Exact = true
	}
	if t == s.last() && rank > s.cur.TurnRank {
		if s.cur.TurnRank == int(collector.UsageCumulative) {
			for _, o := range t.RoundTrips {
				if o.UsageRank == collector.UsageCumulative {
					o.Tokens, o.UsageRank, o.Changed = collector.Tokens{}, collector.UsageNone, true
				}
			}
		}
		s.cur.TurnRank = rank
	}
	switch {
	case u.Rank > r.UsageRank:
		r.Tokens, r.UsageRank = u.Tokens, u.Rank
	case u.Rank == r.UsageRank:
		r.Tokens = r.Tokens.Max(u.Tokens)
	}
	if u.Premium != nil {
		r.Premium = u.Premium
	}
	if u.Credits != nil {
		r.Credits = u.Credits
	}
	if u.CostUSD != nil {
		r.CostUSD = u.CostUSD
	}
	r.Changed = true
	t.Changed = true
}

// context keeps how full the window is after the newest response.
func (s *Session) context(u *collector.Usage) {
	c := u.Context
	if c.Quality == collector.QualityUnknown && u.Rank > collector.UsagePartial {
		c = u.Tokens.Total()
	}
	if c.Quality != collector.QualityUnknown && c != s.row.Context.Tokens {
		s.row.Context.Tokens = c
		s.changed = true
	}
	if u.Window.Quality != collector.QualityUnknown && u.Window != s.row.Context.Window {
		s.row.Context.Window = u.Window
		s.changed = true
	}
}

// sideUsage takes in usage that comes from beside the log, or belongs to no round trip.
func (s *Session) sideUsage(ev *collector.Event) {
	u := ev.Usage
	if u.Rank == collector.UsageTable && !u.Unattributed {
		if ev.Key <= s.cur.TableLast {
			return
		}
		row := tableRow{Tokens: u.Tokens, Model: ev.Model, Premium: u.Premium, Credits: u.Credits}
		n := s.cur.TableSeen
		s.cur.TableSeen++
		s.cur.TableLast = ev.Key
		s.changed = true
		if n < len(s.trips) {
			s.applyRow(s.trips[n], row)
			return
		}
		if s.cur.TableOpen == nil {
			s.cur.TableOpen = map[int]tableRow{}
		}
		s.cur.TableOpen[n] = row
		return
	}
	if s.inherited(ev) || ev.Key != "" && slices.Contains(s.cur.ExtraKeys, ev.Key) {
		return
	}
	if ev.Key != "" {
		s.cur.ExtraKeys = append(s.cur.ExtraKeys, ev.Key)
	}
	s.context(&collector.Usage{Context: u.Context, Window: u.Window})
	x := s.cur.Extra
	if x == nil {
		x = &extra{Tokens: collector.ZeroTokens()}
		s.cur.Extra = x
	}
	if u.Tokens.Known() {
		x.Tokens = x.Tokens.Plus(u.Tokens)
	}
	x.Premium = plus(x.Premium, u.Premium)
	x.Credits = plus(x.Credits, u.Credits)
	s.changed = true
}

func (s *Session) applyRow(r *collector.RoundTrip, row tableRow) {
	if r.UsageRank >= collector.UsageTable {
		return
	}
	r.Tokens, r.UsageRank = row.Tokens, collector.UsageTable
	r.Premium, r.Credits = row.Premium, row.Credits
	if r.Model == "" {
		r.Model = row.Model
	}
	r.Changed = true
	s.turns[r.Turn].Changed = true
}

func plus(a, b *collector.Amount) *collector.Amount {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	sum := a.Plus(*b)
	return &sum
}
