package analyzers

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// fanoutAnalyzer flags round trips that asked for several calls at once. Calls that a script made inside another call are
// not the model's own and do not count.
func fanoutAnalyzer() collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagFanout,
		Doc:  "One model response asked for more than one tool call. Lists the siblings.",
		Run:  fanout,
	}
}

func fanout(t *collector.Turn) []collector.Flag {
	byTrip := map[int][]*collector.ToolCall{}
	for _, c := range ownCalls(t) {
		if c.Within == "" {
			byTrip[c.RoundTrip] = append(byTrip[c.RoundTrip], c)
		}
	}
	var flags []collector.Flag
	for _, r := range t.RoundTrips {
		calls := byTrip[r.Seq]
		if len(calls) < 2 || !r.Counts() {
			continue
		}
		flags = append(flags, collector.Flag{
			Kind:     collector.FlagFanout,
			Reason:   fmt.Sprintf("Round trip %d asked for %d calls at once: %s", r.Seq+1, len(calls), tools(calls)),
			At:       collector.Target{Kind: collector.TargetRoundTrip, Seq: r.Seq},
			Evidence: evidence(calls),
		})
	}
	return flags
}
