package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

// Comparison shows how B differs from A.
func Comparison(s *screen.Screen, c compare.Comparison, short Shorten) {
	s.Println(s.In(screen.Bold, screen.Line(c.Sentence)))
	fact(s, "A", sideOf(s, c.A, short))
	fact(s, "B", sideOf(s, c.B, short))
	s.Println("")
	t := screen.Table{Columns: []screen.Column{{Head: "METRIC"}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B − A", Right: true}, {Head: ""}}}
	for _, m := range c.Metrics {
		if nothing(m.A) && nothing(m.B) {
			continue
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: m.Label}, {Text: metric(m.A, m.Unit)}, {Text: metric(m.B, m.Unit)}, {Text: deltaOf(m), Style: verdictStyles[m.Verdict]},
			{Text: remark(m), Style: screen.Dim},
		})
	}
	s.Table(t)
	toolDeltas(s, c.Tools)
	sequence(s, c.Sequence)
	unverified(s, ofSides(c.A, c.B))
}

// nothing reports whether there is nothing to say of a number: it is 0, or unknown.
func nothing(a *collector.Amount) bool {
	return a == nil || a.Quality == collector.QualityUnknown || a.Quality == collector.QualityExact && a.Value == 0
}

func sideOf(s *screen.Screen, side compare.Side, short Shorten) string {
	if len(side.Sessions) != 1 {
		return screen.Line(side.Label) + " (" + screen.Plural(len(side.Sessions), "session") + ")"
	}
	x := side.Sessions[0]
	name := s.In(screen.Name, screen.Line(short(x.ID)))
	if side.Turn != nil {
		name += "#" + strconv.Itoa(*side.Turn+1)
	}
	return join(name, agent(x.Agent, x.Unverified), screen.Line(x.Model), screen.Line(x.Title))
}

var verdictStyles = map[compare.Verdict]screen.Style{compare.VerdictBetter: screen.Good, compare.VerdictWorse: screen.Bad}

// metric writes a number in its unit.
func metric(a *collector.Amount, unit compare.Unit) string {
	if a == nil || a.Quality == collector.QualityUnknown {
		return "–"
	}
	text := number(a.Value, unit)
	switch {
	case a.Quality == collector.QualityPartial && unit == compare.UnitRatio: // of a part: no bound
		return "≈" + text
	case a.Quality == collector.QualityPartial:
		return "≥" + text
	}
	return text
}

func number(v float64, unit compare.Unit) string {
	switch unit {
	case compare.UnitMs:
		return screen.Took(int64(v))
	case compare.UnitUSD:
		return fmt.Sprintf("$%.2f", v)
	case compare.UnitRatio:
		return fmt.Sprintf("%.1f %%", 100*v)
	case compare.UnitTokens:
		return screen.Short(int64(v))
	}
	return trim(fmt.Sprintf("%.2f", v))
}

func deltaOf(m compare.MetricDelta) string {
	switch {
	case m.Delta == nil:
		return "–"
	case *m.Delta == 0:
		return "="
	case m.Percent != nil && m.Unit != compare.UnitRatio && *m.Percent >= 900: // percents say nothing to anybody
		return fmt.Sprintf("×%.0f", 1+*m.Percent/100)
	}
	sign := "+"
	if *m.Delta < 0 {
		sign = "−"
	}
	if m.Percent != nil && m.Unit != compare.UnitRatio {
		return sign + fmt.Sprintf("%.0f %%", math.Abs(*m.Percent))
	}
	return sign + number(math.Abs(*m.Delta), m.Unit)
}

// remark says what the numbers do not.
func remark(m compare.MetricDelta) string {
	switch {
	case m.Group != nil && m.Group.Sentence != "":
		return m.Group.Sentence
	case m.Reason != "":
		return m.Reason
	case m.Verdict == compare.VerdictBetter || m.Verdict == compare.VerdictWorse:
		return string(m.Verdict)
	}
	return ""
}

// mostTools is how many tools are listed.
const mostTools = 12

func toolDeltas(s *screen.Screen, all []compare.ToolDelta) {
	t := screen.Table{Columns: []screen.Column{{Head: "TOOL"}, {Head: "A", Right: true}, {Head: "FAILED", Right: true}, {Head: "B", Right: true}, {Head: "FAILED", Right: true}, {Head: ""}}}
	for i, d := range all {
		if i == mostTools {
			break
		}
		calls := func(t *collector.ToolStat) [2]screen.Cell {
			if t == nil {
				return [2]screen.Cell{{Text: "–", Style: screen.Dim}}
			}
			return [2]screen.Cell{{Text: strconv.Itoa(t.Calls)}, some(t.Failed, screen.Bad)}
		}
		a, b := calls(d.A), calls(d.B)
		verdict := screen.Cell{}
		if style := verdictStyles[d.Verdict]; style != screen.Plain {
			verdict = screen.Cell{Text: string(d.Verdict), Style: style}
		}
		t.Rows = append(t.Rows, []screen.Cell{{Text: screen.Line(d.Tool), Style: screen.Name}, a[0], a[1], b[0], b[1], verdict})
	}
	if len(t.Rows) > 0 {
		s.Println("")
		s.Table(t)
	}
}

var changeSigns = map[compare.Change]screen.Cell{
	compare.Same: {Text: " "}, compare.Added: {Text: "+", Style: screen.Good}, compare.Dropped: {Text: "−", Style: screen.Bad}, compare.Changed: {Text: "~", Style: screen.Care},
}

// sequence shows the calls of two turns side by side.
func sequence(s *screen.Screen, steps []compare.Step) {
	if len(steps) == 0 {
		return
	}
	s.Println("\n" + s.In(screen.Dim, "Calls: + only in B, − only in A, ~ other arguments"))
	for _, step := range steps {
		sign := changeSigns[step.Change]
		for _, c := range []*compare.StepCall{step.A, step.B} {
			if c == nil || step.Change == compare.Same && c == step.B {
				continue
			}
			line := s.In(sign.Style, sign.Text) + " " + s.In(screen.Name, screen.Line(c.Tool)) + " " + s.In(callStyles[c.Status], string(c.Status)) + " "
			s.Println(line + screen.Clip(screen.Line(c.Args), max(0, s.Width-screen.Cells(c.Tool)-len(c.Status)-4)))
		}
	}
}
