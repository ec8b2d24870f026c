package insights_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

func amount(v float64) *collector.Amount {
	a := collector.Exact(v)
	return &a
}

func tokens(input, read, output int64) collector.Tokens {
	t := collector.ZeroTokens()
	t.Input, t.CacheRead, t.Output = collector.Exact(input), collector.Exact(read), collector.Exact(output)
	return t
}

func at(text string) int64 {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UnixMilli()
}

// turn has a failed call of 100 ms, its retry of 2 s and a call of another tool whose duration is unknown.
func turn(start string, model string) *collector.Turn {
	t := &collector.Turn{StartedAt: at(start), Totals: collector.ZeroTotals()}
	t.ToolCalls = []*collector.ToolCall{
		{Seq: 7, Tool: "Shell", Category: collector.CategoryShell, Status: collector.CallFailed, DurationMs: collector.Exact[int64](100)},
		{Seq: 8, Tool: "Shell", Category: collector.CategoryShell, Status: collector.CallOK, DurationMs: collector.Exact[int64](2000)},
		{Seq: 9, Tool: "Read", Category: collector.CategoryFile, Status: collector.CallDenied},
		{Seq: 10, Tool: "Read", Category: collector.CategoryFile, Inherited: true, Status: collector.CallFailed},
	}
	t.RoundTrips = []*collector.RoundTrip{
		{Model: model, Tokens: tokens(10, 90, 5)},
		{Model: model, Tokens: tokens(1000, 1000, 1000), Inherited: true},
		{Model: model, Tokens: tokens(1000, 1000, 1000), DuplicateOf: "acme:other"},
	}
	t.Flags = []collector.Flag{
		{Kind: collector.FlagRetry, At: collector.Target{Kind: collector.TargetCall, Seq: 8}},
		{Kind: collector.FlagFail, At: collector.Target{Kind: collector.TargetCall, Seq: 7}},
		{Kind: collector.FlagFail, At: collector.Target{Kind: collector.TargetCall, Seq: 9}},
	}
	n := &t.Totals
	n.Turns, n.Calls, n.FailedCalls, n.RoundTrips, n.Flags, n.Tokens = 1, 3, 1, 1, 3, tokens(10, 90, 5)
	n.CostUSD = &collector.Amount{}
	return t
}

func run(id collector.SessionID, turns ...*collector.Turn) collector.Run {
	s := &collector.Session{ID: id, Agent: "acme", Title: "title", Totals: collector.ZeroTotals()}
	for _, t := range turns {
		s.Totals = s.Totals.Plus(t.Totals)
	}
	s.TreeTotals = s.Totals
	return collector.Run{Session: s, Parts: []collector.RunPart{{ID: id, Rollup: insights.Digest(turns, cost)}}}
}

func cost(model string, t collector.Tokens) collector.Amount {
	if model != "known" {
		return collector.Amount{}
	}
	return collector.Exact(float64(t.Output.Value))
}

func merge(zone string, runs ...collector.Run) insights.Insights {
	z, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return insights.Merge(collector.RunPage{Runs: runs, Total: 9}, insights.Options{Zone: z, PricesDate: "2026-01-02"})
}

func TestTools(t *testing.T) {
	in := merge("UTC", run("acme:a", turn("2026-01-01T10:00:00Z", "known")), run("acme:b", turn("2026-01-01T11:00:00Z", "known")))
	var got []string
	for _, s := range in.Tools {
		p50, p95 := "null", "null"
		if s.P50Ms != nil {
			p50, p95 = fmt.Sprintf("%.0f", *s.P50Ms/10), fmt.Sprintf("%.0f", *s.P95Ms/100) // coarse: they are within 5 %
		}
		got = append(got, fmt.Sprintf("%s %s %d calls %d failed %.2f, %d retries, %d timed %s %s %d", s.Tool, s.Category, s.Calls, s.Failed, s.FailRate, s.Retries, s.Timed, p50, p95, s.TotalMs))
	}
	want := []string{
		"Shell shell 4 calls 2 failed 0.50, 2 retries, 4 timed 10 20 4200",
		"Read file 2 calls 0 failed 0.00, 0 retries, 0 timed null null 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(in.Tools, insights.Tools(run("acme:a", turn("2026-01-01T10:00:00Z", "known")), run("acme:b", turn("2026-01-01T11:00:00Z", "x")))); diff != "" {
		t.Error(diff)
	}
}

// TestQuantiles: within 5 % of the right one, for durations from a millisecond to hours.
func TestQuantiles(t *testing.T) {
	for _, ms := range []int64{0, 1, 2, 9, 55, 1234, 60_000, 7_200_000, 1 << 40} {
		tr := &collector.Turn{}
		for range 20 {
			tr.ToolCalls = append(tr.ToolCalls, &collector.ToolCall{Tool: "Shell", DurationMs: collector.Exact(ms)})
		}
		got := *insights.ToolsOf(tr)[0].P50Ms
		if want := float64(min(ms, 3_300_000_000)); got < want*0.95-0.1 || got > want*1.05+0.1 {
			t.Errorf("%d ms: got %.1f", ms, got)
		}
	}
}

// TestDays: a turn at half past midnight in Berlin is the day before in UTC, and later in Kathmandu (UTC+5:45).
func TestDays(t *testing.T) {
	a := run("acme:a", turn("2026-03-01T23:30:00Z", "known"), turn("2026-03-04T10:00:00Z", "known"))
	b := run("acme:b", turn("2026-03-01T18:20:00Z", "known"))
	f := func(zone, want string) {
		t.Helper()
		var got []string
		for _, d := range merge(zone, a, b).Days {
			got = append(got, fmt.Sprintf("%s %d/%d", d.Day, d.Turns, d.Sessions))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: got %s, want %s", zone, s, want)
		}
	}
	f("UTC", "2026-03-01 2/2, 2026-03-02 0/0, 2026-03-03 0/0, 2026-03-04 1/1")
	f("Europe/Berlin", "2026-03-01 1/1, 2026-03-02 1/1, 2026-03-03 0/0, 2026-03-04 1/1")
	f("Asia/Kathmandu", "2026-03-02 2/2, 2026-03-03 0/0, 2026-03-04 1/1")
	f("America/Los_Angeles", "2026-03-01 2/2, 2026-03-02 0/0, 2026-03-03 0/0, 2026-03-04 1/1")
}

func TestModels(t *testing.T) {
	premium := turn("2026-01-01T10:00:00Z", "known")
	premium.Totals.CostUSD, premium.RoundTrips[0].Premium = nil, amount(1)
	in := merge("UTC", run("acme:a", turn("2026-01-01T10:00:00Z", "known"), turn("2026-01-01T10:20:00Z", "odd")), run("acme:b", turn("2026-01-01T10:00:00Z", "known")))
	var got []string
	for _, m := range in.Models {
		price := "unknown"
		if m.CostUSD != nil {
			price = fmt.Sprint(m.CostUSD.Value)
		}
		got = append(got, fmt.Sprintf("%s %d trips %d sessions %d tokens %.2f hits, cost %s %t", m.Model, m.RoundTrips, m.Sessions, m.TotalTokens.Value, m.CacheHitRate.Value, price, m.Priced))
	}
	want := []string{"known 2 trips 2 sessions 210 tokens 0.90 hits, cost 10 true", "odd 1 trips 1 sessions 105 tokens 0.90 hits, cost unknown false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if m := merge("UTC", run("acme:p", premium)).Models[0]; m.Priced || m.CostUSD != nil {
		t.Errorf("billed in premium requests, and has a price: %+v", m)
	}
}

func TestSummaryAndSessions(t *testing.T) {
	in := merge("UTC", run("acme:a", turn("2026-01-01T10:00:00Z", "known")), run("acme:b"))
	if in.Total != 9 || in.PricesDate != "2026-01-02" || in.Summary.Sessions != 2 || in.Summary.Calls != 3 || *in.Summary.ToolsPerTurn != 3 {
		t.Errorf("got %+v", in.Summary)
	}
	want := []insights.FlagRate{{Kind: collector.FlagFail, Count: 2, Turns: 1, Rate: 1, Sessions: 1}, {Kind: collector.FlagRetry, Count: 1, Turns: 1, Rate: 1, Sessions: 1}}
	if diff := cmp.Diff(want, in.Flags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]map[string]int{{"fail": 2, "retry": 1}, {}}, []map[string]int{in.Sessions[0].FlagCount, in.Sessions[1].FlagCount}); diff != "" {
		t.Error(diff)
	}
	if s := in.Sessions[1]; s.ToolsPerTurn != nil || s.FailRate != nil || s.CacheHitRate != nil {
		t.Errorf("rates of nothing: %+v", s.Rates)
	}
}

// TestBrokenRollups: a store that was damaged makes wrong sums at worst.
func TestBrokenRollups(t *testing.T) {
	whole := insights.Digest([]*collector.Turn{turn("2026-01-01T10:00:00Z", "known")}, cost)
	for i := range whole {
		for _, body := range [][]byte{whole[:i], slices.Concat(whole[:i], []byte{0xff, 0xff, 0xff, 0xff, 0xff}, whole[i:])} {
			r := run("acme:a")
			r.Parts[0].Rollup = body
			if got := merge("UTC", r).Summary.Sessions; got != 1 {
				t.Errorf("cut at %d: %d sessions", i, got)
			}
			insights.Filter{Model: "x", From: 1}.Takes(r) // must not panic
		}
	}
	if insights.Current(nil) || !insights.Current(whole) || insights.Current([]byte{255, 1}) {
		t.Error("which roll-ups can be read?")
	}
}

func TestCSV(t *testing.T) {
	a := run("acme:a", turn("2026-01-01T10:00:00Z", "known"))
	a.Session.Title, a.Session.Labels, a.Session.LastAt = "=cmd|' /C calc'!A0, \"quoted\"\nline", []string{"x", "y"}, at("2026-01-01T12:00:00Z")
	data, err := insights.CSV(merge("UTC", a).Sessions)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	for name, want := range map[string]string{
		"id": "acme:a", "title": "'=cmd|' /C calc'!A0, \"quoted\"\nline", "labels": "x,y", "last_at": "2026-01-01T12:00:00Z", "started_at": "",
		"calls": "3", "flags": "3", "tokens": "105", "cost_usd": "", "cost_usd_quality": "unknown", "fail_rate": "0.3333", "cache_hit_rate": "0.9000", "premium_requests": "",
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
}
