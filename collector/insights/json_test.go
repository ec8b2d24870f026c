package insights_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// TestWriteJSON: what is written by hand says what encoding/json says, field by field, for any text and number.
func TestWriteJSON(t *testing.T) {
	odd := []string{"", "plain", "a \"quoted\" \\ path", "line\n\ttab\x00\x1f", "ä → 😀", "cut \xf0\x9f", "<b>&\u2028", `"sessions":[]`}
	for _, text := range odd {
		for _, n := range []float64{0, 1, -2.5, 1e-9, 1e21, 0.1 + 0.2, math.MaxFloat64} {
			a := run("acme:a", turn("2026-01-01T10:00:00Z", "known"))
			s := a.Session
			s.Title, s.Repo, s.Branch, s.Model, s.Cwd, s.Labels = text, text, text, text, text, []string{text, "x"}
			s.TreeTotals.CostUSD, s.TreeTotals.Credits = amount(n), amount(n)
			b := run("acme:b")
			b.Session.Labels = []string{}
			in := merge("UTC", a, b)
			in.PricesDate = text
			same(t, in)
		}
	}
	same(t, merge("UTC"))
	many := make([]collector.Run, 200) // more than is written at once
	for i := range many {
		many[i] = run("acme:a", turn("2026-01-01T10:00:00Z", "known"))
		many[i].Session.Labels = []string{}
	}
	same(t, merge("UTC", many...))
}

func same(t *testing.T, in insights.Insights) {
	t.Helper()
	plain, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := in.WriteJSON(&got); err != nil {
		t.Fatal(got.String(), err)
	}
	if diff := cmp.Diff(decode(t, plain), decode(t, got.Bytes())); diff != "" {
		t.Error(diff)
	}
}

func decode(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}
