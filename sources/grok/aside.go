package grok

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// lifecycle reads a line of events.jsonl: how each call ended, and how long it took without the time in which a human was
// asked. All else that it says, the log says, or says of no call.
func (d *decoder) lifecycle(v *fastjson.Value) {
	ev := collector.Event{Kind: collector.EventResult, Enriches: true, Late: true}
	switch kind := jsonl.Str(v, "type"); kind {
	case "tool_completed":
		ev.Call = jsonl.Str(v, "tool_call_id")
		ev.CallStatus = outcome(jsonl.Str(v, "outcome"))
		if ms, known := jsonl.Int(v, "duration_ms"); known {
			ev.Duration = collector.Exact(max(ms, 0))
		}
	case "mcp_tool_call_completed":
		ev.Call = jsonl.Str(v, "call_id")
		if v.Exists("success") && !jsonl.Bool(v, "success") {
			ev.CallStatus = collector.CallFailed
		}
	case "":
		d.add(collector.Event{Kind: collector.EventUnknown, Name: "event without a type"})
		return
	}
	if ev.Call != "" {
		d.add(ev)
	}
}

// outcome says how a call ended; "" = well.
func outcome(word string) collector.CallStatus {
	switch word {
	case "success", "", "followup":
		return ""
	case "permission_rejected", "permission_cancelled", "hook_denied":
		return collector.CallDenied
	}
	return collector.CallFailed // error, invalid_tool, cancelled
}

// summary reads summary.json, which is written anew again and again.
func (d *decoder) summary(v *fastjson.Value) {
	f := collector.Facts{
		Title:     jsonl.Str(v, "generated_title"),
		TitleRank: collector.TitleAuto,
		Cwd:       jsonl.Str(v, "info", "cwd"),
		Branch:    jsonl.Str(v, "head_branch"),
	}
	switch {
	case jsonl.Bool(v, "title_is_manual"):
		f.TitleRank = collector.TitleUser
	case isSubagent(v):
		f.TitleRank = collector.TitleSummary // whoever spawned it said better what it is for
	}
	d.add(collector.Event{Kind: collector.EventFacts, Facts: &f})
	if root := d.stream.Session.Root(); root != d.stream.Session {
		d.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Parent: root, Fallback: true}})
	}
	if from := jsonl.Str(v, "parent_session_id"); from != "" && !isSubagent(v) {
		d.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{ForkedFrom: collector.NewSessionID(agent, from)}})
	}
}

// meta reads what a session says of a sub-agent that it spawned, in the words of its log's subagent_spawned.
func (d *decoder) meta(v *fastjson.Value) {
	d.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{
		Role: jsonl.Str(v, "subagent_type"), Title: jsonl.Str(v, "description"), TitleRank: collector.TitleAuto,
	}})
}

// signals reads signals.json, of whose counters only the size of the window is stated nowhere else.
func (d *decoder) signals(v *fastjson.Value) {
	if n, known := jsonl.Int(v, "contextWindowTokens"); known && n > 0 {
		d.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Window: n}})
	}
}

func count(v *fastjson.Value, key string) collector.Count {
	n, known := jsonl.Int(v, key)
	if !known {
		return collector.Count{}
	}
	return collector.Exact(max(n, 0))
}
