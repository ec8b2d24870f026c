package metrics_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/metrics"
)

const session = collector.SessionID("toy:1")

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// ms is the time so many seconds after the start.
func ms(sec int) int64 { return start.UnixMilli() + int64(sec)*1000 }

// toy is metrics of an agent that does not exist, an hour after their start.
func toy(t testing.TB) *metrics.Metrics {
	t.Helper()
	now := start
	m := metrics.New(metrics.Config{
		Agents: []collector.Agent{"toy"}, Flags: []collector.FlagKind{collector.FlagFail, collector.FlagThrash},
		Events: []string{"Stop"}, Version: "1.2.3", Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler),
		Cost: func(model string, n collector.Tokens) collector.Amount {
			if model != "priced" {
				return collector.Amount{}
			}
			return collector.Exact(float64(n.Output.Value) / 100)
		},
	})
	now = now.Add(time.Hour)
	return m
}

// scrape returns what a Prometheus would read.
func scrape(t testing.TB, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// values returns the series whose name begins with one of the prefixes, but for those at 0.
func values(t testing.TB, m *metrics.Metrics, prefixes ...string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for line := range strings.Lines(scrape(t, m)) {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "turnwatch_"), "} ")
		n, err := strconv.ParseFloat(value, 64)
		for _, p := range prefixes {
			if err == nil && n != 0 && strings.HasPrefix(name, p+"{") {
				all[strings.ReplaceAll(name+"}", `agent="toy",`, "")] += n
			}
		}
	}
	return all
}

func expect(t *testing.T, m *metrics.Metrics, prefix string, want map[string]float64) {
	t.Helper()
	if diff := cmp.Diff(want, values(t, m, prefix)); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

// one returns the commit that changed one turn and all its parts.
func one(turn *collector.Turn, before ...collector.Flag) *collector.Commit {
	turns := make([]*collector.Turn, turn.Index+1)
	turns[turn.Index] = turn
	return &collector.Commit{At: ms(60), Changes: []collector.Change{{
		Session: &collector.Session{ID: session}, Turns: turns, Changed: []*collector.Turn{turn}, Before: [][]collector.Flag{before},
		RoundTrips: turn.RoundTrips, Calls: turn.ToolCalls,
	}}}
}

func flag(kind collector.FlagKind, at collector.TargetKind, seq int) collector.Flag {
	return collector.Flag{Kind: kind, At: collector.Target{Kind: at, Seq: seq}}
}

func TestFlagsOfATurnThatBeganBeforeTheStart(t *testing.T) {
	m := toy(t)
	turn := &collector.Turn{Key: "t", Status: collector.TurnOpen, StartedAt: ms(-100), EndedAt: ms(-10)}
	turn.RoundTrips = []*collector.RoundTrip{{Seq: 0, EndedAt: ms(-50)}}
	turn.ToolCalls = []*collector.ToolCall{{Seq: 0, EndedAt: ms(-50), Status: collector.CallFailed, Tool: "a", Key: "1"}}
	had := []collector.Flag{flag(collector.FlagFail, collector.TargetCall, 0), flag(collector.FlagThrash, collector.TargetRoundTrip, 0)}
	turn.Flags = had
	m.Observe(one(turn))
	expect(t, m, "anomaly_flags_total", map[string]float64{})

	// It goes on: one more call fails, and the thrash moves to its round trip.
	turn.EndedAt = ms(10)
	turn.RoundTrips = append(turn.RoundTrips, &collector.RoundTrip{Seq: 1, EndedAt: ms(10)})
	turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{Seq: 1, EndedAt: ms(10), Status: collector.CallFailed, Tool: "a", Key: "2"})
	turn.Flags = []collector.Flag{had[0], flag(collector.FlagFail, collector.TargetCall, 1), flag(collector.FlagThrash, collector.TargetRoundTrip, 1)}
	m.Observe(one(turn, had...))
	want := map[string]float64{`anomaly_flags_total{kind="fail"}`: 1}
	expect(t, m, "anomaly_flags_total", want)

	m.Observe(one(turn, turn.Flags...)) // nothing new
	m.Observe(one(turn))                // read anew: fold knows of no flags before
	want[`anomaly_flags_total{kind="thrash"}`] = 1
	expect(t, m, "anomaly_flags_total", want)
	expect(t, m, "tool_calls_total", map[string]float64{`tool_calls_total{status="failed",tool="a"}`: 1})
}

func TestATurnCountsAsItFirstEnded(t *testing.T) {
	m := toy(t)
	turn := &collector.Turn{Key: "t", StartedAt: ms(1), EndedAt: ms(2)}
	for _, s := range []collector.TurnStatus{collector.TurnOpen, collector.TurnOK, collector.TurnOpen, collector.TurnInterrupted} {
		turn.Status = s
		m.Observe(one(turn))
	}
	m.Observe(one(&collector.Turn{Index: 1, Key: "copied", Status: collector.TurnOK, EndedAt: ms(3), Inherited: true}))
	m.Observe(one(&collector.Turn{Index: 2, Key: "timeless", Status: collector.TurnOK}))
	m.Observe(one(&collector.Turn{Index: 3, Key: "@17", Status: collector.TurnFailed, StartedAt: ms(5), EndedAt: ms(6)}))
	m.Observe(one(&collector.Turn{Index: 3, Key: "@99", Status: collector.TurnFailed, StartedAt: ms(5), EndedAt: ms(6)})) // at another place now
	expect(t, m, "turns_total", map[string]float64{`turns_total{outcome="ok"}`: 1, `turns_total{outcome="failed"}`: 1})
}

func TestCopiedHistoryIsNotCounted(t *testing.T) {
	m := toy(t)
	tokens := collector.Tokens{Output: collector.Exact[int64](9)}
	turn := &collector.Turn{Key: "t", Status: collector.TurnOpen, EndedAt: ms(5), RoundTrips: []*collector.RoundTrip{
		{Seq: 3, EndedAt: ms(1), Model: "m", Tokens: tokens, Inherited: true},
		{Seq: 4, EndedAt: ms(2), Model: "m", Tokens: tokens, DuplicateOf: "toy:2"},
		{Seq: 5, EndedAt: ms(3), Model: "m", Tokens: tokens},
	}}
	for i := range 3 {
		turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{Seq: i, RoundTrip: 3 + i, Key: strconv.Itoa(i), Tool: "x", Status: collector.CallOK, EndedAt: ms(3)})
	}
	m.Observe(one(turn))
	expect(t, m, "tokens_total", map[string]float64{`tokens_total{model="m",type="output"}`: 9})
	expect(t, m, "model_round_trips_total", map[string]float64{`model_round_trips_total{model="m"}`: 1})
	expect(t, m, "tool_calls_total", map[string]float64{`tool_calls_total{status="ok",tool="x"}`: 1})
}

// TestUsageThatGrows: usage may be told several times, by better and better witnesses; it is counted up to its largest.
func TestUsageThatGrows(t *testing.T) {
	m := toy(t)
	trip := &collector.RoundTrip{EndedAt: ms(1), UsageRank: collector.UsagePartial}
	turn := &collector.Turn{Key: "t", Status: collector.TurnOpen, EndedAt: ms(1), RoundTrips: []*collector.RoundTrip{trip}}
	trip.Tokens.Output = collector.Partial[int64](5)
	m.Observe(one(turn)) // whose it is, is not known yet
	expect(t, m, "tokens_total", map[string]float64{})
	trip.Model = "priced"
	m.Observe(one(turn))
	expect(t, m, "cost_usd_total", map[string]float64{}) // of a part of its usage
	trip.UsageRank = collector.UsageExact
	for _, n := range []int64{40, 0, 60, 60} {
		trip.Tokens.Output = collector.Exact(n)
		m.Observe(one(turn))
	}
	turn.Status, turn.EndedAt = collector.TurnOK, ms(2)
	m.Observe(one(turn))
	expect(t, m, "tokens_total", map[string]float64{`tokens_total{model="priced",type="output"}`: 60})
	expect(t, m, "cost_usd_total", map[string]float64{`cost_usd_total{model="priced"}`: 0.6})
	expect(t, m, "model_round_trips_total", map[string]float64{`model_round_trips_total{model="priced"}`: 1})
}

// TestLagIsThatOfLogs: what states facts beside a log may be written, or read again, any time later.
func TestLagIsThatOfLogs(t *testing.T) {
	m := toy(t)
	m.Observe(&collector.Commit{At: ms(60), Reads: []collector.Read{
		{Agent: "toy", Kind: collector.StreamLog, Result: collector.ReadOK, Bytes: 10, At: ms(59)},
		{Agent: "toy", Kind: collector.StreamFacts, Result: collector.ReadOK, Bytes: 7, At: ms(1)},
	}})
	expect(t, m, "ingest_read_bytes_total", map[string]float64{`ingest_read_bytes_total{source="log"}`: 10, `ingest_read_bytes_total{source="facts"}`: 7})
	expect(t, m, "ingest_lag_seconds_sum", map[string]float64{`ingest_lag_seconds_sum{agent="toy"}`: 1})
}

func TestPremiumRequestsAreNoMoney(t *testing.T) {
	m := toy(t)
	premium := collector.Exact(0.33)
	trip := &collector.RoundTrip{EndedAt: ms(1), UsageRank: collector.UsageExact, Model: "priced", Premium: &premium}
	trip.Tokens.Output = collector.Exact[int64](100)
	turn := &collector.Turn{Key: "t", Status: collector.TurnOK, EndedAt: ms(1), RoundTrips: []*collector.RoundTrip{trip}}
	m.Observe(one(turn))
	m.Observe(one(turn))
	expect(t, m, "premium_requests_total", map[string]float64{`premium_requests_total{agent="toy"}`: 0.33})
	expect(t, m, "cost_usd_total", map[string]float64{})
}

// TestWhatIsForgottenIsNotCountedAgain reads more turns than are remembered, then all of them anew.
func TestWhatIsForgottenIsNotCountedAgain(t *testing.T) {
	m := toy(t)
	const n = 60_000
	for range 2 {
		for i := range n {
			m.Observe(one(&collector.Turn{Key: strconv.Itoa(i), Status: collector.TurnOK, EndedAt: ms(0) + int64(i)}))
		}
	}
	expect(t, m, "turns_total", map[string]float64{`turns_total{outcome="ok"}`: n})
}

func sum(all map[string]float64) (n float64) {
	for _, v := range all {
		n += v
	}
	return n
}

func TestOpenMetrics(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil)
	r.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	toy(t).Handler().ServeHTTP(w, r)
	if !bytes.HasSuffix(w.Body.Bytes(), []byte("# EOF\n")) || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/openmetrics-text") {
		t.Errorf("%s: …%s", w.Header().Get("Content-Type"), w.Body.String()[max(0, w.Body.Len()-100):])
	}
}
