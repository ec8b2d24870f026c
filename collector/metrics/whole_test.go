package metrics_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// TestUsageOfATurn: what a turn consumed as a whole is counted once; what is its sub-agents' too is not, since they are
// counted by themselves.
func TestUsageOfATurn(t *testing.T) {
	m := toy(t)
	turn := &collector.Turn{Key: "t", Model: "priced", Status: collector.TurnOK, EndedAt: ms(5), RoundTrips: []*collector.RoundTrip{{EndedAt: ms(4), Model: "priced"}}}
	turn.Totals.Tokens, turn.Totals.OfTurn = collector.Tokens{Output: collector.Exact[int64](200)}, true
	m.Observe(one(turn))
	m.Observe(one(turn))
	tree := &collector.Turn{Index: 1, Key: "u", Model: "priced", Status: collector.TurnOK, EndedAt: ms(6)}
	tree.Totals = turn.Totals
	tree.Totals.OfTree = true
	m.Observe(one(tree))
	expect(t, m, "tokens_total", map[string]float64{`tokens_total{model="priced",type="output"}`: 200})
	expect(t, m, "cost_usd_total", map[string]float64{`cost_usd_total{model="priced"}`: 2})
	expect(t, m, "model_round_trips_total", map[string]float64{`model_round_trips_total{model="priced"}`: 1})
}
