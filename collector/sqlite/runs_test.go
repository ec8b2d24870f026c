package sqlite_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestRuns selects runs, with roll-ups and without: the answer is the same.
func TestRuns(t *testing.T) {
	a, b, c := row("acme:a", 100), row("brand:b", 300), row("acme:c", 200)
	a.Repo, a.Branch, a.Model = "Tools/Repo", "main", "m1"
	b.Cwd, b.Model = "/home/x/repo", "m2"
	kid, grandkid, hidden := row("acme:a~kid", 400), row("acme:a~kid~kid", 500), row("acme:hidden", 900)
	kid.Parent, grandkid.Parent, hidden.Path = "acme:a", "acme:a~kid", ""
	a.Totals.Calls, kid.Totals.Calls, grandkid.Totals.Calls = 1, 10, 100
	db := filled(t, a, b, c, kid, grandkid, hidden)
	if _, err := db.AddLabel(t.Context(), "acme:c", "x"); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		q    collector.RunQuery
		want string // id, parts, calls of the tree, labels; then the total
	}{
		{"all, newest first", collector.RunQuery{}, "brand:b/1/0[] acme:c/1/0[x] acme:a/3/111[] of 3"},
		{"some", collector.RunQuery{Limit: 2}, "brand:b/1/0[] acme:c/1/0[x] of 3"},
		{"an agent", collector.RunQuery{Agent: "acme"}, "acme:c/1/0[x] acme:a/3/111[] of 2"},
		{"repo or folder", collector.RunQuery{Repo: "rEpo"}, "brand:b/1/0[] acme:a/3/111[] of 2"},
		{"branch", collector.RunQuery{Branch: "main"}, "acme:a/3/111[] of 1"},
		{"model", collector.RunQuery{Model: "m2"}, "brand:b/1/0[] of 1"},
		{"label", collector.RunQuery{Label: "x"}, "acme:c/1/0[x] of 1"},
		{"times", collector.RunQuery{From: 100, To: 200}, "acme:a/3/111[] of 1"},
		{"a child", collector.RunQuery{IDs: []collector.SessionID{"acme:a~kid", "acme:none"}}, "acme:a~kid/2/110[] of 1"},
		{"nothing", collector.RunQuery{Agent: "none"}, "of 0"},
	}
	check := func(t *testing.T) {
		for _, tt := range tests {
			page, err := db.Runs(t.Context(), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, r := range page.Runs {
				words = append(words, fmt.Sprintf("%s/%d/%d%v", r.Session.ID, len(r.Parts), r.Session.TreeTotals.Calls, r.Session.Labels))
			}
			if got := strings.Join(append(words, fmt.Sprintf("of %d", page.Total)), " "); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
			}
		}
	}
	t.Run("without roll-ups", check)
	body := insights.Digest(nil, nil)
	bodies := map[collector.SessionID][]byte{}
	for _, s := range []*collector.Session{a, b, c, kid, grandkid} {
		bodies[s.ID] = body
	}
	if err := db.SetRollups(t.Context(), bodies); err != nil {
		t.Fatal(err)
	}
	t.Run("with roll-ups", check)
	page, err := db.Runs(t.Context(), collector.RunQuery{IDs: []collector.SessionID{"acme:a"}})
	if err != nil || string(page.Runs[0].Parts[2].Rollup) != string(body) {
		t.Errorf("the grandchild's roll-up: %v, %v", page.Runs, err)
	}

	a.Totals.Calls = 2 // the session goes on, and whoever writes it makes no roll-up
	commit(t, db, sqlite.Batch{}, a)
	page, err = db.Runs(t.Context(), collector.RunQuery{IDs: []collector.SessionID{"acme:a"}})
	if err != nil || page.Runs[0].Session.TreeTotals.Calls != 112 || page.Runs[0].Parts[0].Rollup != nil {
		t.Errorf("an old roll-up was used: %v, %v", page.Runs, err)
	}
}

// many returns a store of 2,000 sessions with roll-ups like those of a corpus: 5 tools, 5 turns, 4 kinds of flags each.
func many(t testing.TB) *sqlite.DB {
	t.Helper()
	var sessions []*collector.Session
	bodies := map[collector.SessionID][]byte{}
	for i := range 2000 {
		s := row(collector.SessionID(fmt.Sprintf("acme:%036d", i)), 1_700_000_000_000+int64(i)*3_600_000)
		s.Title, s.Cwd, s.Branch, s.Model = strings.Repeat("fix the flaky test ", 10), "/home/dev/repo", "main", "model-1"
		var turns []*collector.Turn
		for k := range 5 {
			turn := &collector.Turn{Index: k, StartedAt: s.StartedAt + int64(k)*900_000, Totals: collector.ZeroTotals()}
			turn.Totals.Turns, turn.Totals.Calls = 1, 10
			for c := range 10 {
				turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{
					Seq: 10*k + c, Tool: fmt.Sprintf("tool %d", (i+c)%5), Category: collector.CategoryShell, DurationMs: collector.Exact(int64(1000*c + i)),
				})
			}
			turn.RoundTrips = []*collector.RoundTrip{{Model: s.Model, Tokens: collector.ZeroTokens()}}
			for _, kind := range []collector.FlagKind{collector.FlagFail, collector.FlagRetry, collector.FlagFanout, collector.FlagThrash} {
				turn.Flags = append(turn.Flags, collector.Flag{Kind: kind})
			}
			turns = append(turns, turn)
			s.Totals = s.Totals.Plus(turn.Totals)
		}
		sessions = append(sessions, s)
		bodies[s.ID] = insights.Digest(turns, nil)
	}
	db := filled(t, sessions...)
	if err := db.SetRollups(t.Context(), bodies); err != nil {
		t.Fatal(err)
	}
	return db
}

func sumUp(t testing.TB, db *sqlite.DB) insights.Insights {
	page, err := db.Runs(t.Context(), collector.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return insights.Merge(page, insights.Options{})
}

// TestManySessionsInTime has 50 ms to reach on an idle machine (BenchmarkInsights); the bound leaves room for a busy one with
// the race detector, and only catches what is hopeless.
func TestManySessionsInTime(t *testing.T) {
	db := many(t)
	best := time.Hour
	for range 5 {
		begin := time.Now()
		in := sumUp(t, db)
		best = min(best, time.Since(begin))
		if in.Summary.Sessions != 2000 || in.Summary.Calls != 100_000 || len(in.Tools) != 5 || in.Tools[0].Timed != 20_000 || in.Flags[0].Turns != 10_000 {
			t.Fatalf("%d sessions, %d calls, %d tools", in.Summary.Sessions, in.Summary.Calls, len(in.Tools))
		}
	}
	if best > 5*time.Second {
		t.Errorf("2,000 sessions in %v", best)
	}
	t.Logf("2,000 sessions in %v", best)
}

func BenchmarkInsights(b *testing.B) {
	db := many(b)
	b.ReportAllocs()
	for b.Loop() {
		sumUp(b, db)
	}
}
