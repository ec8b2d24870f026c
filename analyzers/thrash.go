package analyzers

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// thrashAnalyzer flags turns of limit round trips or more, on the last one.
func thrashAnalyzer(limit int) collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagThrash,
		Doc:  fmt.Sprintf("The turn took %d or more round trips. Marked on the last one; the threshold can be set.", limit),
		Run:  func(t *collector.Turn) []collector.Flag { return thrash(t, limit) },
	}
}

func thrash(t *collector.Turn, limit int) []collector.Flag {
	if t.Inherited {
		return nil
	}
	n := 0
	var last *collector.RoundTrip
	for _, r := range t.RoundTrips {
		if r.Counts() {
			n++
			last = r
		}
	}
	if n < limit {
		return nil
	}
	calls := ownCalls(t)
	failed := 0
	for _, c := range calls {
		if c.Status == collector.CallFailed {
			failed++
		}
	}
	work := "no call"
	if len(calls) > 0 {
		work = fmt.Sprintf("%s (%s), %d failed", plural(len(calls), "call"), tools(calls), failed)
	}
	return []collector.Flag{{
		Kind:   collector.FlagThrash,
		Reason: fmt.Sprintf("Turn %d took %d round trips; %d or more suggest that it makes no headway", t.Index+1, n, limit),
		At:     collector.Target{Kind: collector.TargetRoundTrip, Seq: last.Seq},
		Evidence: []collector.Evidence{{
			Text: fmt.Sprintf("%s: %s", plural(n, "round trip"), work), At: collector.Target{Kind: collector.TargetTurn, Seq: t.Index},
		}},
	}}
}
