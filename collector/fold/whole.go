package fold

import "github.com/turnwatch/turnwatch/collector"

// turnUsage keeps what the agent says that a turn consumed as a whole, unless its responses say what each did.
func (s *Session) turnUsage(t *collector.Turn, ev *collector.Event) {
	if ev.Usage == nil {
		return
	}
	s.context(&collector.Usage{Context: ev.Usage.Context, Window: ev.Usage.Window})
	for _, r := range t.RoundTrips {
		if r.UsageRank > collector.UsagePartial {
			return
		}
	}
	t.Totals.Tokens, t.Totals.OfTurn, t.Totals.OfTree = ev.Usage.Tokens, true, ev.Usage.OfTree
	if ev.Model != "" {
		t.Model = ev.Model
	}
	t.Changed = true
}

// ofTree says of a session's totals whether they are its tree's, since a turn's are. Sub-agents that another turn asked
// and did not wait for are then missing in them.
func (s *Session) ofTree(n *collector.Totals) {
	missing := false
	for _, t := range s.turns {
		n.OfTree = n.OfTree || t.Totals.OfTree
		missing = missing || !t.Totals.OfTree && t.Calls[collector.CategoryAgent] > 0
	}
	if !n.OfTree || !missing {
		return
	}
	for _, c := range []*collector.Count{&n.Tokens.Input, &n.Tokens.CacheRead, &n.Tokens.CacheWrite5m, &n.Tokens.CacheWrite1h, &n.Tokens.Output, &n.Tokens.Reasoning} {
		c.Quality = min(c.Quality, collector.QualityPartial)
	}
}
