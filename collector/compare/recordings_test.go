package compare_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/pricing"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// read reads home into a store of its own.
func read(t *testing.T, home string) *sqlite.DB {
	t.Helper()
	prices, err := pricing.New([]byte(`{"date": "2026-01-01", "models": [{"id": "gpt-5", "input": 1, "output": 10}]}`))
	if err != nil {
		t.Fatal(err)
	}
	db := pipelinetest.Open(t)
	pipelinetest.Read(t, db, home, fold.Judges{Analyzers: analyzers.All(analyzers.Config{}), Cost: prices.Cost})
	return db
}

// TestRecordings compares each recorded session with the next one of its home, and each of its turns with the next one; the
// goldens show what is said.
func TestRecordings(t *testing.T) {
	for _, r := range pipelinetest.Recordings(t) {
		t.Run(r.Name, func(t *testing.T) {
			db := read(t, r.Home)
			page, err := db.Runs(t.Context(), collector.RunQuery{})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(page.Runs, func(a, b collector.Run) int { return strings.Compare(string(a.Session.ID), string(b.Session.ID)) })
			var out bytes.Buffer
			for i, run := range page.Runs {
				a := session(t, db, run)
				fmt.Fprintln(&out, a.Session.ID)
				if i+1 < len(page.Runs) {
					b := session(t, db, page.Runs[i+1])
					fmt.Fprintln(&out, "with", b.Session.ID)
					write(&out, compare.Two(a, b))
				}
				writeTurns(&out, a, turns(t, db, a.Session.ID))
				out.WriteByte('\n')
			}
			pipelinetest.Golden(t, filepath.Join("testdata", r.Name+".txt"), out.String())
		})
	}
}

func session(t *testing.T, db *sqlite.DB, run collector.Run) compare.Sample {
	t.Helper()
	for i := range run.Parts {
		turns, _, err := db.WholeTurns(t.Context(), run.Parts[i].ID, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		run.Parts[i].Rollup = insights.Digest(turns, nil)
	}
	return compare.Sample{Session: run.Session, Totals: run.Session.TreeTotals, Tools: insights.Tools(run)}
}

// mostTurns is how many turns of a session are compared: more of the same shows nothing new.
const mostTurns = 6

func turns(t *testing.T, db *sqlite.DB, id collector.SessionID) []*collector.Turn {
	t.Helper()
	turns, _, err := db.WholeTurns(t.Context(), id, 0, mostTurns)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		for _, c := range turn.ToolCalls {
			c.Args.Preview = fmt.Sprintf("%s#%d", c.Tool, c.Seq)
		}
	}
	return turns
}

func writeTurns(out *bytes.Buffer, in compare.Sample, turns []*collector.Turn) {
	for i := range len(turns) - 1 {
		a, b := ofTurn(in, turns[i]), ofTurn(in, turns[i+1])
		c := compare.Two(a, b)
		fmt.Fprintf(out, "  turns %d and %d: %s\n  %s\n", i+1, i+2, c.Sentence, show(c.Sequence))
	}
}

func ofTurn(in compare.Sample, turn *collector.Turn) compare.Sample {
	in.Turn, in.Totals, in.Tools = turn, turn.Totals, insights.ToolsOf(turn)
	return in
}

func write(out *bytes.Buffer, c compare.Comparison) {
	fmt.Fprintf(out, "  %s\n", c.Sentence)
	for _, d := range c.Metrics {
		switch {
		case d.Delta == nil && d.A == nil && d.B == nil, d.Verdict == compare.VerdictSame:
		case d.Delta == nil:
			fmt.Fprintf(out, "  %s: %s\n", d.Key, d.Reason)
		default:
			fmt.Fprintf(out, "  %s: %g → %g, %s %%, %s\n", d.Key, d.A.Value, d.B.Value, number(d.Percent), d.Verdict)
		}
	}
	for _, d := range c.Tools {
		fmt.Fprintf(out, "  %s (%s): %+d calls, %+d failed\n", d.Tool, d.In, d.Calls, d.Failed)
	}
}
