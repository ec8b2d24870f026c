// Package export writes a session for people who have no Turnwatch: as Markdown, or as one HTML file that needs nothing
// else, with the flow drawn in it. It reads nothing: what it is given has been read, and secrets in it are masked.
// Nothing that a log says becomes markup.
package export

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
	"github.com/turnwatch/turnwatch/collector/printable"
)

// Document is a session to be exported.
type Document struct {
	Session  *collector.Session
	Turns    iter.Seq2[Turn, error] // read as they are written: a session may be larger than the memory
	Children []Document             // sub-agents, those of sub-agents within theirs
	Version  string                 // of Turnwatch
	At       time.Time              // when it was exported, in the reader's time zone
}

// Turn is a turn with its parts, and whole texts as far as the log can be read.
type Turn struct {
	*collector.Turn
	Flow flow.Graph // of the turn, with sub-agents; empty = it is not drawn
}

// step is a part of a turn: exactly one of its fields is set.
type step struct {
	Trip   *collector.RoundTrip
	Call   *collector.ToolCall
	Marker *collector.Marker
}

func (s step) offset() int64 {
	switch {
	case s.Trip != nil:
		return s.Trip.Ref.Offset
	case s.Call != nil:
		return s.Call.Ref.Offset
	}
	return s.Marker.Ref.Offset
}

// steps are the parts of a turn in the order of the log, without hooks that did their work.
func steps(t Turn) []step {
	var all []step
	for _, r := range t.RoundTrips {
		all = append(all, step{Trip: r}) // the flow leads to it, even if it said nothing
	}
	for _, c := range t.ToolCalls {
		all = append(all, step{Call: c})
	}
	for _, m := range t.Markers {
		if m.Kind != collector.MarkerHook || m.Status == collector.MarkerFailed {
			all = append(all, step{Marker: m})
		}
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.offset(), b.offset()) })
	return all
}

func title(s *collector.Session) string {
	return cmp.Or(line(s.Title), "(no title)")
}

func line(s string) string { return strings.Join(strings.Fields(printable.Line(s)), " ") }

// fact is a named line of the head.
type fact struct{ Name, Text string }

func (d Document) facts() []fact {
	s := d.Session
	all := []fact{
		{"Agent", strings.TrimSpace(string(s.Agent) + " " + line(s.Version))}, {"Unverified", unverified(s)}, {"Model", line(s.Model)}, {"Role", line(s.Role)}, {"Folder", line(s.Cwd)},
		{"Repo", line(s.Repo)}, {"Branch", line(s.Branch)}, {"Began", d.moment(s.StartedAt)}, {"Last record", d.moment(s.LastAt)},
		{"Labels", line(strings.Join(s.Labels, ", "))}, {"Id", line(string(s.ID))}, {"Totals", totals(s.TreeTotals)},
	}
	return slices.DeleteFunc(all, func(f fact) bool { return f.Text == "" })
}

// unverified says why the numbers may be wrong; of a sub-agent its root says it.
func unverified(s *collector.Session) string {
	if s.Unverified == "" || s.Parent != "" {
		return ""
	}
	return "not checked against the real program. " + line(s.Unverified)
}

func (d Document) moment(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).In(d.At.Location()).Format("2006-01-02 15:04:05 MST")
}

func (d Document) clock(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).In(d.At.Location()).Format("15:04:05")
}

func totals(t collector.Totals) string {
	parts := []string{plural(t.Turns, "turn"), plural(t.RoundTrips, "round trip"), plural(t.Calls, "call")}
	if t.FailedCalls > 0 {
		parts = append(parts, strconv.Itoa(t.FailedCalls)+" failed")
	}
	if n := count(t.Tokens.Total()); n != "" {
		parts = append(parts, n+" tokens")
	}
	for _, unit := range []struct {
		amount *collector.Amount
		format string
	}{{t.CostUSD, "$%.2f"}, {t.PremiumRequests, "%.2f premium requests"}, {t.Credits, "%.2f credits"}} {
		if a := unit.amount; a != nil && a.Quality != collector.QualityUnknown && (a.Value != 0 || a.Quality == collector.QualityPartial) {
			parts = append(parts, bound(a.Quality)+fmt.Sprintf(unit.format, a.Value))
		}
	}
	if t.Flags > 0 {
		parts = append(parts, plural(t.Flags, "flag"))
	}
	return strings.Join(parts, " · ")
}

// count writes a measure with separated thousands: "≥" before a lower bound, "" if it is unknown.
func count(c collector.Count) string {
	if c.Quality == collector.QualityUnknown {
		return ""
	}
	digits := strconv.FormatInt(c.Value, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return bound(c.Quality) + b.String()
}

func bound(q collector.Quality) string {
	if q == collector.QualityPartial {
		return "≥ "
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// took writes a duration.
func took(c collector.Count) string {
	if c.Quality == collector.QualityUnknown {
		return ""
	}
	d := time.Duration(c.Value) * time.Millisecond
	switch {
	case d < time.Second:
		return strconv.FormatInt(c.Value, 10) + " ms"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// status writes how a call went.
func status(c *collector.ToolCall) string {
	if c.ExitCode != nil && *c.ExitCode != 0 {
		return string(c.Status) + ", exit " + strconv.Itoa(*c.ExitCode)
	}
	return string(c.Status)
}

// clipped says how much of a text is not there.
func clipped(t collector.Text) string {
	if !t.Clipped() {
		return ""
	}
	return fmt.Sprintf("… cut: the whole has %d bytes", t.Bytes)
}
