package metrics

import (
	"cmp"
	"strconv"

	"github.com/turnwatch/turnwatch/collector"
)

// countedTrip is what was counted of a round trip. Usage may be told several times, and grow; a counter never shrinks.
type countedTrip struct {
	itself  bool
	tokens  [len(tokenTypes)]int64
	cost    float64
	premium float64
}

var tokenTypes = [...]string{"input", "output", "cache_read", "cache_write", "reasoning"}

func byType(t collector.Tokens) [len(tokenTypes)]int64 {
	return [...]int64{t.Input.Value, t.Output.Value, t.CacheRead.Value, t.CacheWrite5m.Plus(t.CacheWrite1h).Value, t.Reasoning.Value}
}

func (s *subject) trip(r *collector.RoundTrip) {
	at := cmp.Or(r.EndedAt, r.StartedAt)
	if !r.Counts() || !s.window.has(at) || r.Turn >= len(s.Turns) {
		return
	}
	t := s.Turns[r.Turn]
	if r.Model == "" && t.Status == collector.TurnOpen {
		return // it may still be named, and what is counted has a name for good
	}
	c := s.m.trips.of(s.tripName(t, r), at)
	if c == nil {
		return
	}
	model := s.m.labels.model(r.Model)
	if !c.itself && !r.Compaction {
		s.m.count.roundTrips.WithLabelValues(s.agent, model).Inc()
	}
	c.itself = true
	s.consumed(r.Tokens, c, model)
	s.billed(r, c, model)
}

// whole counts what a turn consumed whose agent says that, and of no response what it did. In a number that is its
// sub-agents' too, its own share is not known.
func (s *subject) whole(t *collector.Turn, c *countedTrip) {
	if !t.Totals.OfTurn || t.Totals.OfTree {
		return
	}
	model := s.m.labels.model(t.Model)
	s.consumed(t.Totals.Tokens, c, model)
	if s.m.cfg.Cost != nil {
		s.spent(s.m.cfg.Cost(t.Model, t.Totals.Tokens).Value, c, model)
	}
}

func (s *subject) consumed(tokens collector.Tokens, c *countedTrip, model string) {
	for i, n := range byType(tokens) {
		if more := n - c.tokens[i]; more > 0 {
			c.tokens[i] = n
			s.m.count.tokens.WithLabelValues(s.agent, model, tokenTypes[i]).Add(float64(more))
		}
	}
}

func (s *subject) spent(usd float64, c *countedTrip, model string) {
	if usd > c.cost {
		s.m.count.cost.WithLabelValues(s.agent, model).Add(usd - c.cost)
		c.cost = usd
	}
}

// billed counts what the round trip cost in the unit that its agent bills in. Usage that names some classes only has no
// price yet.
func (s *subject) billed(r *collector.RoundTrip, c *countedTrip, model string) {
	if r.Premium != nil {
		if more := r.Premium.Value - c.premium; more > 0 {
			c.premium = r.Premium.Value
			s.m.count.premium.WithLabelValues(s.agent).Add(more)
		}
		return
	}
	if r.CostUSD != nil {
		s.spent(r.CostUSD.Value, c, model)
		return
	}
	if s.m.cfg.Cost == nil || r.Credits != nil || r.UsageRank <= collector.UsagePartial {
		return
	}
	s.spent(s.m.cfg.Cost(r.Model, r.Tokens).Value, c, model)
}

func (s *subject) tripName(t *collector.Turn, r *collector.RoundTrip) uint64 {
	if s.Global[r] {
		return nameOf(s.agent, r.Key)
	}
	// Its key may come with its end, so it is named by its place in its turn.
	return nameOf(string(s.Session.ID), turnName(t), strconv.Itoa(r.Seq-t.RoundTrips[0].Seq))
}

// countedCall is what was counted of a tool call.
type countedCall struct{ itself, duration bool }

func (s *subject) call(c *collector.ToolCall) {
	at := cmp.Or(c.EndedAt, c.StartedAt)
	if c.Status == collector.CallPending || c.Inherited || !s.window.has(at) || c.Turn >= len(s.Turns) {
		return
	}
	t := s.Turns[c.Turn]
	if r := bySeq(t.RoundTrips, c.RoundTrip, func(r *collector.RoundTrip) int { return r.Seq }); r != nil && !r.Counts() {
		return // another session's call
	}
	done := s.m.calls.of(s.callName(t, c), at)
	if done == nil {
		return
	}
	tool := s.m.labels.tool(c)
	if !done.itself {
		done.itself = true
		s.m.count.toolCalls.WithLabelValues(s.agent, tool, string(c.Status)).Inc()
	}
	ran := c.Status == collector.CallOK || c.Status == collector.CallFailed
	if ran && !done.duration && c.DurationMs.Quality != collector.QualityUnknown {
		done.duration = true
		s.m.count.callDuration.WithLabelValues(s.agent, tool).Observe(float64(c.DurationMs.Value) / 1000)
	}
}

// callName names a call by its id and its turn: models may give ids again later.
func (s *subject) callName(t *collector.Turn, c *collector.ToolCall) uint64 {
	if c.Key == "" {
		return nameOf(string(s.Session.ID), turnName(t), "", strconv.Itoa(c.Seq-t.ToolCalls[0].Seq))
	}
	return nameOf(string(s.Session.ID), turnName(t), c.Key)
}
