package analyzers_test

import (
	"fmt"
	"testing"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
)

// bigTurn is a turn of n calls, two per round trip, of which every 16th fails and every 8th repeats the one before.
func bigTurn(n int) *collector.Turn {
	t := &collector.Turn{Status: collector.TurnOK}
	for i := range n {
		if i%2 == 0 {
			t.RoundTrips = append(t.RoundTrips, &collector.RoundTrip{Seq: i / 2})
		}
		c := &collector.ToolCall{
			Seq: i, RoundTrip: i / 2, Key: fmt.Sprint(i), Tool: []string{"Bash", "Read", "Edit", "Grep"}[i/2%4],
			Status: collector.CallOK, ArgsHash: uint64(i) + 1, ResultHash: uint64(i) + 1,
			Args:   collector.Text{Preview: `{"command":"go test ./internal/billing/...","description":"Run the tests"}`},
			Result: collector.Text{Preview: "ok  \tgithub.com/acme/billing\t0.412s\n--- FAIL: TestInvoice (0.00s)\n    invoice_test.go:41: got 3, want 4\n"},
		}
		if i%8 == 7 {
			c.ArgsHash, c.ResultHash, c.Tool = uint64(i), uint64(i), t.ToolCalls[i-1].Tool
		}
		if i%16 == 0 {
			c.Status = collector.CallFailed
		}
		t.ToolCalls = append(t.ToolCalls, c)
	}
	return t
}

// BenchmarkFlags measures all analyzers on turns of growing size: ns/call must stay flat.
func BenchmarkFlags(b *testing.B) {
	for _, n := range []int{50, 500, 5000} {
		b.Run(fmt.Sprintf("calls=%d", n), func(b *testing.B) {
			all, t := analyzers.All(analyzers.Config{}), bigTurn(n)
			b.ReportAllocs()
			for b.Loop() {
				if len(analyzers.Flags(all, t)) == 0 {
					b.Fatal("no flags")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/call")
		})
	}
}

// BenchmarkAnalyzer measures each analyzer alone on a turn of 5,000 calls.
func BenchmarkAnalyzer(b *testing.B) {
	t := bigTurn(5000)
	for _, a := range analyzers.All(analyzers.Config{}) {
		b.Run(string(a.Flag), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Run(t)
			}
		})
	}
}
