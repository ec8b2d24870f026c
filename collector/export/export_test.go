package export_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/export"
	"github.com/turnwatch/turnwatch/collector/flow"
)

// evil is a text that would be markup, a script, a picture from elsewhere or a terminal's command.
const evil = "# no heading\n- no list\n1. no number\n<script>alert(1)</script> ![x](http://evil.example/p.png) `code` **bold** </details>\x1b[2J\n````\nfence"

func text(s string) collector.Text { return collector.Text{Preview: s, Bytes: int64(len(s))} }

func document(said string) export.Document {
	session := &collector.Session{ID: "acme:one", Agent: "acme", Title: said, Model: "m", Cwd: "/src/" + said, StartedAt: 1, LastAt: 2, TreeTotals: collector.ZeroTotals()}
	kid := &collector.Session{ID: "acme:one~kid", Agent: "acme", Parent: "acme:one", ParentCall: "k", Role: "explore", Title: "the sub-agent", TreeTotals: collector.ZeroTotals()}
	exit := 3
	turn := &collector.Turn{
		Index: 0, Status: collector.TurnOK, Prompt: text(said), Model: said, Totals: collector.ZeroTotals(), Ref: collector.Ref{Offset: 0},
		RoundTrips: []*collector.RoundTrip{{Seq: 0, Text: text(said), Thinking: text("thought"), Ref: collector.Ref{Offset: 1}}},
		ToolCalls: []*collector.ToolCall{
			{Seq: 0, Key: "k", Tool: said, Category: collector.CategoryShell, Status: collector.CallFailed, ExitCode: &exit, Args: text(said), Result: text(said),
				Error: said, Child: kid.ID, Ref: collector.Ref{Offset: 2}},
			{Seq: 1, Tool: "edit", Category: collector.CategoryFile, Status: collector.CallOK, Args: collector.Text{Preview: "cut", Bytes: 5000}, Ref: collector.Ref{Offset: 3}},
		},
		Markers: []*collector.Marker{
			{Seq: 0, Kind: collector.MarkerCompaction, Status: collector.MarkerOK, Name: said, Text: text(said), Ref: collector.Ref{Offset: 4}},
			{Seq: 1, Kind: collector.MarkerHook, Status: collector.MarkerOK, Name: "quiet-hook", Ref: collector.Ref{Offset: 5}},
		},
		Flags: []collector.Flag{{Kind: collector.FlagFail, Reason: said, At: collector.Target{Kind: collector.TargetCall, Seq: 0}}},
	}
	inner := &collector.Turn{
		Index: 0, Status: collector.TurnOK, Origin: collector.PromptAgent, Prompt: text("look around"), Totals: collector.ZeroTotals(),
		RoundTrips: []*collector.RoundTrip{{Seq: 0, Text: text("found it")}, {Seq: 1, Ref: collector.Ref{Offset: 1}}},
	}
	graph := flow.Build([]*collector.Turn{turn}, []flow.Lane{{Session: kid.ID, ParentCall: "k", Turns: []*collector.Turn{inner}}}, 1)
	return export.Document{
		Session: session, Turns: turns(export.Turn{Turn: turn, Flow: graph}), Children: []export.Document{{Session: kid, Turns: turns(export.Turn{Turn: inner})}},
		Version: "1.2.3", At: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC),
	}
}

func turns(all ...export.Turn) iter.Seq2[export.Turn, error] {
	return func(yield func(export.Turn, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func write(t *testing.T, to func(io.Writer, export.Document) error, d export.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := to(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTML: the file needs nothing, runs nothing, and what the log says is text.
func TestHTML(t *testing.T) {
	page := write(t, export.HTML, document(evil))
	for _, bad := range []string{"<script", "<img", "<iframe", "<link", "@import", "url(", "src=", "javascript:", "\x1b", "quiet-hook"} {
		if strings.Contains(strings.ToLower(page), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(href[1], "#") && href[1] != "http://evil.example/p.png" {
			t.Errorf("a link leads to %s", href[1])
		}
	}
	for _, want := range []string{
		"&lt;script&gt;", "default-src &#39;none&#39;", "prefers-color-scheme: dark", "@media print", "exit 3", "cut: the whole has 5000 bytes",
		"Sub-agent: the sub-agent", "look around", "found it", "Exported by Turnwatch 1.2.3", `class="flow"`,
	} {
		if !strings.Contains(page, want) && !strings.Contains(page, strings.ReplaceAll(want, "&#39;", "'")) {
			t.Errorf("%q is missing", want)
		}
	}
}

// TestFlowLeadsToText: every node of the flow is a link to something on the page.
func TestFlowLeadsToText(t *testing.T) {
	page := write(t, export.HTML, document("hello"))
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("two parts are %s", m[1])
		}
		ids[m[1]] = true
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(links) < 8 { // prompt, response, two calls, the compaction, the sub-agent's prompt and response, and the way to it
		t.Errorf("%d links", len(links))
	}
	for _, m := range links {
		id, err := url.PathUnescape(m[1]) // as browsers do
		if err != nil || !ids[id] {
			t.Errorf("a link leads to %s, which is nowhere", m[1])
		}
	}
}

var escaped = regexp.MustCompile(`\\.`)

// TestMarkdown: what the log says becomes no markup.
func TestMarkdown(t *testing.T) {
	md := write(t, export.Markdown, document(evil))
	fence := ""
	for l := range strings.Lines(md) {
		l = strings.TrimRight(l, "\n")
		if run := regexp.MustCompile("^`{3,}").FindString(l); run != "" {
			switch {
			case fence == "":
				fence = run
			case l == fence:
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		bare := escaped.ReplaceAllString(l, "")
		for _, bad := range []string{"<script", "![x](", "[x](", "\x1b", "> #", "> - no", "> 1. no", "`", "</"} {
			if strings.Contains(bare, bad) {
				t.Errorf("%q is markup", l)
			}
		}
	}
	if fence != "" {
		t.Error("a fence does not end")
	}
	for _, want := range []string{"## Turn 1: ok", `\# no heading`, "**Prompt**", "exit 3", "*… cut: the whole has 5000 bytes*", "## the sub-agent", "> look around"} {
		if !strings.Contains(md, want) {
			t.Errorf("%q is missing in:\n%s", want, md)
		}
	}
}

// TestManyNodes: the flow of a turn without end is cut, and says so.
func TestManyNodes(t *testing.T) {
	d := document("hello")
	turn := first(d)
	for i := range 1000 {
		turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{Seq: 10 + i, Tool: "poll", Status: collector.CallOK, Ref: collector.Ref{Offset: int64(10 + i)}})
	}
	d.Turns = turns(export.Turn{Turn: turn, Flow: flow.Build([]*collector.Turn{turn}, nil, 1)})
	if page := write(t, export.HTML, d); !strings.Contains(page, "more steps, which the text below has") || strings.Count(page, "<rect") > 300 {
		t.Errorf("%d boxes", strings.Count(page, "<rect"))
	}
}

func first(d export.Document) *collector.Turn {
	for t := range d.Turns {
		return t.Turn
	}
	return nil
}

// TestReadingFails: what cannot be read ends both, and nothing looks like the whole.
func TestReadingFails(t *testing.T) {
	broken := errors.New("the log is gone")
	for name, to := range map[string]func(io.Writer, export.Document) error{"html": export.HTML, "markdown": export.Markdown} {
		for _, where := range []string{"root", "child"} {
			d := document("hello")
			at := &d.Turns
			if where == "child" {
				at = &d.Children[0].Turns
			}
			good := *at
			*at = func(yield func(export.Turn, error) bool) {
				for turn := range good {
					if !yield(turn, nil) {
						return
					}
				}
				yield(export.Turn{}, broken)
			}
			if err := to(io.Discard, d); !errors.Is(err, broken) {
				t.Errorf("%s, %s: %v", name, where, err)
			}
		}
	}
}

// TestUnverified: a session whose numbers nobody checked says so, once.
func TestUnverified(t *testing.T) {
	d := document("hello")
	d.Session.Unverified, d.Children[0].Session.Unverified = "After notes of <others>.", "After notes of <others>."
	for name, to := range map[string]func(io.Writer, export.Document) error{"html": export.HTML, "md": export.Markdown} {
		text := write(t, to, d)
		if n := strings.Count(text, "not checked against the real program. After notes of"); n != 1 || strings.Contains(text, " <others>") {
			t.Errorf("%s says it %d times: %s", name, n, text)
		}
		if text := write(t, to, document("hello")); strings.Contains(text, "nverified") {
			t.Errorf("%s of a verified agent: %s", name, text)
		}
	}
}
