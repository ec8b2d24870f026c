package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// counts compares the store with the manifest, and returns the newest 50 sessions.
func (b *bench) counts(d *daemon, m *corpus.Manifest) ([]collector.SessionID, error) {
	all, err := d.sessions()
	if err != nil {
		return nil, err
	}
	sums := map[string]collector.Totals{}
	roots := map[string]int{}
	for _, s := range all {
		agent := string(s.Agent)
		if _, ok := sums[agent]; !ok {
			sums[agent] = collector.ZeroTotals()
		}
		sums[agent] = sums[agent].Plus(s.TreeTotals)
		roots[agent]++
	}
	agents := make([]string, 0, len(m.Agents))
	for agent := range m.Agents {
		agents = append(agents, agent)
	}
	slices.Sort(agents)
	var wrong []string
	compared := 0
	for _, agent := range agents {
		want, got := m.Agents[agent], sums[agent]
		f := func(name string, got, want int64) {
			if compared++; got != want {
				wrong = append(wrong, fmt.Sprintf("%s %s %d instead of %d", agent, name, got, want))
			}
		}
		f("sessions", int64(roots[agent]), int64(want.Sessions))
		f("turns", int64(got.Turns), int64(want.UserPrompts))
		f("round trips", int64(got.RoundTrips), int64(want.RoundTrips))
		f("calls", int64(got.Calls), int64(want.ToolCalls))
		f("failed calls", int64(got.FailedCalls), int64(want.ToolErrors))
		f("compactions", int64(got.Compactions), int64(want.Compactions))
		f("input", got.Tokens.Input.Value, want.InputTokens)
		f("cache read", got.Tokens.CacheRead.Value, want.CacheRead)
		f("cache write", got.Tokens.CacheWrite5m.Value+got.Tokens.CacheWrite1h.Value, want.CacheWrite)
		f("output", got.Tokens.Output.Value, want.OutputTokens)
	}
	what := "all"
	if len(wrong) > 0 {
		what = fmt.Sprintf("%d of %d; wrong: %s", compared-len(wrong), compared, strings.Join(wrong, "; "))
	}
	b.add(len(wrong) == 0, fmt.Sprintf("%d counts equal the corpus's manifest, tokens to the token", compared), "all", "%s", what)
	return ids(all[:min(50, len(all))]), nil
}
