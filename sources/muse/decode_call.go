package muse

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// calls takes the calls that a response asks for. Arguments are JSON in a string.
func (d *decoder) calls(r *record) {
	for _, call := range r.event.GetArray("tool_calls") {
		ev := r.of(collector.EventCall)
		ev.Turn, ev.Call = r.run, cmp.Or(jsonl.Str(call, "call_id"), jsonl.Str(call, "id"))
		args := call.Get("args")
		inner := args.GetStringBytes()
		if inner == nil || !jsonl.Object(inner, func(v *fastjson.Value) { setTool(&ev, jsonl.Str(call, "name"), v, d.limit) }) {
			setTool(&ev, jsonl.Str(call, "name"), args, d.limit)
		}
		d.add(ev)
	}
}

// effectStarted says when a call began: it may have waited for a permission, or for others. It asks for nothing new.
func (d *decoder) effectStarted(r *record) {
	ev := r.of(collector.EventCall)
	ev.Turn, ev.Call = r.run, jsonl.Str(r.fact, "call_id")
	if ev.Call == "" {
		return
	}
	setTool(&ev, jsonl.Str(r.fact, "tool_name"), nil, d.limit)
	d.add(ev)
}

// effectEnded says when a call ended: its result is written with those of its whole batch.
func (d *decoder) effectEnded(r *record) {
	ev := r.of(collector.EventResult)
	ev.Turn, ev.Call, ev.Enriches = r.run, jsonl.Str(r.fact, "call_id"), true
	outcome := r.fact.Get("outcome")
	switch kind := jsonl.Str(outcome, "kind"); kind {
	case "completed", "":
		ev.CallStatus = collector.CallOK
	case "cancelled":
		ev.CallStatus = collector.CallInterrupted
	default:
		ev.CallStatus, ev.Error = collector.CallFailed, clipError(cmp.Or(jsonl.Str(outcome, "reason"), kind))
	}
	d.add(ev)
}

// results takes the results of a batch of calls, or, in older versions, a single one.
func (d *decoder) results(r *record) {
	results := r.event.GetArray("results")
	if results == nil {
		results = []*fastjson.Value{r.event}
	}
	for _, v := range results {
		ev := r.of(collector.EventResult)
		ev.Turn, ev.Call = r.run, cmp.Or(jsonl.Str(v, "tool_call_id"), jsonl.Str(v, "call_id"))
		d.outcome(&ev, first(v.Get("text"), v.Get("output"), v.Get("result"), v.Get("content")))
		d.add(ev)
	}
}

// failedCall begins the result of a call that failed.
const failedCall = "tool failed: "

// outcome takes a result's text and how the call ended. A command's is a JSON object with its exit code.
func (d *decoder) outcome(ev *collector.Event, text *fastjson.Value) {
	ev.CallStatus = collector.CallOK
	ev.Text = d.text(text)
	if text == nil {
		return
	}
	ev.ResultHash = jsonl.Hash(text)
	if text.Type() != fastjson.TypeString {
		return
	}
	raw := text.GetStringBytes()
	if len(raw) > 0 && raw[0] == '{' {
		jsonl.Object(raw, func(v *fastjson.Value) { d.command(ev, v) })
	} else if why, failed := bytes.CutPrefix(raw, []byte(failedCall)); failed {
		ev.CallStatus, ev.Error = collector.CallFailed, clipError(string(why[:min(len(why), 2*errorBytes)]))
		if strings.Contains(ev.Error, "denied") {
			ev.CallStatus = collector.CallDenied
		}
	}
}

// command takes the result of a command: exit_code, terminal_status, output.
func (d *decoder) command(ev *collector.Event, v *fastjson.Value) {
	status := jsonl.Str(v, "terminal_status")
	if !v.Exists("exit_code") && status == "" {
		return // another tool's JSON
	}
	if out := v.Get("output"); out != nil && out.Type() == fastjson.TypeString {
		ev.Text, ev.ResultHash = d.text(out), jsonl.Hash(out)
	}
	if n, ok := jsonl.Int(v, "exit_code"); ok {
		code := int(n)
		ev.ExitCode = &code
		if code != 0 {
			ev.CallStatus = collector.CallFailed
		}
		return
	}
	switch status {
	case "running":
		ev.Background = true
	case "timed_out", "failed", "killed":
		ev.CallStatus, ev.Error = collector.CallFailed, strings.ReplaceAll(status, "_", " ")
	case "cancelled":
		ev.CallStatus = collector.CallInterrupted
	}
}

// shellCommand takes a command that the user typed into the program (from names in its binary; not seen).
func (d *decoder) shellCommand(r *record) {
	ev := r.of(collector.EventCall)
	ev.Call, ev.Tool, ev.Category, ev.Unasked = jsonl.Str(r.fact, "command_id"), "user_shell", collector.CategoryShell, true
	ev.Args = d.text(r.fact.Get("command_text"))
	ev.ArgsHash = jsonl.HashString(jsonl.Str(r.fact, "command_text"))
	d.add(ev)
}

func (d *decoder) shellResult(r *record) {
	ev := r.of(collector.EventResult)
	ev.Call, ev.CallStatus = jsonl.Str(r.fact, "command_id"), collector.CallOK
	ev.Text = d.text(r.fact.Get("visible_output"))
	if n, ok := jsonl.Int(r.fact, "exit_code"); ok {
		code := int(n)
		ev.ExitCode = &code
	}
	if ms, ok := jsonl.Int(r.fact, "duration_ms"); ok && ms >= 0 {
		ev.Duration = collector.Exact(ms)
	}
	switch state := jsonl.Str(r.fact, "terminal_state"); {
	case state == "cancelled":
		ev.CallStatus = collector.CallInterrupted
	case state != "" && state != "completed", ev.ExitCode != nil && *ev.ExitCode != 0:
		ev.CallStatus = collector.CallFailed
	}
	d.add(ev)
}

// approval takes a question about a call, and what was decided. Where the program's own reviewer decides, no human waits.
func (d *decoder) approval(r *record, kind string) {
	key := jsonl.Str(r.event, "pending_action_id")
	ev := r.of(collector.EventMarker)
	ev.Turn, ev.Key, ev.Marker = r.run, "approval "+cmp.Or(key, r.id), collector.MarkerPermission
	switch kind {
	case "requested":
		ev.Name, ev.Call, ev.MarkerStatus = jsonl.Str(r.event, "tool_name"), jsonl.Str(r.event, "tool_call_id"), collector.MarkerPending
		ev.Text = d.text(r.event.Get("raw_args"))
	case "decision_applied":
		ev.MarkerStatus, ev.Source = collector.MarkerOK, jsonl.Str(r.event, "decision_source", "kind")
		if decision := jsonl.Str(r.event, "decision"); decision != "approved" {
			ev.Text = jsonl.ClipString(decision, d.limit) // a call that was refused says so itself
		}
		if ev.Source == "llm_judge" {
			ev.Duration = collector.Exact[int64](0)
		}
	case "automated_review_started", "automated_review_completed", "stage_requirement_resolved":
		return
	default:
		d.unknown(r, "approval "+kind)
		return
	}
	d.add(ev)
}

// asked takes that a call asks the user a question, and answered the answer: in between a human is waited for.
func (d *decoder) asked(r *record) {
	ev := r.of(collector.EventMarker)
	ev.Turn, ev.Key, ev.Marker, ev.MarkerStatus = r.run, "question "+jsonl.Str(r.event, "prompt_id"), collector.MarkerPermission, collector.MarkerPending
	ev.Name, ev.Call = "question", jsonl.Str(r.event, "tool_call_id")
	ev.Text = d.text(r.event.Get("questions"))
	d.add(ev)
}

func (d *decoder) answered(r *record) {
	ev := r.of(collector.EventMarker)
	ev.Turn, ev.Key, ev.Marker, ev.MarkerStatus = r.run, "question "+jsonl.Str(r.event, "prompt_id"), collector.MarkerPermission, collector.MarkerOK
	ev.Name, ev.Call = "question", jsonl.Str(r.event, "tool_call_id")
	d.add(ev)
}

// errorBytes is how much of an error is kept.
const errorBytes = 500

func clipError(s string) string { return jsonl.ClipString(strings.TrimSpace(s), errorBytes).Preview }
