package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/printable"
)

// Turn shows all that happened in a turn of a session, in order.
func Turn(s *screen.Screen, x *collector.Session, t *collector.Turn, short Shorten) {
	head := "Turn " + strconv.Itoa(t.Index+1)
	s.Println(s.In(screen.Bold, head) + "  " + s.In(turnStyles[t.Status], string(t.Status)) + "  " + s.In(screen.Dim, join(screen.Line(t.Model), span(s, t.StartedAt, t.EndedAt))))
	totals(s, "total", t.Totals)
	if t.Error != "" {
		fact(s, "error", s.In(screen.Bad, screen.Line(t.Error)))
	}
	for _, f := range t.Flags {
		flag(s, f)
	}
	s.Println("")
	said(s, cmp.Or(promptLabel(t), "prompt"), screen.Accent, t.Prompt)
	for _, step := range steps(t) {
		step.show(s, short)
	}
	unverified(s, ofSessions([]*collector.Session{x}))
}

func promptLabel(t *collector.Turn) string {
	switch t.Origin {
	case collector.PromptAgent:
		return "task"
	case collector.PromptAuto:
		return "woken by"
	}
	return ""
}

func flag(s *screen.Screen, f collector.Flag) {
	fact(s, "flag", s.In(screen.Care, string(f.Kind)+": ")+screen.Line(f.Reason))
	for _, e := range f.Evidence {
		s.Println(strings.Repeat(" ", 11) + s.In(screen.Dim, "· "+screen.Clip(screen.Line(e.Text), max(0, s.Width-14))))
	}
}

// step is a round trip, a call or a marker.
type step struct {
	ref  collector.Ref
	show func(*screen.Screen, Shorten)
}

// steps are the parts of a turn in the order of the log. A call stands where it was asked for, behind its round trip.
func steps(t *collector.Turn) []step {
	var all []step
	for _, r := range t.RoundTrips {
		all = append(all, step{r.Ref, func(s *screen.Screen, _ Shorten) { roundTrip(s, r) }})
	}
	for _, c := range t.ToolCalls {
		all = append(all, step{c.Ref, func(s *screen.Screen, short Shorten) { call(s, c, short) }})
	}
	for _, m := range t.Markers {
		all = append(all, step{m.Ref, func(s *screen.Screen, _ Shorten) { marker(s, m) }})
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.ref.Offset, b.ref.Offset) })
	return all
}

func roundTrip(s *screen.Screen, r *collector.RoundTrip) {
	said(s, "thinks", screen.Dim, r.Thinking)
	said(s, "says", screen.Good, r.Text)
}

// indent is what texts stand behind.
const indent = "    "

// said shows a text under its label.
func said(s *screen.Screen, label string, style screen.Style, text collector.Text) {
	if strings.TrimSpace(text.Preview) == "" {
		return
	}
	s.Println(s.In(style, label))
	body(s, text, 0)
}

// body shows a text, of which at most some lines; 0 = all.
func body(s *screen.Screen, text collector.Text, lines int) {
	all := screen.Wrap(strings.TrimSpace(printable.Text(text.Preview)), max(0, s.Width-len(indent)))
	for i, line := range all {
		if lines > 0 && i == lines {
			s.Println(indent + s.In(screen.Dim, fmt.Sprintf("… %s more", screen.Plural(len(all)-lines, "line"))))
			return
		}
		s.Println(strings.TrimRight(indent+line, " "))
	}
	if text.Clipped() {
		s.Println(indent + s.In(screen.Dim, "… of "+screen.Short(text.Bytes)+" bytes"))
	}
}

// resultLines is how much of a result is shown; the page and --json have the rest.
const resultLines = 20

var callStyles = map[collector.CallStatus]screen.Style{
	collector.CallFailed: screen.Bad, collector.CallDenied: screen.Care, collector.CallInterrupted: screen.Care,
	collector.CallLost: screen.Care, collector.CallPending: screen.Good,
}

func call(s *screen.Screen, c *collector.ToolCall, short Shorten) {
	status, took := outcome(c)
	child := ""
	if c.Child != "" {
		child = "→ " + screen.Line(short(c.Child))
	}
	s.Println("#" + strconv.Itoa(c.Seq+1) + " " + s.In(screen.Name, screen.Line(c.Tool)) + "  " +
		s.In(callStyles[c.Status], status) + "  " + s.In(screen.Dim, join(took, child)))
	args := c.Args
	if lines := arguments(args.Preview); lines != "" {
		args = collector.Text{Preview: lines}
	}
	body(s, args, resultLines)
	if c.Error != "" {
		s.Println(indent + s.In(screen.Bad, "error: "+screen.Line(c.Error)))
	}
	if strings.TrimSpace(c.Result.Preview) != "" {
		s.Println(s.In(screen.Dim, "  result"))
		body(s, c.Result, resultLines)
	}
}

// outcome says how a call went, and how long it took if that is known.
func outcome(c *collector.ToolCall) (status, took string) {
	status = string(c.Status)
	if c.ExitCode != nil && *c.ExitCode != 0 {
		status += " (exit " + strconv.Itoa(*c.ExitCode) + ")"
	}
	if c.DurationMs.Quality != collector.QualityUnknown {
		took = screen.Took(c.DurationMs.Value)
	}
	return status, took
}

func marker(s *screen.Screen, m *collector.Marker) {
	took := ""
	if m.DurationMs.Quality != collector.QualityUnknown && m.DurationMs.Value > 0 {
		took = screen.Took(m.DurationMs.Value)
	}
	size := ""
	if m.Kind == collector.MarkerCompaction {
		size = cmp.Or(count(m.PreTokens), "?") + " → " + cmp.Or(count(m.PostTokens), "?") + " tokens"
	}
	s.Println(sign(s, m) + "  " +
		join(screen.Line(m.Name), string(m.Status), took, size, screen.Clip(screen.Line(m.Text.Preview), 200)))
}

// sign is what a marker's line begins with.
func sign(s *screen.Screen, m *collector.Marker) string {
	style := screen.Dim
	if m.Status == collector.MarkerFailed || m.Kind == collector.MarkerAbort || m.Kind == collector.MarkerError {
		style = screen.Bad
	}
	return s.In(style, "◆ "+strings.ReplaceAll(string(m.Kind), "_", " "))
}
