package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/transcript"
)

// checkLimits: 250 lines, and 256 KiB of JSON.
func checkLimits(t *testing.T, v collector.View) {
	t.Helper()
	lines := 0
	for _, turn := range v.Turns {
		for _, r := range turn.Rows {
			lines += strings.Count(r.Text, "\n") + 1
			if r.Kind == collector.RowTool && strings.Count(r.Text, "\n") > 5 {
				t.Errorf("a result of more than 6 lines: %q", r.Text)
			}
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if lines > 250 || len(b) > 256<<10 {
		t.Errorf("%d lines, %d bytes", lines, len(b))
	}
}

// rows returns a turn that says texts.
func rows(texts ...string) collector.ViewTurn {
	t := collector.ViewTurn{Rows: []collector.ViewRow{}}
	for _, text := range texts {
		t.Rows = append(t.Rows, collector.ViewRow{Kind: collector.RowAssistant, Text: text})
	}
	return t
}

func lines(n int) string { return strings.Repeat("x\n", n-1) + "x" }

func TestFit(t *testing.T) {
	const big = 200 << 10
	for _, c := range []struct {
		name  string
		turns []collector.ViewTurn
		want  []int // lines of each turn that is left
		all   bool
	}{
		{"all of it", []collector.ViewTurn{rows(lines(100)), rows(lines(150))}, []int{100, 150}, true},
		{"a line too many", []collector.ViewTurn{rows(lines(1)), rows(lines(100)), rows(lines(150))}, []int{100, 150}, false},
		{"whole turns go", []collector.ViewTurn{rows(lines(200)), rows(lines(100))}, []int{100}, false},
		{"older ones do not come back", []collector.ViewTurn{rows("small"), rows(lines(249)), rows(lines(2))}, []int{2}, false},
		{"too many bytes", []collector.ViewTurn{rows(strings.Repeat("y", big)), rows(strings.Repeat("y", big))}, []int{1}, false},
		{"an escape is six bytes", []collector.ViewTurn{rows(strings.Repeat("\x1b", 30<<10)), rows(strings.Repeat("\x1b", 30<<10))}, []int{1}, false},
		{"the newest is cut by lines", []collector.ViewTurn{rows("old"), rows(lines(100), lines(100), lines(100), "end")}, []int{250}, false},
		{"the newest is cut by bytes", []collector.ViewTurn{rows("old"), rows("begins", strings.Repeat("é", big), "end")}, []int{2}, false},
		{"an empty turn", []collector.ViewTurn{rows()}, []int{0}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			kept, all := transcript.Fit(c.turns)
			var got []int
			for _, turn := range kept {
				n := 0
				for _, r := range turn.Rows {
					n += strings.Count(r.Text, "\n") + 1
				}
				got = append(got, n)
			}
			if d := cmp.Diff(c.want, got); d != "" || all != c.all {
				t.Errorf("all %v, lines (-want +got):\n%s", all, d)
			}
			checkLimits(t, collector.View{Status: collector.ViewOK, Turns: kept})
		})
	}
}

func TestCutRowIsWholeCharacters(t *testing.T) {
	kept, _ := transcript.Fit([]collector.ViewTurn{rows("begins", strings.Repeat("é\x1b", 100<<10))})
	last := kept[0].Rows[len(kept[0].Rows)-1]
	if !last.Clipped || kept[0].Rows[0].Clipped || strings.ToValidUTF8(last.Text, "?") != last.Text {
		t.Errorf("cut row: clipped %v, ends %q", last.Clipped, last.Text[len(last.Text)-4:])
	}
	if b, err := json.Marshal(kept); err != nil || len(b) < 240<<10 {
		t.Errorf("only %d bytes are left, %v", len(b), err)
	}
}
