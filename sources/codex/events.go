package codex

import (
	"cmp"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// event reads an event_msg. Which of them reach the disk depends on the version; the rest is taken if it is there.
func (d *decoder) event(p *fastjson.Value) {
	switch kind := p.GetStringBytes("type"); string(kind) {
	case "task_started", "turn_started":
		d.taskStarted(p)
	case "task_complete", "turn_complete":
		d.taskComplete(p)
	case "turn_aborted":
		d.turnAborted(p)
	case "user_message":
		d.userMessage(p)
	case "agent_message":
		if msg := p.Get("message"); jsonl.Clip(msg, 64).Preview != "Compact task completed" { // 0.45 says so as the model
			d.text(msg, "", false)
		}
	case "agent_reasoning", "agent_reasoning_raw_content":
		d.text(p.Get("text"), "", true)
	case "token_count":
		d.tokenCount(p)
	case "item_completed":
		d.completed(p)
	case "thread_settings_applied":
		if model := jsonl.Str(p, "thread_settings", "model"); model != "" && !d.foreign(jsonl.Str(p, "thread_id")) {
			d.add(collector.EventFacts).Facts = &collector.Facts{Model: model}
		}
	case "patch_apply_end", "mcp_tool_call_end", "exec_command_end":
		d.toolEnd(string(kind), p)
	case "collab_agent_spawn_end":
		d.spawned(jsonl.Str(p, "new_thread_id"), jsonl.Str(p, "call_id"), jsonl.Str(p, "agent_role"))
	case "sub_agent_activity":
		d.activity(p)
	case "error":
		d.mark(collector.MarkerError, collector.MarkerFailed, "error", p.Get("message"))
	case "warning", "stream_error", "thread_rolled_back", "entered_review_mode", "exited_review_mode", "thread_goal_updated":
		d.mark(collector.MarkerNotice, collector.MarkerOK, string(kind), p.Get("message"))
	case "context_compacted", "web_search_end", "web_search_begin", "image_generation_end", "agent_reasoning_section_break",
		"session_configured", "exec_command_begin", "mcp_tool_call_begin", "patch_apply_begin", "exec_approval_request",
		"apply_patch_approval_request", "plan_update", "turn_diff", "hook_started", "hook_completed", "item_started",
		"view_image_tool_call", "user_shell_command", "undo_started", "undo_completed", "background_event", "shutdown_complete":
		// Repeats what another record says.
	default:
		d.unknown("event_msg/" + string(kind))
	}
}

func (d *decoder) mark(kind collector.MarkerKind, status collector.MarkerStatus, name string, text *fastjson.Value) *collector.Event {
	e := d.add(collector.EventMarker)
	e.Marker, e.MarkerStatus, e.Name = kind, status, name
	e.Text = jsonl.Clip(text, d.limit)
	return e
}

func (d *decoder) taskStarted(p *fastjson.Value) {
	turn := jsonl.Str(p, "turn_id")
	copied, sure := d.copied(turn, jsonl.Time(p, "started_at"))
	e := d.add(collector.EventTurnStart)
	e.Turn, e.Inherited, e.Tentative = turn, copied, !sure
	if jsonl.Str(p, "turn_attribution", "parent_turn_id") != "" {
		e.Origin = collector.PromptAgent
	}
	if w, known := jsonl.Int(p, "model_context_window"); known && w > 0 && !copied {
		d.add(collector.EventFacts).Facts = &collector.Facts{Window: w}
	}
}

func (d *decoder) taskComplete(p *fastjson.Value) {
	turn, why := jsonl.Str(p, "turn_id"), ""
	status := collector.TurnOK
	if fault := p.Get("error"); fault != nil && fault.Type() == fastjson.TypeObject {
		status = collector.TurnFailed
		why = jsonl.Clip(fault.Get("message"), collector.PreviewBytes).Preview
		d.mark(collector.MarkerError, collector.MarkerFailed, errorName(fault), fault.Get("message")).Turn = turn
	}
	d.turnEnd(p, turn, status, why)
}

// errorName returns the kind of an error: a word, or an object whose only key it is.
func errorName(fault *fastjson.Value) string {
	info := fault.Get("codex_error_info")
	name := jsonl.Str(info)
	info.GetObject().Visit(func(key []byte, _ *fastjson.Value) { name = cmp.Or(name, string(key)) })
	return cmp.Or(name, "error")
}

func (d *decoder) turnAborted(p *fastjson.Value) {
	turn, reason := jsonl.Str(p, "turn_id"), jsonl.Str(p, "reason")
	status, why := collector.TurnInterrupted, ""
	switch reason {
	case "interrupted", "replaced", "":
	case "review_ended":
		status = collector.TurnOK
	default:
		status, why = collector.TurnFailed, reason
	}
	if status != collector.TurnOK {
		d.mark(collector.MarkerAbort, collector.MarkerFailed, reason, nil).Turn = turn
	}
	d.turnEnd(p, turn, status, why)
}

func (d *decoder) turnEnd(p *fastjson.Value, turn string, status collector.TurnStatus, why string) {
	e := d.add(collector.EventTurnEnd)
	e.Turn, e.TurnStatus, e.Error = turn, status, why
	if ms, known := jsonl.Int(p, "duration_ms"); known {
		e.Duration = collector.Exact(ms)
	}
	e.Inherited, _ = d.copied(turn, 0)
}

// userMessage reads a prompt of the second generation. Inherited ones are told apart by the turn start before them.
func (d *decoder) userMessage(p *fastjson.Value) {
	var parts []*fastjson.Value
	if msg := p.Get("message"); msg != nil {
		parts = append(parts, msg)
	}
	d.prompt(parts, "", "")
}

// activity reads what v2 sub-agents do; the start of one names the call that spawned it.
func (d *decoder) activity(p *fastjson.Value) {
	if string(p.GetStringBytes("kind")) == "started" {
		call := jsonl.Str(p, "id")
		d.spawned(jsonl.Str(p, "agent_thread_id"), cmp.Or(call, jsonl.Str(p, "call_id")), "")
	}
}

// toolEnd reads how a tool ended (0.142; the older "extended" mode).
func (d *decoder) toolEnd(kind string, p *fastjson.Value) {
	e := d.add(collector.EventResult)
	e.Call, e.Turn, e.Enriches = jsonl.Str(p, "call_id"), jsonl.Str(p, "turn_id"), true
	e.CallStatus = collector.CallOK
	switch kind {
	case "patch_apply_end":
		patched(e, p)
		if !jsonl.Bool(p, "success") && e.CallStatus == collector.CallOK {
			e.CallStatus = collector.CallFailed
		}
	case "mcp_tool_call_end":
		e.Duration = duration(p.Get("duration"))
		if fault := p.Get("result", "Err"); fault != nil {
			e.CallStatus, e.Error = collector.CallFailed, firstLine(jsonl.Clip(fault, headBytes).Preview)
		} else if jsonl.Bool(p, "result", "Ok", "isError") {
			e.CallStatus = collector.CallFailed
		}
	case "exec_command_end":
		executed(e, p)
	}
}

// duration reads {"secs":1,"nanos":5}.
func duration(v *fastjson.Value) collector.Count {
	secs, known := jsonl.Int(v, "secs")
	nanos, _ := jsonl.Int(v, "nanos")
	if !known {
		return collector.Count{}
	}
	return collector.Exact(secs*1000 + nanos/1_000_000)
}
