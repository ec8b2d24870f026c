package claude

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// attached decodes an attachment: context that was put into a request, what a hook did, or a prompt that a running
// turn took in.
func (d *decoder) attached() {
	a := d.attachment
	typ := word(a.Get("type"))
	switch string(typ) {
	case "queued_command":
		d.joined(a)
	case "hook_success", "hook_additional_context", "hook_system_message", "hook_permission_decision",
		"hook_stopped_continuation", "hook_blocking_error", "async_hook_response":
		d.hook(a, collector.MarkerOK)
	case "hook_non_blocking_error", "hook_error_during_execution", "hook_cancelled":
		d.hook(a, collector.MarkerFailed)
	default:
		if !isContext(typ) {
			d.unknown("attachment/" + string(typ))
		}
	}
}

// joined decodes a prompt that was queued and taken in by the running turn.
func (d *decoder) joined(a *fastjson.Value) {
	t := strings.TrimSpace(resultText(a.Get("prompt"), 0).Preview)
	if t == "" {
		return
	}
	d.origin = a.Get("origin")
	first := len(d.dst)
	if kindOfText([]byte(t)) == textNotification {
		d.notification(t, true)
	} else {
		d.prompt(t)
	}
	for i := first; i < len(d.dst); i++ {
		if d.dst[i].Kind == collector.EventPrompt {
			d.dst[i].Joins = true
		}
	}
}

// hook decodes what a hook did. A hook that blocks does what it is for, and the call's status tells; one that
// broke or timed out has failed.
func (d *decoder) hook(a *fastjson.Value, status collector.MarkerStatus) {
	event := word(a.Get("hookEvent"))
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.MarkerStatus = collector.MarkerHook, status
	ev.Name = text(a.Get("hookName"))
	ev.Duration = count(a, "durationMs")
	ev.Text = d.hookText(a)
	switch string(event) {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		ev.Call = text(a.Get("toolUseID"))
	}
}

// hookText is the first thing that a hook said; "{}" is how hooks say nothing.
func (d *decoder) hookText(a *fastjson.Value) collector.Text {
	for _, path := range [][]string{{"blockingError", "blockingError"}, {"stderr"}, {"content"}, {"stdout"}} {
		v := a.Get(path...)
		if v == nil {
			continue
		}
		if t := jsonl.Clip(v, d.limit); t.Bytes > 0 && strings.TrimSpace(t.Preview) != "{}" {
			return t
		}
	}
	if truth(a.Get("timedOut")) {
		return jsonl.ClipString("timed out", d.limit)
	}
	return collector.Text{}
}

// isContext reports whether an attachment is known to be context for the model and nothing else.
func isContext(typ []byte) bool {
	switch string(typ) {
	case "file", "new_file", "edited_text_file", "edited_image_file", "compact_file_reference", "pdf_reference",
		"already_read_file", "directory", "image", "selected_lines_in_ide", "opened_file_in_ide", "diagnostics",
		"todo", "todo_reminder", "task_reminder", "task_status", "nested_memory", "relevant_memories", "dynamic_skill",
		"skill_listing", "skill_discovery", "invoked_skills", "plan_file_reference", "plan_mode", "plan_mode_exit",
		"plan_mode_reentry", "verify_plan_reminder", "critical_system_reminder", "mcp_resource", "command_permissions",
		"agent_mention", "output_style", "token_usage", "output_token_usage", "budget_usd", "date_change", "date",
		"environment", "model", "session_context", "deferred_tools_delta", "agent_listing_delta", "mcp_instructions_delta",
		"remote_session_change", "auto_mode", "auto_mode_exit", "prompt_snapshot", "silent_turn_reminder", "team_context",
		"teammate_mailbox", "ultrathink_effort", "companion_intro", "context_efficiency":
		return true
	}
	return false
}
