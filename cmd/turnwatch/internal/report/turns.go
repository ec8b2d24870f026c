package report

import (
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// turnTable lists turns, and below each its flags.
func turnTable(s *screen.Screen, turns []*collector.Turn) {
	t := screen.Table{Columns: []screen.Column{
		{Head: "TURN", Right: true}, {Head: "BEGAN", Right: true, Drop: 5}, {Head: "TOOK", Right: true, Drop: 3}, {Head: "TRIPS", Right: true, Drop: 4},
		{Head: "CALLS", Right: true, Drop: 1}, {Head: "FAILED", Right: true}, {Head: "TOKENS", Right: true, Drop: 2}, {Head: "STATUS"}, {Head: "FLAGS"},
		{Head: "PROMPT"},
	}}
	for _, x := range turns {
		sum := x.Totals
		took := ""
		if sum.Clocks.WallMs > 0 {
			took = screen.Took(sum.Clocks.WallMs)
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: strconv.Itoa(x.Index + 1), Style: screen.Name}, {Text: s.When(x.StartedAt), Style: screen.Dim}, {Text: took},
			{Text: strconv.Itoa(sum.RoundTrips)}, {Text: strconv.Itoa(sum.Calls)}, some(sum.FailedCalls, screen.Bad), {Text: count(sum.Tokens.Total())},
			turnStatus(x), {Text: flagKinds(x.Flags), Style: screen.Care}, {Text: promptOf(x)},
		})
	}
	s.Table(t)
}

var turnStyles = map[collector.TurnStatus]screen.Style{
	collector.TurnOpen: screen.Good, collector.TurnFailed: screen.Bad, collector.TurnInterrupted: screen.Care, collector.TurnAbandoned: screen.Care,
}

func turnStatus(t *collector.Turn) screen.Cell {
	return screen.Cell{Text: string(t.Status), Style: turnStyles[t.Status]}
}

// flagKinds names each kind of flag once.
func flagKinds(flags []collector.Flag) string {
	var kinds []string
	n := map[collector.FlagKind]int{}
	for _, f := range flags {
		if n[f.Kind]++; n[f.Kind] == 1 {
			kinds = append(kinds, string(f.Kind))
		}
	}
	for i, k := range kinds {
		if n := n[collector.FlagKind(k)]; n > 1 {
			kinds[i] += "×" + strconv.Itoa(n)
		}
	}
	return strings.Join(kinds, " ")
}

func promptOf(t *collector.Turn) string {
	prefix := ""
	switch {
	case t.Inherited:
		prefix = "(copied) "
	case t.Origin == collector.PromptAgent:
		prefix = "(task) "
	case t.Origin == collector.PromptAuto:
		prefix = "(woken) "
	}
	return prefix + screen.Line(t.Prompt.Preview)
}
