package opencode

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// tool decodes a call, which stands in one part from its asking to its result: its state is pending (the model still
// writes the arguments), running, completed or error.
func (d *decoder) tool(id string, p *fastjson.Value) {
	state := p.Get("state")
	tool, args := jsonl.Str(p, "tool"), state.Get("input")
	failed := ""
	if tool == invalid {
		// What the program makes of a call that it does not understand; what the model wrote stands within.
		tool, failed = jsonl.Str(args, "tool"), jsonl.Clip(args.Get("error"), errorBytes).Preview
	}
	started := jsonl.Time(state, "time", "start")
	status := jsonl.Str(state, "status")
	call := d.trip(collector.EventCall)
	call.Call, call.Time, call.Tool = id, started, tool
	call.Category, call.Effect = category(tool, args), effects[tool]
	if status != "pending" {
		call.Args, call.ArgsHash = jsonl.Clip(args, d.limit), jsonl.ArgsHash(args, ignoredArgs...)
	}
	d.child(id, tool, state)
	if tool == "todowrite" && status != "pending" {
		ev := d.trip(collector.EventMarker)
		ev.Marker, ev.MarkerStatus, ev.Name = collector.MarkerPlan, collector.MarkerOK, tool
		ev.Key, ev.Call, ev.Time = "plan:"+id, id, started
	}
	if tool == "skill" && status != "pending" {
		ev := d.trip(collector.EventMarker)
		ev.Marker, ev.MarkerStatus, ev.Name = collector.MarkerSkill, collector.MarkerOK, jsonl.Str(args, "name")
		ev.Key, ev.Call, ev.Time = "skill:"+id, id, started
	}
	switch status {
	case "completed", "error":
		d.result(id, tool, failed, state)
	case "pending", "running":
	default:
		d.unknown("tool state " + status)
	}
}

// child links a sub-agent's session to the call that began it.
func (d *decoder) child(id, tool string, state *fastjson.Value) {
	own := jsonl.Str(state, "metadata", "sessionId")
	if tool != "task" || own == "" {
		return
	}
	d.dst = append(d.dst, collector.Event{
		Kind: collector.EventFacts, Session: d.root.Child(own),
		Facts: &collector.Facts{Parent: d.session, ParentCall: id, Role: jsonl.Str(state, "input", "subagent_type")},
	})
}

func (d *decoder) result(id, tool, failed string, state *fastjson.Value) {
	start, end := jsonl.Time(state, "time", "start"), jsonl.Time(state, "time", "end")
	text := state.Get("output")
	if jsonl.Str(state, "status") == "error" {
		text = state.Get("error")
	}
	ev := d.trip(collector.EventResult)
	ev.Call, ev.Time, ev.CallStatus = id, end, collector.CallOK
	ev.Text, ev.ResultHash = jsonl.Clip(text, d.limit), jsonl.Hash(text)
	if start != 0 && end >= start {
		ev.Duration = collector.Exact(end - start)
	}
	if tool == "bash" {
		if code, ok := jsonl.Int(state, "metadata", "exit"); ok {
			exit := int(code)
			ev.ExitCode = &exit
		}
	}
	ev.LinesAdded, ev.LinesRemoved = lines(state.Get("metadata"))
	switch {
	case jsonl.Str(state, "status") == "error":
		ev.CallStatus = refusal(jsonl.Str(state, "error"), jsonl.Bool(state, "metadata", "interrupted"))
		ev.Error = jsonl.Clip(text, errorBytes).Preview
	case failed != "":
		ev.CallStatus, ev.Error = collector.CallFailed, failed
	case ev.ExitCode != nil && *ev.ExitCode != 0:
		ev.CallStatus = collector.CallFailed
	case tool == "bash" && ev.ExitCode == nil:
		ev.CallStatus = stopped(jsonl.Str(state, "output"))
	}
}

// refusal tells errors that are somebody's no from those of the tool (the texts are those of 1.18.33).
func refusal(text string, interrupted bool) collector.CallStatus {
	switch {
	case interrupted || text == "Tool execution aborted":
		return collector.CallInterrupted
	case strings.Contains(text, "The user rejected permission to use this specific tool call"),
		strings.Contains(text, "The user has specified a rule which prevents you from using this specific tool call"),
		strings.Contains(text, "The user dismissed this question"):
		return collector.CallDenied
	}
	return collector.CallFailed
}

// stopped tells why a command has no exit code: the program ended it, and says so at the end of the output.
func stopped(output string) collector.CallStatus {
	switch {
	case strings.Contains(output, "User aborted the command"):
		return collector.CallInterrupted
	case strings.Contains(output, "terminated command after exceeding timeout"):
		return collector.CallFailed
	}
	return collector.CallOK
}

// lines counts the changed lines of an edit, or of a patch to several files.
func lines(metadata *fastjson.Value) (added, removed int) {
	diffs := metadata.GetArray("files")
	if diff := metadata.Get("filediff"); diff != nil {
		diffs = []*fastjson.Value{diff}
	}
	for _, f := range diffs {
		a, _ := jsonl.Int(f, "additions")
		b, _ := jsonl.Int(f, "deletions")
		added, removed = added+int(max(a, 0)), removed+int(max(b, 0))
	}
	return added, removed
}
