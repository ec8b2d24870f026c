package metrics_test

import (
	"strconv"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// BenchmarkObserve counts commits of one turn with a round trip and a call, of history and of now.
func BenchmarkObserve(b *testing.B) {
	for name, at := range map[string]int64{"history": ms(-10), "live": ms(10)} {
		b.Run(name, func(b *testing.B) {
			m := toy(b)
			turn := &collector.Turn{Status: collector.TurnOK, EndedAt: at,
				RoundTrips: []*collector.RoundTrip{{EndedAt: at, Model: "priced", UsageRank: collector.UsageExact}},
				ToolCalls:  []*collector.ToolCall{{Key: "call", Tool: "shell", Category: collector.CategoryShell, Status: collector.CallOK, EndedAt: at}}}
			c := one(turn)
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				i++
				turn.Key = strconv.Itoa(i)
				m.Observe(c)
			}
		})
	}
}
