package metrics_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

var label = regexp.MustCompile(`="((?:[^"\\]|\\.)*)"`)

// TestNamesCannotGrowWithoutEnd: a log may call its tools, models and versions what it likes.
func TestNamesCannotGrowWithoutEnd(t *testing.T) {
	m := toy(t)
	hostile := []string{"two\nlines", "bad \xff\xfe UTF-8", strings.Repeat("x", 10<<10), `quote"}`, "\x00", "\u202eevil", "mcp__", "mcp__a\nb__c", "mcp__" + strings.Repeat("y", 10<<10)}
	observe := func(i int, name string, category collector.Category) {
		key := strconv.Itoa(i)
		m.Observe(one(&collector.Turn{
			Key: key, Status: collector.TurnOK, EndedAt: ms(1),
			RoundTrips: []*collector.RoundTrip{{EndedAt: ms(1), Model: name, Tokens: collector.Tokens{Output: collector.Exact[int64](1)}}},
			ToolCalls:  []*collector.ToolCall{{Key: key, RoundTrip: -1, Tool: name, Category: category, Status: collector.CallOK, EndedAt: ms(1), DurationMs: collector.Exact[int64](1)}},
		}))
		m.Observe(&collector.Commit{At: ms(2), Reads: []collector.Read{{Agent: "toy", Kind: collector.StreamLog, Result: collector.ReadSkipped, Version: name, At: ms(1)}}})
		m.HookSeen("toy", name, collector.HookResultMalformed)
		m.HookSeen(name, "Stop", collector.HookResultOK)
	}
	for i, name := range hostile {
		observe(i, name, collector.CategoryShell)
	}
	for i := range 10_000 {
		observe(100+2*i, fmt.Sprintf("tool-%d", i), collector.CategoryOther)
		observe(101+2*i, fmt.Sprintf("mcp__server-%d__tool", i), collector.CategoryOther)
	}
	observe(100_000, "priced", collector.CategoryShell) // what is known has room of its own
	text := scrape(t, m)
	if n := strings.Count(text, "\n"); n > 4000 {
		t.Errorf("%d lines", n)
	}
	seen := map[string]bool{}
	for _, v := range label.FindAllStringSubmatch(text, -1) {
		seen[v[1]] = true
		if len(v[1]) > 80 || strings.ContainsAny(v[1], "\\\x00\u202e") {
			t.Errorf("label value %.100q", v[1])
		}
	}
	for _, want := range []string{"priced", "tool-0", "mcp/server-0", "mcp", "other"} {
		if !seen[want] {
			t.Errorf("no label value %q", want)
		}
	}
	if seen["tool-9999"] || seen["mcp/server-9999"] {
		t.Error("every name became a label value")
	}
	if got := values(t, m, "tool_calls_total"); sum(got) != float64(len(hostile)+20_001) {
		t.Errorf("%v calls were counted", sum(got))
	}
}
