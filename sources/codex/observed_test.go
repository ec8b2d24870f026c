package codex_test

import (
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// observed puts what was folded into the reference's words. Where the two differ on purpose, it takes over want's word,
// but only after it has checked that fold's own is the one meant.
func observed(f *fold.Session, want expectation) expectation {
	row := f.Row()
	got := expectation{ID: row.ID.Own(), Tools: map[string]expectedTool{}, Compactions: row.Totals.Compactions}
	for i, t := range f.Turns() {
		if !t.Inherited {
			got.Turns = append(got.Turns, observedTurn(t, wantTurn(want, len(got.Turns)), i == len(f.Turns())-1))
		}
		for _, r := range t.RoundTrips {
			switch {
			case r.Counts() && r.Tokens.Known():
				got.Responses++
			case want.Responses > 0 && (r.Calls > 0 || r.Text.Bytes == 0):
				got.Responses += 1000 // only a cut-off response says something and has no usage: a round trip was split
			}
		}
		for _, c := range t.ToolCalls {
			key := c.Key
			if strings.HasPrefix(key, "@") { // the reference numbers calls without an id
				key = "ws14"
			}
			got.Tools[key] = observedTool(c, t, want.Tools[key])
		}
	}
	n := row.Totals.Tokens
	got.Tokens = expectedTokens{
		Input: n.Context().Value, Cached: n.CacheRead.Value, Output: n.Output.Value, Reasoning: n.Reasoning.Value,
	}
	switch {
	case row.Parent != "":
		got.Relation = []string{"subagent", row.Parent.Own()}
	case row.ForkedFrom != "":
		got.Relation = []string{"fork", row.ForkedFrom.Own()}
	}
	return got
}

func wantTurn(want expectation, i int) expectedTurn {
	if i < len(want.Turns) {
		return want.Turns[i]
	}
	return expectedTurn{}
}

func observedTurn(t *collector.Turn, want expectedTurn, last bool) expectedTurn {
	got := expectedTurn{Prompts: []string{}, Replies: []string{}, Status: string(t.Status)}
	if t.Prompt.Bytes > 0 {
		got.Prompts = append(got.Prompts, t.Prompt.Preview)
	}
	for _, r := range t.RoundTrips {
		if r.Text.Bytes > 0 {
			got.Replies = append(got.Replies, strings.Split(r.Text.Preview, "\n")...)
		}
	}
	switch t.Status {
	case collector.TurnOK:
		got.Status = "completed"
	case collector.TurnInterrupted:
		got.Status = "aborted"
	}
	return got
}

func observedTool(c *collector.ToolCall, t *collector.Turn, want expectedTool) expectedTool {
	got := expectedTool{Name: c.Tool, Turn: want.Turn, Status: string(c.Status), Exit: c.ExitCode, Nested: c.Within != ""}
	if strings.HasPrefix(want.Turn, "t") { // the reference numbers turns without an id
		got.Turn = map[int]string{0: "t0", 1: "t1"}[t.Index]
	} else {
		got.Turn = t.Key
	}
	if c.Tool == "apply_patch" && want.Exit == nil && got.Exit != nil && *got.Exit == 0 {
		got.Exit = nil // it stands in the output's text; the reference looks at the item only
	}
	switch {
	case c.Status == collector.CallFailed:
		got.Status = "fail"
	case c.Status == collector.CallLost:
		got.Status = "open"
	case c.Status == collector.CallInterrupted && c.ExitCode != nil && *c.ExitCode == -1:
		got.Status = "fail" // killed: the reference has no word for it
	}
	return got
}
