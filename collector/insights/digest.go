// Package insights sums up many sessions. A session's turns are digested into a roll-up, a few hundred bytes that are
// stored with it; roll-ups are merged when somebody asks. It does no I/O and knows no agent.
package insights

import (
	"cmp"
	"maps"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Digest returns the roll-up of all turns of one session, which must have their parts. Inherited and duplicated parts are
// left out, as from totals. Without a cost models have none.
func Digest(turns []*collector.Turn, cost Cost) []byte {
	tools := map[string]*toolSums{}
	models := map[string]*modelSums{}
	flags := map[collector.FlagKind]*flagSums{}
	quarters := map[int64]*quarterSums{}
	for _, t := range turns {
		digestCalls(tools, t)
		digestTrips(models, t, cost)
		digestFlags(flags, t)
		if t.StartedAt > 0 && !t.Inherited {
			q := t.StartedAt / quarterMs
			if quarters[q] == nil {
				quarters[q] = &quarterSums{q, collector.ZeroTotals()}
			}
			quarters[q].totals = quarters[q].totals.Plus(own(t.Totals))
		}
	}
	r := rollup{sorted(tools), sorted(models), sorted(flags), sorted(quarters)}
	return r.encode()
}

// sorted returns the values by key, so that equal turns make equal bytes.
func sorted[K cmp.Ordered, V any](m map[K]*V) []V {
	all := make([]V, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, *m[k])
	}
	return all
}

func digestCalls(tools map[string]*toolSums, t *collector.Turn) {
	for _, c := range t.ToolCalls {
		if c.Inherited {
			continue
		}
		s := tools[c.Tool]
		if s == nil {
			s = &toolSums{tool: c.Tool, category: c.Category}
			tools[c.Tool] = s
		}
		s.calls++
		if c.Status == collector.CallFailed {
			s.failed++
		}
		if c.DurationMs.Quality == collector.QualityExact {
			s.totalMs += c.DurationMs.Value
			s.times.add(classOf(c.DurationMs.Value), 1)
		}
	}
	for _, f := range t.Flags {
		if f.Kind != collector.FlagRetry || f.At.Kind != collector.TargetCall {
			continue
		}
		if c := callOf(t, f.At.Seq); c != nil && tools[c.Tool] != nil {
			tools[c.Tool].retries++
		}
	}
}

// callOf returns the turn's call of that number. Calls mostly stand in order without a gap.
func callOf(t *collector.Turn, seq int) *collector.ToolCall {
	if len(t.ToolCalls) == 0 {
		return nil
	}
	if i := seq - t.ToolCalls[0].Seq; i >= 0 && i < len(t.ToolCalls) && t.ToolCalls[i].Seq == seq {
		return t.ToolCalls[i]
	}
	i := slices.IndexFunc(t.ToolCalls, func(c *collector.ToolCall) bool { return c.Seq == seq })
	if i < 0 {
		return nil
	}
	return t.ToolCalls[i]
}

// own returns a turn's totals without what its sub-agents consumed: they have roll-ups of their own. What remains of a
// number for both is not known.
func own(n collector.Totals) collector.Totals {
	if n.OfTree {
		n.Tokens = collector.Tokens{}
		if n.CostUSD != nil {
			n.CostUSD = &collector.Amount{}
		}
	}
	return n
}

func digestTrips(models map[string]*modelSums, t *collector.Turn, cost Cost) {
	of := func(model string) *modelSums {
		m := models[model]
		if m == nil {
			m = &modelSums{model: model, tokens: collector.ZeroTokens()}
			models[model] = m
		}
		return m
	}
	if n := own(t.Totals); n.OfTurn && !t.Inherited {
		m := of(t.Model)
		m.tokens = m.tokens.Plus(n.Tokens)
		m.cost = plus(m.cost, n.CostUSD)
	}
	for _, r := range t.RoundTrips {
		if !r.Counts() {
			continue
		}
		m := of(r.Model)
		m.roundTrips++
		if t.Totals.OfTurn {
			continue
		}
		m.tokens = m.tokens.Plus(r.Tokens)
		// As in a turn's totals: what is billed in other units has no price.
		if r.CostUSD != nil {
			m.cost = plus(m.cost, r.CostUSD)
			continue
		}
		if cost != nil && t.Totals.CostUSD != nil && r.Premium == nil && r.Credits == nil {
			c := cost(r.Model, r.Tokens)
			m.cost = plus(m.cost, &c)
		}
	}
}

func digestFlags(flags map[collector.FlagKind]*flagSums, t *collector.Turn) {
	if t.Inherited {
		return
	}
	seen := map[collector.FlagKind]bool{}
	for _, f := range t.Flags {
		s := flags[f.Kind]
		if s == nil {
			s = &flagSums{kind: f.Kind}
			flags[f.Kind] = s
		}
		s.count++
		if !seen[f.Kind] {
			seen[f.Kind] = true
			s.turns++
		}
	}
}
