// Package report shows what the API answers to people, on a screen. It asks nothing and decides nothing: what is shown
// has been read and masked.
package report

import (
	"path/filepath"
	"strconv"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// Shorten returns the beginning of a session's id that is enough to name it.
type Shorten func(collector.SessionID) string

// Sessions lists sessions.
func Sessions(s *screen.Screen, page collector.SessionPage, short Shorten) {
	if len(page.Sessions) == 0 {
		s.Println("No session.")
		return
	}
	t := screen.Table{Columns: []screen.Column{
		{Head: "ID", Whole: true}, {Head: "AGENT", Drop: 1}, {Head: "STATE"}, {Head: "LAST", Right: true}, {Head: "TURNS", Right: true, Drop: 4},
		{Head: "CALLS", Right: true, Drop: 3}, {Head: "FAILED", Right: true, Drop: 2}, {Head: "TOKENS", Right: true, Drop: 5},
		{Head: "COST", Right: true, Drop: 7}, {Head: "FLAGS", Right: true}, {Head: "REPO", Drop: 6}, {Head: "TITLE"},
	}}
	for _, x := range page.Sessions {
		sum := x.TreeTotals
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: screen.Line(short(x.ID)), Style: screen.Name}, {Text: agent(x.Agent, x.Unverified)}, stateCell(x.State), {Text: s.When(x.LastAt), Style: screen.Dim},
			{Text: strconv.Itoa(sum.Turns)}, {Text: strconv.Itoa(sum.Calls)}, some(sum.FailedCalls, screen.Bad),
			{Text: count(sum.Tokens.Total())}, {Text: cost(sum)}, some(sum.Flags, screen.Care), {Text: place(x)}, {Text: screen.Line(x.Title)},
		})
	}
	s.Table(t)
	if more := page.Total - len(page.Sessions); more > 0 {
		s.Println(s.In(screen.Dim, "… and "+strconv.Itoa(more)+" more; --limit shows them"))
	}
	unverified(s, ofSessions(page.Sessions))
}

// stateStyles stand beside the states' words.
var stateStyles = map[collector.SessionState]screen.Style{
	collector.SessionBusy: screen.Good, collector.SessionIdle: screen.Plain, collector.SessionWaiting: screen.Care,
	collector.SessionEnded: screen.Dim, collector.SessionCrashed: screen.Bad,
}

func stateCell(state collector.SessionState) screen.Cell {
	return screen.Cell{Text: string(state), Style: stateStyles[state]}
}

// some is a number that is worth a colour, and nothing if it is 0.
func some(n int, style screen.Style) screen.Cell {
	if n == 0 {
		return screen.Cell{}
	}
	return screen.Cell{Text: strconv.Itoa(n), Style: style}
}

// place is where a session works: its repo, else its folder's name.
func place(x *collector.Session) string {
	switch {
	case x.Repo != "":
		return screen.Line(x.Repo)
	case x.Cwd != "":
		return screen.Line(filepath.Base(x.Cwd))
	}
	return ""
}
