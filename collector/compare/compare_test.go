package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

// totals returns totals of so many calls, failed calls and exact input tokens.
func totals(calls, failed int, tokens int64) collector.Totals {
	t := collector.ZeroTotals()
	t.Turns, t.RoundTrips, t.Calls, t.FailedCalls = 1, 2, calls, failed
	t.Tokens.Input = collector.Exact(tokens)
	return t
}

func sample(id string, t collector.Totals) compare.Sample {
	return compare.Sample{Session: &collector.Session{ID: collector.SessionID(id), Title: "title of " + id}, Totals: t}
}

func amount(q collector.Quality, v float64) *collector.Amount {
	return &collector.Amount{Value: v, Quality: q}
}

func metric(t *testing.T, c compare.Comparison, key string) compare.MetricDelta {
	t.Helper()
	i := slices.IndexFunc(c.Metrics, func(d compare.MetricDelta) bool { return d.Key == key })
	if i < 0 {
		t.Fatalf("no metric %q", key)
	}
	return c.Metrics[i]
}

func number(p *float64) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprintf("%.1f", *p)
}

func TestMetrics(t *testing.T) {
	const exact, partial, unknown = collector.QualityExact, collector.QualityPartial, collector.QualityUnknown
	tests := []struct {
		name    string
		key     string
		a, b    func(*collector.Totals)
		want    string // delta percent verdict
		reason  string // in it; "" = none
		without bool   // B has no such number
	}{
		{name: "fewer failures", key: "failedCalls", a: func(n *collector.Totals) { n.FailedCalls = 4 }, b: func(n *collector.Totals) { n.FailedCalls = 1 }, want: "-3.0 -75.0 better"},
		{name: "more time", key: "wallMs", a: func(n *collector.Totals) { n.Clocks.WallMs = 100 }, b: func(n *collector.Totals) { n.Clocks.WallMs = 150 }, want: "50.0 50.0 worse"},
		{name: "from nothing", key: "errors", a: func(*collector.Totals) {}, b: func(n *collector.Totals) { n.Errors = 2 }, want: "2.0 null worse"},
		{name: "the same", key: "turns", a: func(*collector.Totals) {}, b: func(*collector.Totals) {}, want: "0.0 0.0 same"},
		{name: "neither way is better", key: "linesAdded", a: func(n *collector.Totals) { n.LinesAdded = 10 }, b: func(n *collector.Totals) { n.LinesAdded = 5 }, want: "-5.0 -50.0 neutral"},
		{
			name: "cache hits (T25)", key: "cacheHitRate", want: "0.5 98.9 better",
			a: func(n *collector.Totals) {
				n.Tokens.Input, n.Tokens.CacheRead = collector.Exact[int64](5000), collector.Exact[int64](5000)
			},
			b: func(n *collector.Totals) {
				n.Tokens.Input, n.Tokens.CacheRead = collector.Exact[int64](2500), collector.Exact[int64](432_500)
			},
		},
		{
			name: "a lower bound", key: "tokens", want: "null null unknown", reason: "A is a lower bound",
			a: func(n *collector.Totals) { n.Tokens.Output = collector.Partial[int64](9) }, b: func(*collector.Totals) {},
		},
		{
			name: "unknown", key: "reasoning", want: "null null unknown", reason: "unknown in B",
			a: func(*collector.Totals) {}, b: func(n *collector.Totals) { n.Tokens.Reasoning = collector.Count{} },
		},
		{
			name: "cache hits of a part", key: "cacheHitRate", want: "null null unknown", reason: "a rate of a part",
			a: func(n *collector.Totals) { n.Tokens.Input = collector.Partial[int64](9) }, b: func(*collector.Totals) {},
		},
		{
			name: "cache hits of nothing known", key: "cacheHitRate", want: "null null unknown", reason: "unknown in A",
			a: func(n *collector.Totals) { n.Tokens.CacheRead = collector.Count{} }, b: func(*collector.Totals) {},
		},
		{
			name: "USD and premium requests", key: "costUsd", want: "null null unknown", reason: "A is billed in USD, B in premium requests", without: true,
			a: func(n *collector.Totals) { n.CostUSD = amount(exact, 3) }, b: func(n *collector.Totals) { n.PremiumRequests = amount(exact, 6) },
		},
		{
			name: "credits and USD", key: "credits", want: "null null unknown", reason: "never converted", without: true,
			a: func(n *collector.Totals) { n.Credits = amount(exact, 3) }, b: func(n *collector.Totals) { n.CostUSD = amount(exact, 6) },
		},
		{
			name: "USD of an unknown model", key: "costUsd", want: "null null unknown", reason: "unknown in B",
			a: func(n *collector.Totals) { n.CostUSD = amount(exact, 3) }, b: func(n *collector.Totals) { n.CostUSD = amount(unknown, 0) },
		},
		{
			name: "two lower bounds", key: "premiumRequests", want: "null null unknown", reason: "both are lower bounds",
			a: func(n *collector.Totals) { n.PremiumRequests = amount(partial, 3) }, b: func(n *collector.Totals) { n.PremiumRequests = amount(partial, 3) },
		},
		{name: "no calls", key: "failRate", a: func(n *collector.Totals) { n.Calls = 0 }, b: func(*collector.Totals) {}, want: "null null unknown", reason: "A has none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := totals(10, 0, 100), totals(10, 0, 100)
			tt.a(&a)
			tt.b(&b)
			d := metric(t, compare.Two(sample("x:a", a), sample("x:b", b)), tt.key)
			got := number(d.Delta) + " " + number(d.Percent) + " " + string(d.Verdict)
			if tt.key == "cacheHitRate" && d.Delta != nil {
				got = fmt.Sprintf("%.1f %s %s", *d.Delta, number(d.Percent), d.Verdict)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if (d.Reason == "") != (tt.reason == "") || !strings.Contains(d.Reason, tt.reason) {
				t.Errorf("reason %q, want %q", d.Reason, tt.reason)
			}
			if tt.without && d.B != nil {
				t.Errorf("B has %v of what it is not billed in", d.B)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	tests := []struct {
		name string
		a, b collector.Totals
		want string
	}{
		{"fewer failures and tokens", totals(28, 7, 1000), totals(31, 2, 820), "B failed less: 2 of 31 calls against 7 of 28; tokens −18 %"},
		{"more failures", totals(1, 0, 100), totals(1, 1, 150), "B failed more: 1 of 1 call against 0 of 1; tokens +50 %"},
		{"alike", totals(4, 2, 100), totals(2, 1, 100), "Both failed alike: 1 of 2 calls in B, 2 of 4 in A; as many tokens"},
		{"no failures", totals(4, 0, 100), totals(1, 0, 5000), "No call failed: 1 call in B, 4 in A; tokens ×50"},
		{"no calls", totals(0, 0, 0), totals(0, 0, 7), "Neither called a tool; tokens +7 from none"},
		{"no calls in one", totals(0, 0, 1000), totals(2, 1, 996), "Only B called tools: 1 of 2 calls failed; tokens −0.4 %"},
		{"unknown tokens", collector.Totals{Calls: 2}, totals(2, 0, 7), "No call failed: 2 calls in B, 2 in A; tokens cannot be compared (unknown in A: the log does not say)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compare.Two(sample("x:a", tt.a), sample("x:b", tt.b)).Sentence; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTools(t *testing.T) {
	tool := func(name string, calls, failed int) collector.ToolStat {
		return collector.ToolStat{Tool: name, Calls: calls, Failed: failed, FailRate: float64(failed) / float64(calls)}
	}
	a, b := sample("x:a", totals(6, 2, 1)), sample("x:b", totals(8, 1, 1))
	a.Tools = []collector.ToolStat{tool("Shell", 4, 2), tool("Read", 2, 0)}
	b.Tools = []collector.ToolStat{tool("Shell", 4, 1), tool("Write", 4, 0)}
	var got []string
	for _, d := range compare.Two(a, b).Tools {
		got = append(got, fmt.Sprintf("%s in %s: %+d calls, %+d failed, rate %s, %s, has %t %t", d.Tool, d.In, d.Calls, d.Failed, number(d.FailRate), d.Verdict, d.A != nil, d.B != nil))
	}
	want := []string{
		"Shell in both: +0 calls, -1 failed, rate -0.2, better, has true true",
		"Write in b: +4 calls, +0 failed, rate null, neutral, has false true",
		"Read in a: -2 calls, +0 failed, rate null, neutral, has true false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
