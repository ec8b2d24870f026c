package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// Session shows a session and its turns.
func Session(s *screen.Screen, x *collector.Session, turns []*collector.Turn, short Shorten) {
	s.Println(s.In(screen.Bold, titleOf(x)) + "  " + s.In(stateStyles[x.State], string(x.State)))
	if x.WaitingFor != "" {
		s.Println(s.In(screen.Care, "waits for: ") + screen.Line(x.WaitingFor))
	}
	fact(s, "id", screen.Line(string(x.ID)))
	fact(s, "agent", join(agent(x.Agent, x.Unverified)+" "+screen.Line(x.Version), screen.Line(x.Model), screen.Line(x.Role)))
	fact(s, "in", join(screen.Line(x.Cwd), screen.Line(x.Repo), screen.Line(x.Branch)))
	fact(s, "time", span(s, x.StartedAt, x.LastAt))
	fact(s, "log", logOf(x))
	if x.Parent != "" {
		fact(s, "parent", screen.Line(short(x.Parent)))
	}
	if x.ForkedFrom != "" {
		fact(s, "fork of", screen.Line(short(x.ForkedFrom)))
	}
	fact(s, "labels", screen.Line(strings.Join(x.Labels, ", ")))
	totals(s, "total", x.TreeTotals)
	if len(x.Children) > 0 {
		totals(s, "itself", x.Totals)
	}
	fact(s, "context", contextOf(x.Context))
	fact(s, "tools", tools(x.TopTools))
	children(s, x.Children, short)
	if len(turns) > 0 {
		s.Println("")
		turnTable(s, turns)
	}
	unverified(s, ofSessions([]*collector.Session{x}))
}

func titleOf(x *collector.Session) string {
	if title := screen.Line(x.Title); title != "" {
		return title
	}
	return "(no title)"
}

func fact(s *screen.Screen, name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		s.Println("  " + s.In(screen.Dim, fmt.Sprintf("%-8s", name)) + " " + value)
	}
}

func logOf(x *collector.Session) string {
	if x.Gone {
		return screen.Line(x.Path) + " (gone; the numbers are kept)"
	}
	return screen.Line(x.Path)
}

// span writes when something began and ended.
func span(s *screen.Screen, from, to int64) string {
	switch {
	case from == 0 && to == 0:
		return ""
	case from == 0 || to == 0 || to < from:
		return s.Moment(max(from, to))
	}
	return s.Moment(from) + " – " + s.When(to) + " (" + screen.Took(to-from) + ")"
}

func totals(s *screen.Screen, name string, t collector.Totals) {
	calls := screen.Plural(t.Calls, "call")
	if t.FailedCalls > 0 {
		calls += " (" + s.In(screen.Bad, strconv.Itoa(t.FailedCalls)+" failed") + ")"
	}
	flags := ""
	if t.Flags > 0 {
		flags = s.In(screen.Care, screen.Plural(t.Flags, "flag"))
	}
	fact(s, name, join(screen.Plural(t.Turns, "turn"), screen.Plural(t.RoundTrips, "round trip"), calls, tokens(t.Tokens), cost(t), flags, clocks(t.Clocks)))
}

// tokens writes the total, and of which classes it consists.
func tokens(t collector.Tokens) string {
	total := count(t.Total())
	if total == "" {
		return ""
	}
	var parts []string
	for _, p := range []struct {
		name  string
		count collector.Count
	}{{"in", t.Input}, {"cached", t.CacheRead}, {"written", t.CacheWrite5m.Plus(t.CacheWrite1h)}, {"out", t.Output}} {
		if n := count(p.count); n != "" && p.count.Value > 0 {
			parts = append(parts, n+" "+p.name)
		}
	}
	if len(parts) == 0 {
		return total + " tokens"
	}
	return total + " tokens (" + strings.Join(parts, ", ") + ")"
}

func clocks(c collector.Clocks) string {
	if c.ModelMs+c.ToolMs+c.WaitMs == 0 {
		return ""
	}
	text := "model " + screen.Took(c.ModelMs) + ", tools " + screen.Took(c.ToolMs)
	if c.WaitMs > 0 {
		text += ", waited " + screen.Took(c.WaitMs)
	}
	return text
}

func contextOf(c collector.Context) string {
	used := count(c.Tokens)
	if used == "" {
		return ""
	}
	if c.Window.Quality == collector.QualityUnknown || c.Window.Value == 0 {
		return used + " tokens"
	}
	return fmt.Sprintf("%s of %s tokens (%.0f %%)", used, count(c.Window), math.Floor(100*float64(c.Tokens.Value)/float64(c.Window.Value)))
}

func tools(all []collector.ToolCount) string {
	var parts []string
	for _, t := range all {
		part := screen.Line(t.Tool) + " " + strconv.Itoa(t.Calls)
		if t.Failed > 0 {
			part += " (" + strconv.Itoa(t.Failed) + " failed)"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func children(s *screen.Screen, all []*collector.Session, short Shorten) {
	for _, c := range all {
		fact(s, "child", join(s.In(screen.Name, screen.Line(short(c.ID))), screen.Line(c.Role), titleOf(c), screen.Plural(c.Totals.Calls, "call"), count(c.Totals.Tokens.Total())+" tokens"))
		children(s, c.Children, short)
	}
}
