package insights_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// TestUsageOfATurn: what a turn consumed as a whole is its model's and its day's; a number that is its sub-agents' too
// is neither's, since they have their own.
func TestUsageOfATurn(t *testing.T) {
	whole := func(ofTree bool) *collector.Turn {
		turn := turn("2026-01-01T10:00:00Z", "known")
		for _, r := range turn.RoundTrips {
			r.Tokens = collector.Tokens{}
		}
		turn.Model, turn.Totals.OfTurn, turn.Totals.OfTree, turn.Totals.CostUSD = "known", true, ofTree, amount(5)
		return turn
	}
	in := merge("UTC", run("acme:a", whole(false)))
	if m := in.Models[0]; m.RoundTrips != 1 || m.TotalTokens != collector.Exact[int64](105) || *m.CostUSD != collector.Exact(5.0) {
		t.Errorf("model: %+v", m)
	}
	if d := in.Days[0]; d.TotalTokens != collector.Exact[int64](105) || *d.CostUSD != collector.Exact(5.0) {
		t.Errorf("day: %+v", d)
	}
	in = merge("UTC", run("acme:a", whole(false), whole(true)))
	if m := in.Models[0]; m.RoundTrips != 2 || m.TotalTokens != collector.Partial[int64](105) || *m.CostUSD != collector.Partial(5.0) {
		t.Errorf("model of two: %+v", m)
	}
	if d := in.Days[0]; d.TotalTokens != collector.Partial[int64](105) || *d.CostUSD != collector.Partial(5.0) {
		t.Errorf("day of two: %+v", d)
	}
}
