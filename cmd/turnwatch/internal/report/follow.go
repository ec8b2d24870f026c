package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// Follower writes what is new in turns, a line for each thing that happened. It is told a turn as often as it changes.
type Follower struct {
	Screen *screen.Screen
	Short  Shorten // replaced when there are new sessions
	Since  int64   // unix ms; what has an earlier time is not written
	Named  bool    // each line names its session

	said map[string]bool
}

// news is a line that is new.
type news struct {
	at   int64 // unix ms; 0 = unknown
	ref  collector.Ref
	key  string
	line string
}

// Turn writes what is new in a turn of a session. While it is the last one, whatever no process is known to work at may
// still go on: then it is not said to be lost.
func (f *Follower) Turn(id collector.SessionID, t *collector.Turn, last bool) {
	if f.said == nil {
		f.said = map[string]bool{}
	}
	if last && t.Status == collector.TurnAbandoned {
		t.Status = collector.TurnOpen
		for _, c := range t.ToolCalls {
			if c.Status == collector.CallLost {
				c.Status = collector.CallPending
			}
		}
	}
	all := f.news(t)
	slices.SortStableFunc(all, func(a, b news) int { return cmp.Compare(a.ref.Offset, b.ref.Offset) })
	all = append(all, f.end(t)...)
	for _, n := range all {
		key := string(id) + " " + n.key
		if f.said[key] {
			continue
		}
		f.said[key] = true
		if n.at == 0 || n.at >= f.Since {
			f.write(id, n)
		}
	}
}

func (f *Follower) write(id collector.SessionID, n news) {
	s := f.Screen
	head := s.In(screen.Dim, cmp.Or(s.Clock(n.at), "        ")) + " "
	width := 9
	if f.Named {
		name := screen.Line(f.Short(id))
		head += s.In(screen.Name, name) + " "
		width += screen.Cells(name) + 1
	}
	for i, line := range screen.Wrap(n.line, max(0, s.Width-width-2)) {
		if i > 0 {
			head = strings.Repeat(" ", width+2)
		}
		s.Println(head + line)
	}
}

func (f *Follower) news(t *collector.Turn) []news {
	s := f.Screen
	all := []news{{t.StartedAt, t.Prompt.Ref, "t" + strconv.Itoa(t.Index), s.In(screen.Accent, "▸") + " " + promptOf(t)}}
	for _, r := range t.RoundTrips {
		if text := screen.Line(r.Text.Preview); text != "" {
			if r.Text.Clipped() {
				text += " …"
			}
			all = append(all, news{r.EndedAt, r.Ref, "r" + strconv.Itoa(r.Seq), s.In(screen.Good, "●") + " " + text})
		}
	}
	for _, c := range t.ToolCalls {
		key, tool := "c"+strconv.Itoa(c.Seq), s.In(screen.Name, screen.Line(c.Tool))
		all = append(all, news{c.StartedAt, c.Ref, key, s.In(screen.Dim, "→") + " " + tool + " " + gist(c.Args)})
		if c.Status != collector.CallPending {
			all = append(all, news{c.EndedAt, cmp.Or(c.Result.Ref, c.Ref), key + " " + string(c.Status), f.result(c, tool)})
		}
	}
	for _, m := range t.Markers {
		if m.Kind == collector.MarkerHook && m.Status != collector.MarkerFailed {
			continue // one before and one after each call would hide the calls
		}
		all = append(all, news{m.At, m.Ref, "m" + strconv.Itoa(m.Seq) + string(m.Status),
			sign(s, m) + " " + join(screen.Line(m.Name), screen.Clip(screen.Line(m.Text.Preview), 160))})
	}
	return all
}

func (f *Follower) result(c *collector.ToolCall, tool string) string {
	s, sign := f.Screen, "✓"
	style := cmp.Or(callStyles[c.Status], screen.Good)
	if c.Status != collector.CallOK {
		sign = "✗"
	}
	status, took := outcome(c)
	what := ""
	if c.Status != collector.CallOK {
		what = screen.Clip(screen.Line(cmp.Or(c.Error, c.Result.Preview)), 160)
	}
	return s.In(style, sign) + " " + tool + " " + s.In(style, status) + " " + s.In(screen.Dim, join(took, what))
}

// end says how a turn ended, and its flags.
func (f *Follower) end(t *collector.Turn) []news {
	s := f.Screen
	var all []news
	for _, flag := range t.Flags {
		key := "f" + strconv.Itoa(t.Index) + string(flag.Kind) + string(flag.At.Kind) + strconv.Itoa(flag.At.Seq)
		all = append(all, news{t.EndedAt, t.Ref, key, s.In(screen.Care, "⚑ "+string(flag.Kind)) + " " + screen.Line(flag.Reason)})
	}
	if t.Status == collector.TurnOpen {
		return all
	}
	sum := t.Totals
	failed := ""
	if sum.FailedCalls > 0 {
		failed = s.In(screen.Bad, strconv.Itoa(sum.FailedCalls)+" failed")
	}
	total := ""
	if n := count(sum.Tokens.Total()); n != "" {
		total = n + " tokens"
	}
	line := s.In(cmp.Or(turnStyles[t.Status], screen.Bold), "■ turn "+strconv.Itoa(t.Index+1)+" "+string(t.Status)) + " " +
		join(screen.Took(sum.Clocks.WallMs), screen.Plural(sum.RoundTrips, "round trip"), screen.Plural(sum.Calls, "call"), failed, total, cost(sum), screen.Line(t.Error))
	return append(all, news{t.EndedAt, t.Ref, "e" + strconv.Itoa(t.Index) + string(t.Status) + strconv.Itoa(sum.RoundTrips), line})
}
