package api_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// insightsGoal is how long a request for the insights of 2,000 sessions may take on an idle machine.
const insightsGoal = 50 * time.Millisecond

// many is a store of 2,000 sessions that are like those of a corpus: 17 tools, 5 turns in 2 hours, 4 kinds of flags each.
func many(t testing.TB) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	var b sqlite.Batch
	for i := range 2000 {
		s := &collector.Session{
			ID: collector.SessionID(fmt.Sprintf("acme:%036d", i)), Agent: "acme", Path: "/log", StartedAt: 1_700_000_000_000 + int64(i)*3_600_000,
			Title: fmt.Sprintf("%d: %s", i, strings.Repeat("fix the flaky test → see src/api/client_test.ts ", 6)),
			Cwd:   fmt.Sprintf("/home/dev/repo-%d", i%20), Branch: "main", Model: fmt.Sprintf("model-%d", i%7), Totals: collector.ZeroTotals(),
		}
		s.LastAt = s.StartedAt + 7_200_000
		var turns []*collector.Turn
		for k := range 5 {
			turns = append(turns, manyTurn(s, i, k))
			s.Totals = s.Totals.Plus(turns[k].Totals)
		}
		cost := func(string, collector.Tokens) collector.Amount { return collector.Exact(0.208485) }
		b.Sessions = append(b.Sessions, sqlite.SessionChange{Session: s, Stream: "acme/log/x", Cursor: []byte{}, Rollup: insights.Digest(turns, cost)})
	}
	if _, err := db.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return db
}

func manyTurn(s *collector.Session, i, k int) *collector.Turn {
	turn := &collector.Turn{Index: k, StartedAt: s.StartedAt + int64(k)*1_800_000, Totals: collector.ZeroTotals()}
	cost := collector.Exact(0.208485 + float64(i))
	turn.Totals.Turns, turn.Totals.Calls, turn.Totals.CostUSD = 1, 20, &cost
	turn.Totals.Tokens = collector.Tokens{
		Input: collector.Exact[int64](146), CacheRead: collector.Exact[int64](303_665), CacheWrite5m: collector.Exact[int64](11_562),
		CacheWrite1h: collector.Exact[int64](0), Output: collector.Exact(int64(4906 + i)),
	}
	for c := range 20 {
		turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{
			Seq: 20*k + c, Tool: fmt.Sprintf("tool %d", (i+c)%17), Category: collector.CategoryShell, DurationMs: collector.Exact(int64(1000*c + i)),
		})
	}
	turn.RoundTrips = []*collector.RoundTrip{{Model: s.Model, Tokens: turn.Totals.Tokens}}
	for _, kind := range []collector.FlagKind{collector.FlagFail, collector.FlagRetry, collector.FlagFanout, collector.FlagThrash} {
		turn.Flags = append(turn.Flags, collector.Flag{Kind: kind})
	}
	return turn
}

// insightsOf asks for the insights of all sessions and returns how many bytes came.
func insightsOf(t testing.TB, addr, query string) int64 {
	t.Helper()
	resp, err := http.Get("http://" + addr + "/api/insights?limit=5000" + query)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, err)
	}
	return n
}

// manyRuns is the fake store with real runs.
type manyRuns struct {
	*store
	db *sqlite.DB
}

func (m manyRuns) Runs(ctx context.Context, q collector.RunQuery) (collector.RunPage, error) {
	return m.db.Runs(ctx, q)
}

func manyServer(t testing.TB) (addr string) {
	d := deps()
	d.Store = manyRuns{d.Store.(*store), many(t)}
	addr, _ = start(t, api.Config{}, d)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return addr
}

// BenchmarkInsights measures the whole request: reading, summing up, masking, encoding, sending. of-goal is the share of
// insightsGoal that it takes.
func BenchmarkInsights(b *testing.B) {
	addr := manyServer(b)
	for _, query := range []string{"", "&model=model-3&from=2023-12-01"} {
		b.Run("2000"+query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(insightsOf(b, addr, query))
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(insightsGoal), "of-goal")
		})
	}
}

// TestManySessionsInTime only catches what is hopeless: the bound leaves room for a busy machine and the race detector.
// BenchmarkInsights measures.
func TestManySessionsInTime(t *testing.T) {
	addr := manyServer(t)
	best := time.Hour
	for range 5 {
		begin := time.Now()
		if n := insightsOf(t, addr, ""); n < 1_000_000 {
			t.Fatalf("%d bytes", n)
		}
		best = min(best, time.Since(begin))
	}
	if best > 200*insightsGoal {
		t.Errorf("2,000 sessions in %v", best)
	}
	t.Logf("2,000 sessions in %v", best)
}
