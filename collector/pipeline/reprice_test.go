package pipeline_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestOwnPricesReachHistory: sessions that were read before the user stated prices are priced by them, and nothing else of them changes.
func TestOwnPricesReachHistory(t *testing.T) {
	home := demoHome(t)
	if slow { // five readings of all that take half a minute
		home = t.TempDir()
		for i := range 4 {
			own := fmt.Sprintf("bbbbbbbb-0000-4000-8000-%012d", i)
			must(t, homes.Write(homes.Transcript(home, own), homes.Lines(own, own, 3, i)...))
		}
	}
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	read := func(own int64, price float64) (usd float64, tokens int64, calls int, changed bool) {
		t.Helper()
		if changed, err = db.Reprice(t.Context(), own); err != nil {
			t.Fatal(err)
		}
		w := newWatcher()
		p := pipeline.New(pipeline.Config{}, pipeline.Deps{
			Sources: sources.All(host(home)), Store: db, Publisher: w, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
			Judges: fold.Judges{Cost: func(string, collector.Tokens) collector.Amount { return collector.Exact(price) }},
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- p.Run(ctx) }()
		w.wait(t, "ready", ready)
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		page, err := db.Runs(t.Context(), collector.RunQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Runs {
			n := r.Session.TreeTotals
			tokens, calls = tokens+n.Tokens.Total().Value, calls+n.Calls
			if n.CostUSD != nil {
				usd += n.CostUSD.Value
			}
		}
		return usd, tokens, calls, changed
	}
	usd, tokens, calls, changed := read(0, 1)
	if usd == 0 || tokens == 0 || changed {
		t.Fatalf("$%g for %d tokens, changed %t", usd, tokens, changed)
	}
	if again, _, _, changed := read(0, 5); again != usd || changed {
		t.Errorf("the same prices were looked at again: $%g, changed %t; want $%g", again, changed, usd)
	}
	stated, _, _, _ := read(99, 0) // what agents say themselves stays
	if stated >= usd {
		t.Fatalf("$%g stated of $%g", stated, usd)
	}
	steps := []struct {
		name    string
		own     int64
		price   float64
		want    float64
		changed bool
	}{
		{"own prices", 77, 2, 2*usd - stated, true},
		{"the same own prices", 77, 9, 2*usd - stated, false},
		{"none again", 0, 1, usd, true},
	}
	for _, s := range steps {
		got, gotTokens, gotCalls, changed := read(s.own, s.price)
		if math.Abs(got-s.want) > 1e-6 || gotTokens != tokens || gotCalls != calls || changed != s.changed {
			t.Errorf("%s: $%g for %d tokens and %d calls, changed %t; want $%g, %d, %d, %t", s.name, got, gotTokens, gotCalls, changed, s.want, tokens, calls, s.changed)
		}
	}
}
