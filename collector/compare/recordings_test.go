package compare_test

import (
	"bytes"
	"fmt"
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
	"github.com/turnwatch/turnwatch/testdata"
)

// demo returns a store of the bundled recordings.
func demo(t *testing.T) *sqlite.DB {
	t.Helper()
	home := t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	prices, err := pricing.New([]byte(`{"date": "2026-01-01", "models": [{"id": "gpt-5", "input": 1, "output": 10}]}`))
	if err != nil {
		t.Fatal(err)
	}
	db := pipelinetest.Open(t)
	pipelinetest.Read(t, db, home, fold.Judges{Analyzers: analyzers.All(analyzers.Config{}), Cost: prices.Cost})
	return db
}

// TestRecordings compares each recorded session, and its first turn, with the next one; the golden shows what is said.
func TestRecordings(t *testing.T) {
	const golden = "testdata/recordings.golden"
	db := demo(t)
	page, err := db.Runs(t.Context(), collector.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(page.Runs, func(a, b collector.Run) int { return strings.Compare(string(a.Session.ID), string(b.Session.ID)) })
	var out bytes.Buffer
	for i := range len(page.Runs) - 1 {
		a, b := session(t, db, page.Runs[i]), session(t, db, page.Runs[i+1])
		fmt.Fprintf(&out, "%s\n%s\n", a.Session.ID, b.Session.ID)
		write(&out, compare.Two(a, b))
		if a.Turn, b.Turn = turn(t, db, a.Session.ID), turn(t, db, b.Session.ID); a.Turn != nil && b.Turn != nil {
			a.Totals, b.Totals = a.Turn.Totals, b.Turn.Totals
			a.Tools, b.Tools = insights.ToolsOf(a.Turn), insights.ToolsOf(b.Turn)
			c := compare.Two(a, b)
			fmt.Fprintf(&out, "  first turns: %s\n  %s\n", c.Sentence, show(c.Sequence))
		}
		out.WriteByte('\n')
	}
	pipelinetest.Golden(t, golden, out.String())
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

func turn(t *testing.T, db *sqlite.DB, id collector.SessionID) *collector.Turn {
	t.Helper()
	turns, _, err := db.WholeTurns(t.Context(), id, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(turns) == 0 {
		return nil
	}
	for _, c := range turns[0].ToolCalls {
		c.Args.Preview = fmt.Sprintf("%s#%d", c.Tool, c.Seq)
	}
	return turns[0]
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
