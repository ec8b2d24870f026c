package transcript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/pricing"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
)

// judged reads home into a store, with flags and costs, and returns an analyst of the same logs.
func judged(t testing.TB, home string) (*sqlite.DB, *transcript.Analyst) {
	t.Helper()
	prices, err := pricing.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	judges := fold.Judges{Analyzers: analyzers.All(analyzers.Config{}), Cost: prices.Cost}
	db := pipelinetest.Open(t)
	return db, transcript.NewAnalyst(db, pipelinetest.Read(t, db, home, judges), judges)
}

// TestAnalysisEqualsTheStore reads every session of every recording again.
func TestAnalysisEqualsTheStore(t *testing.T) {
	sessions, turns := 0, 0
	for _, rec := range pipelinetest.Recordings(t) {
		t.Run(rec.Name, func(t *testing.T) {
			db, analyst := judged(t, rec.Home)
			page, err := db.Runs(t.Context(), collector.RunQuery{})
			if err != nil {
				t.Fatal(err)
			}
			for _, run := range page.Runs {
				for _, part := range run.Parts {
					an, err := analyst.Analysis(t.Context(), part.ID)
					if err != nil {
						t.Error(err)
						continue
					}
					sessions, turns = sessions+1, turns+len(an.Turns)
					if !an.Same || an.Log.Records == 0 || an.Log.Cached {
						t.Errorf("%s differs: %s\n%+v", part.ID, strings.Join(an.Differences, "\n"), an.Log)
					}
					whole, _, err := db.WholeTurns(t.Context(), part.ID, 0, 0)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := insights.Digest(an.Turns, nil), insights.Digest(whole, nil); string(got) != string(want) {
						t.Errorf("%s: roll-ups differ", part.ID)
					}
				}
			}
		})
	}
	if sessions < 40 || turns < 80 {
		t.Errorf("only %d sessions with %d turns", sessions, turns)
	}
}

func TestAnalysisSeesTheLogChange(t *testing.T) {
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(pipelinetest.Recordings(t)[0].Home)); err != nil {
		t.Fatal(err)
	}
	db, analyst := judged(t, home)
	page, err := db.Runs(t.Context(), collector.RunQuery{Limit: 1})
	if err != nil || len(page.Runs) == 0 {
		t.Fatal(page, err)
	}
	id := page.Runs[0].Session.ID
	analyse := func() collector.Analysis {
		t.Helper()
		an, err := analyst.Analysis(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return an
	}
	first := analyse()
	if again := analyse(); !again.Log.Cached || !again.Same {
		t.Errorf("an unchanged log: %+v, %v", again.Log, again.Differences)
	}
	data, err := os.ReadFile(first.Log.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first.Log.Path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if cut := analyse(); cut.Log.Cached || cut.Same || len(cut.Differences) == 0 {
		t.Errorf("half of the log is missing: %+v, %v", cut.Log, cut.Differences)
	}
	if err := os.Remove(first.Log.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := analyst.Analysis(t.Context(), id); collector.ErrorCode(err) != collector.CodeUnavailable {
		t.Errorf("the log is gone: %v", err)
	}
	if _, err := analyst.Analysis(t.Context(), id+"x"); collector.ErrorCode(err) != collector.CodeNotFound {
		t.Errorf("no such session: %v", err)
	}
}
