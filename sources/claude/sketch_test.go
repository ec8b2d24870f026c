package claude_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/claude"
)

const sid = "11111111-1111-4111-8111-111111111111"

// mainLog is the stream of a root session's transcript.
var mainLog = collector.Stream{
	ID: "claude/log/" + sid, Agent: "claude", Kind: collector.StreamLog, Session: "claude:" + sid, Path: "/p/" + sid + ".jsonl",
}

// childLog is the stream of a sub-agent's transcript.
var childLog = collector.Stream{
	ID: "claude/log/" + sid + "/a0", Agent: "claude", Kind: collector.StreamLog, Session: "claude:" + sid + "~a0", Path: "/p/agent-a0.jsonl",
}

func newSource(home string) *claude.Source {
	return claude.New(collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: home + "/proc", Now: func() time.Time { return time.Unix(1_796_000_000, 0) },
	})
}

// decode returns the events of lines, each decoded by itself.
func decode(t testing.TB, st collector.Stream, lines ...string) []collector.Event {
	t.Helper()
	src := newSource("/nowhere")
	var all []collector.Event
	for i, l := range lines {
		r := collector.Record{Ref: collector.Ref{Offset: int64(i) * 100_000, Length: int64(len(l)), Line: int64(i + 1)}, Data: []byte(l)}
		evs, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		all = append(all, evs...)
	}
	return all
}

// folded returns the session that lines fold to.
func folded(t testing.TB, lines ...string) *fold.Session {
	t.Helper()
	f := fold.New(mainLog.Session)
	f.SawLog(mainLog.Path)
	for i, l := range lines {
		for _, ev := range decode(t, mainLog, l) {
			if ev.Session == "" {
				f.Apply(&ev, collector.Ref{Offset: int64(i) * 100_000, Length: int64(len(l)), Line: int64(i + 1)})
			}
		}
	}
	f.Settle(fold.Judges{})
	return f
}

// sketch writes an event in one line: what it is and what matters of it.
func sketch(ev collector.Event) string {
	var b strings.Builder
	word := func(s string) {
		if s != "" {
			b.WriteString(" " + s)
		}
	}
	pair := func(k, v string) {
		if v != "" {
			b.WriteString(" " + k + "=" + v)
		}
	}
	flag := func(name string, on bool) {
		if on {
			word(name)
		}
	}
	b.WriteString([...]string{"unknown", "malformed", "facts", "prompt", "start", "end", "asked", "text", "usage", "tripend", "call", "result", "marker", "inherit"}[ev.Kind])
	pair("session", strings.TrimPrefix(string(ev.Session), "claude:"+sid))
	flag("inherited", ev.Inherited)
	word(string(ev.Origin))
	word(string(ev.TurnStatus))
	word(string(ev.Marker))
	pair("rt", ev.RoundTrip)
	word(ev.Call)
	if ev.Kind == collector.EventCall {
		word(ev.Tool + "/" + string(ev.Category) + [...]string{"", "/edit", "/poll"}[ev.Effect])
	}
	word(ev.Name)
	word(string(ev.CallStatus))
	word(string(ev.MarkerStatus))
	flag("tentative", ev.Tentative)
	flag("joins", ev.Joins)
	flag("late", ev.Late)
	flag("thinking", ev.Thinking)
	flag("redacted", ev.Redacted)
	flag("background", ev.Background)
	flag("enriches", ev.Enriches)
	pair("stop", ev.StopReason)
	pair("source", ev.Source)
	numbers(ev, pair)
	statements(ev.Facts, pair, flag)
	if ev.Text.Preview != "" {
		fmt.Fprintf(&b, " %q", ev.Text.Preview)
	}
	if ev.Error != "" {
		pair("error", fmt.Sprintf("%q", ev.Error))
	}
	return b.String()
}

func sketches(evs []collector.Event) []string {
	out := make([]string, 0, len(evs))
	for _, ev := range evs {
		out = append(out, sketch(ev))
	}
	return out
}

// numbers writes what of the event can be counted.
func numbers(ev collector.Event, pair func(k, v string)) {
	if ev.ExitCode != nil {
		pair("exit", fmt.Sprint(*ev.ExitCode))
	}
	if ev.LinesAdded+ev.LinesRemoved > 0 {
		pair("lines", fmt.Sprintf("+%d-%d", ev.LinesAdded, ev.LinesRemoved))
	}
	counted := func(k string, c collector.Count) {
		if c.Quality != collector.QualityUnknown {
			pair(k, fmt.Sprint(c.Value)+map[collector.Quality]string{collector.QualityPartial: "+"}[c.Quality])
		}
	}
	counted("ms", ev.Duration)
	counted("pre", ev.PreTokens)
	counted("post", ev.PostTokens)
	if u := ev.Usage; u != nil {
		counted("in", u.Tokens.Input)
		counted("read", u.Tokens.CacheRead)
		counted("5m", u.Tokens.CacheWrite5m)
		counted("1h", u.Tokens.CacheWrite1h)
		counted("out", u.Tokens.Output)
		counted("think", u.Tokens.Reasoning)
	}
}

// statements writes facts.
func statements(f *collector.Facts, pair func(k, v string), flag func(name string, on bool)) {
	if f == nil {
		return
	}
	pair("title", f.Title)
	pair("cwd", f.Cwd)
	pair("branch", f.Branch)
	pair("version", f.Version)
	pair("role", f.Role)
	pair("repo", f.Repo)
	pair("parent", strings.TrimPrefix(string(f.Parent), "claude:"))
	pair("parentCall", f.ParentCall)
	pair("fork", string(f.ForkedFrom))
	flag("fallback", f.Fallback)
	flag("resumed", f.Resumed)
	if f.Accounting != nil && f.Accounting.CostUSD != nil {
		pair("usd", fmt.Sprint(f.Accounting.CostUSD.Value))
	}
}
