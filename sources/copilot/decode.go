package copilot

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder takes the records of one line of events.jsonl.
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
	bad := jsonl.Each(r.Data, d.record)
	return jsonl.Malformed(d.dst, bad, r.TextLimit)
}

// record is the envelope of one event.
type record struct {
	data    *fastjson.Value
	kind    string
	id      string
	time    int64
	lane    string              // the sub-agent's id; "" = the main agent
	session collector.SessionID // of the lane; "" = the stream's own
}

// event begins an event of the record's lane.
func (r *record) event(kind collector.EventKind) collector.Event {
	return collector.Event{Kind: kind, Session: r.session, Time: r.time}
}

func (d *decoder) add(ev collector.Event) { d.dst = append(d.dst, ev) }

func (d *decoder) record(v *fastjson.Value) {
	r := record{
		kind: string(v.GetStringBytes("type")),
		data: v.Get("data"),
	}
	if dropped[r.kind] {
		return
	}
	r.id = jsonl.Str(v, "id")
	r.time = jsonl.Time(v, "timestamp")
	if r.lane = lane(v, &r); r.lane != "" {
		r.session = d.stream.Session.Child(r.lane)
	}
	if decode, known := decoders[r.kind]; known {
		decode(d, &r)
		return
	}
	name := r.kind
	if name == "" {
		name = "record without a type"
	}
	d.add(collector.Event{Kind: collector.EventUnknown, Session: r.session, Time: r.time, Name: name})
}

// lane returns the sub-agent that the record belongs to. The envelope names it from 1.0.44 on; 1.0.20 only names the
// call that spawned it, on some of its records.
func lane(v *fastjson.Value, r *record) string {
	if id := jsonl.Str(v, "agentId"); id != "" {
		return id
	}
	switch r.kind {
	case "subagent.started", "subagent.completed", "subagent.failed":
		return jsonl.Str(r.data, "toolCallId")
	case "session.usage_record":
		return jsonl.Str(r.data, "usage", "parentToolCallId")
	}
	return jsonl.Str(r.data, "parentToolCallId")
}

// decoders holds what is decoded, by type.
var decoders = map[string]func(*decoder, *record){
	"session.start":               (*decoder).start,
	"session.resume":              (*decoder).resume,
	"session.context_changed":     (*decoder).contextChanged,
	"session.model_change":        (*decoder).modelChange,
	"session.auto_mode_resolved":  (*decoder).autoModeResolved,
	"session.shutdown":            (*decoder).shutdown,
	"session.usage_record":        (*decoder).usageRecord,
	"session.usage_checkpoint":    (*decoder).usageCheckpoint,
	"session.error":               (*decoder).failure,
	"session.compaction_start":    (*decoder).compactionStart,
	"session.compaction_complete": (*decoder).compactionComplete,
	"session.truncation":          (*decoder).truncation,
	"session.plan_changed":        (*decoder).planChanged,
	"session.mode_changed":        (*decoder).modeChanged,
	"session.info":                (*decoder).notice,
	"session.warning":             (*decoder).notice,
	"session.handoff":             (*decoder).notice,
	"session.task_complete":       (*decoder).notice,
	"session.context_cleared":     (*decoder).notice,
	"session.permissions_changed": (*decoder).notice,
	"session.permission_recovery": (*decoder).notice,
	"session.fusion_route_failed": (*decoder).notice,
	"system.notification":         (*decoder).notice,
	"user.message":                (*decoder).userMessage,
	"assistant.turn_start":        (*decoder).turnStart,
	"assistant.message":           (*decoder).assistantMessage,
	"tool.user_requested":         (*decoder).toolRequested,
	"tool.execution_start":        (*decoder).toolStart,
	"tool.execution_complete":     (*decoder).toolComplete,
	"abort":                       (*decoder).abort,
	"skill.invoked":               (*decoder).skill,
	"skill.invoked_ref":           (*decoder).skill,
	"subagent.started":            (*decoder).subagentStarted,
	"subagent.configured":         (*decoder).subagentConfigured,
	"subagent.completed":          (*decoder).subagentEnded,
	"subagent.failed":             (*decoder).subagentEnded,
	"hook.start":                  (*decoder).hookStart,
	"hook.end":                    (*decoder).hookEnd,
	"permission.requested":        (*decoder).permissionRequested,
	"permission.completed":        (*decoder).permissionCompleted,
}

// dropped holds the types that are known and say nothing that is shown: copies of what other records say, settings, the
// system prompt, and the undocumented model.* records of a manual compaction (their tokens come with
// session.compaction_complete). From the schema of 1.0.102 and recordings.
var dropped = map[string]bool{
	"assistant.turn_end": true, "assistant.reasoning": true, "system.message": true,
	"assistant.fusion_phase_completed": true, "assistant.fusion_phase_failed": true,
	"subagent.selected": true, "subagent.deselected": true,
	"skill.context_delivered": true, "skill.context_delivered_ref": true, "tool_search.activated": true,
	"external_tool.requested": true, "human_response.recorded": true, "mcp.oauth_recovery_completed": true,
	"permission.carriedForward": true, "permission.messageAuthorization": true, "permission.messageAuthorizationRead": true,
	"permission.messageAuthorizationDegraded": true, "permission.assentDetected": true, "permission.contextualAuthorization": true,
	"session.remote_steerable_changed": true, "session.schedule_created": true, "session.schedule_cancelled": true,
	"session.schedule_rearmed": true, "session.autopilot_objective_changed": true, "session.model_deselected": true,
	"session.mode_notice_delivered": true, "session.session_limits_changed": true, "session.workspace_file_changed": true,
	"session.fusion_change_checkpoint": true, "session.request_body_compression_disabled": true, "session.completion_receipt": true,
	"session.fusion_resolved": true, "session.fusion_handoff": true, "session.fusion_commit_started": true, "session.fusion_completed": true,
	"session.binary_asset": true, "session.canvas.recorded": true, "session.canvas.removed": true,
	"model.turn_started": true, "model.model_call_started": true, "model.model_call_success": true, "model.message": true,
	"model.response": true, "model.turn_ended": true, "model.messages_snapshot": true,
}
