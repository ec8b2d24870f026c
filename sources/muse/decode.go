package muse

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder takes the records of one line of a log.
type decoder struct {
	dst    []collector.Event
	stream collector.Stream
	limit  int
}

func decodeLine(dst []collector.Event, st collector.Stream, r collector.Record) []collector.Event {
	if r.Data == nil {
		return append(dst, collector.Event{Kind: collector.EventMalformed, Text: collector.Text{Preview: "line too long"}})
	}
	d := decoder{dst: dst, stream: st, limit: r.TextLimit}
	bad := jsonl.Each(r.Data, d.line)
	return jsonl.Malformed(d.dst, bad, r.TextLimit)
}

// record is an envelope.
type record struct {
	id      string
	time    int64
	payload *fastjson.Value
	fact    *fastjson.Value // payload.record, where a fact stands; the payload itself in older versions
	run     string          // the turn
	event   *fastjson.Value // of a run or an approval
}

// of begins an event of the record.
func (r *record) of(kind collector.EventKind) collector.Event {
	return collector.Event{Kind: kind, Time: r.time}
}

func (d *decoder) add(ev collector.Event) { d.dst = append(d.dst, ev) }

func (d *decoder) unknown(r *record, name string) {
	ev := r.of(collector.EventUnknown)
	ev.Name = name
	d.add(ev)
}

// line takes an envelope, a frame of several, a place holder, or what stands for lost records.
func (d *decoder) line(v *fastjson.Value) {
	switch {
	case v.Exists("retained_frame"):
		for _, child := range v.GetArray("children") {
			inner := child.GetStringBytes("record_json")
			if inner == nil || !jsonl.Object(inner, d.envelope) {
				d.add(collector.Event{Kind: collector.EventMalformed, Text: collector.Text{Preview: "a frame's record is no JSON"}})
			}
		}
	case v.Exists("retained_marker"): // keeps the numbers without gaps, and says nothing
	case v.Exists("turnwatch_lost"):
		n, _ := jsonl.Int(v, "turnwatch_lost")
		for range min(n, maxLost) {
			d.add(collector.Event{Kind: collector.EventUnknown, Name: "lost record"})
		}
	default:
		d.envelope(v)
	}
}

func (d *decoder) envelope(v *fastjson.Value) {
	if own := jsonl.Str(v, "stream", "id"); own != "" && own != d.stream.Session.Own() {
		return // another stream's, which has a log of its own
	}
	kind := jsonl.Str(v, "payload_type")
	micros, _ := jsonl.Int(v, "recorded_at")
	r := record{id: jsonl.Str(v, "id"), time: max(micros/1000, 0), payload: v.Get("payload")}
	if r.fact = r.payload.Get("record"); r.fact == nil {
		r.fact = r.payload
	}
	r.run, r.event = jsonl.Str(r.payload, "run_id"), r.payload.Get("event")
	switch decode, known := facts[kind]; {
	case known:
		decode(d, &r)
	case kind == "runtime.session":
		d.session(&r)
	case kind == "":
		d.unknown(&r, "record without a type")
	case !dropped(kind):
		d.unknown(&r, kind)
	}
}

// session takes what happened in a run, or in an approval. What kind "task" says is said by the run's own records too.
func (d *decoder) session(r *record) {
	event := jsonl.Str(r.event, "kind")
	switch kind := jsonl.Str(r.payload, "kind"); kind {
	case "run":
		switch decode, known := runs[event]; {
		case known:
			decode(d, r)
		case !silent[event]:
			d.unknown(r, "run "+event)
		}
	case "approval":
		d.approval(r, event)
	case "task", "agent_tree_initialized":
	default:
		d.unknown(r, "session "+kind)
	}
}

// facts holds what is decoded, by payload_type.
var facts = map[string]func(*decoder, *record){
	"runtime.session.metadata":            (*decoder).metadata,
	"runtime.session.route_facts":         (*decoder).route,
	"session.workspace_branch.observed":   (*decoder).branch,
	"run.model.configured":                (*decoder).runModel,
	"runtime.model_reconfigure.completed": (*decoder).modelChange,
	"session.name.changed":                (*decoder).renamed,
	"session.resumed":                     (*decoder).resumed,
	"tool_batch.effect.started":           (*decoder).effectStarted,
	"tool_batch.effect.terminal":          (*decoder).effectEnded,
	"subagent.control.start_attested":     (*decoder).spawned,
	"user_shell.command":                  (*decoder).shellCommand,
	"user_shell.result":                   (*decoder).shellResult,
}

// runs holds what is decoded of a run, by the event's kind.
var runs = map[string]func(*decoder, *record){
	"started":                              (*decoder).started,
	"inbox_item_queued":                    (*decoder).queued,
	"model_response_created":               (*decoder).responseCreated,
	"reasoning_committed":                  (*decoder).reasoning,
	"reasoning_summary_committed":          (*decoder).reasoning,
	"assistant_message_committed":          (*decoder).message,
	"assistant_tool_calls_committed":       (*decoder).calls,
	"tool_result_batch_committed":          (*decoder).results,
	"tool_results_committed":               (*decoder).results,
	"tool_result_committed":                (*decoder).results,
	"tool_result":                          (*decoder).results,
	"model_completed":                      (*decoder).completed,
	"context_compaction_installed":         (*decoder).compacted,
	"user_input_prompt_requested":          (*decoder).asked,
	"user_input_prompt_settled":            (*decoder).answered,
	"memory_reminder_child_session_linked": (*decoder).linked,
	"todo_snapshot_updated":                (*decoder).plan,
	"run_fatal_error_classified":           (*decoder).fatal,
	"turn_task_died":                       (*decoder).died,
	"terminal":                             (*decoder).terminal,
}

// silent are the events of a run that are known (from lists of what 300 logs held) and say nothing that is shown.
var silent = map[string]bool{
	"model_request_configured": true, "provider_request_options_configured": true, "model_input_trace_recorded": true,
	"context_block_diagnostic": true, "context_block_updated": true, "goal_usage_attribution": true, "resource_usage_sampled": true,
	"task_stream_linked": true, "task_backgrounded": true, "reminder_proposal": true, "reminder_installed": true, "reminder_reconciler_outcome": true,
	"skill_reminder_decision": true, "skill_read_observed": true, "reasoning_summary_delta": true, "user_prompt_display": true,
	"context_projection_checkpoint": true, "context_compaction_candidate": true, "context_compaction_fallback": true,
	"tool_results_cleared": true, "tool_result_model_visible_content": true, "inbox_item_drained": true, "inbox_delivery_anomaly": true,
	"hook_run_started": true, "hook_run_terminal": true, "workflow_child_lifecycle": true, "workflow_child_result_protocol_recorded": true,
	"workflow_child_result_submitted": true, "workflow_launch_reconciled": true, "workflow_run_launched": true,
}

// dropped reports whether a payload_type is known and says nothing that is shown: lists of what logs held, by their beginning.
func dropped(kind string) bool {
	for _, begin := range []string{
		"runtime.session.task", "runtime.session.capture_selection", "runtime.session.permission_", "runtime.user_intent.",
		"runtime.command_intake.", "runtime.retained_fact", "runtime.mcp_tool_identity_catalog", "reminder.cleanup_effect.",
		"approval_wait.effect.", "session.payment_gate.", "session.subscription_entrypoint.", "session.startup_phases.",
		"session.opened.", "session.login.", "session.resource_pressure.", "session.end", "subagent.control.", "async.owner.",
		"command.invoked",
	} {
		if strings.HasPrefix(kind, begin) {
			return true
		}
	}
	return false
}
