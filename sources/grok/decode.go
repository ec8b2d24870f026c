package grok

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder takes the values of one record.
type decoder struct {
	dst    []collector.Event
	stream collector.Stream
	limit  int
}

func (d *decoder) add(ev collector.Event) { d.dst = append(d.dst, ev) }

func (d *decoder) malformed(why string) {
	d.add(collector.Event{Kind: collector.EventMalformed, Text: jsonl.ClipString(why, d.limit)})
}

// record is the envelope of one update.
type record struct {
	update *fastjson.Value
	meta   *fastjson.Value
	kind   string
	at     int64 // unix ms
}

// event begins an event of the record.
func (r *record) event(kind collector.EventKind) collector.Event {
	return collector.Event{Kind: kind, Time: r.at}
}

// key names the record within its session. The counter in eventId begins anew with every process, hence the time.
func (r *record) key() string {
	id := jsonl.Str(r.meta, "eventId")
	return strconv.FormatInt(r.at, 10) + "#" + id[strings.LastIndexByte(id, '-')+1:]
}

// roundTrip names the response that the record is part of. Nothing names responses, but each has its own time at which it
// began to stream: there are as many in a turn as the turn counts model calls.
func (r *record) roundTrip() string {
	at, known := jsonl.Int(r.meta, "streamStartMs")
	if !known {
		return ""
	}
	return jsonl.Str(r.meta, "promptId") + "/" + strconv.FormatInt(at, 10)
}

// update reads a line of updates.jsonl. Its place in the file is where it was written, which is not the order in which
// things happened; agentTimestampMs is. The method says nothing that sessionUpdate does not.
func (d *decoder) update(v *fastjson.Value) {
	r := record{update: v.Get("params", "update"), meta: v.Get("params", "_meta")}
	r.kind = jsonl.Str(r.update, "sessionUpdate")
	if r.at = jsonl.Time(r.meta, "agentTimestampMs"); r.at == 0 {
		r.at = jsonl.Time(v, "timestamp")
	}
	if decode := updates[r.kind]; decode != nil {
		decode(d, &r)
		return
	}
	if dropped[r.kind] {
		return
	}
	ev := r.event(collector.EventUnknown)
	if ev.Name = r.kind; ev.Name == "" {
		ev.Name = "record without sessionUpdate"
	}
	d.add(ev)
}

// updates holds what is decoded, by kind.
var updates = map[string]func(*decoder, *record){
	"user_message_chunk":     (*decoder).prompt,
	"agent_message_chunk":    (*decoder).text,
	"agent_thought_chunk":    (*decoder).text,
	"tool_call":              (*decoder).call,
	"tool_call_update":       (*decoder).result,
	"turn_completed":         (*decoder).turnCompleted,
	"retry_state":            (*decoder).retry,
	"auto_compact_completed": (*decoder).compacted,
	"auto_compact_failed":    (*decoder).compacted,
	"auto_compact_cancelled": (*decoder).compacted,
	"subagent_spawned":       (*decoder).spawned,
	"subagent_finished":      (*decoder).finished,
	"task_completed":         (*decoder).taskCompleted,
	"hook_execution":         (*decoder).hooks,
	"model_changed":          (*decoder).modelChanged,
	"rewind_marker":          (*decoder).rewound,
}

// dropped holds the kinds that are known and say nothing that is shown, or nothing that others do not say: the todo list,
// progress, the beginning of a compaction (its end says how long it took), and summaries of what stands there.
var dropped = map[string]bool{
	"plan": true, "auto_compact_started": true, "compaction_checkpoint": true, "subagent_progress": true, "task_backgrounded": true,
	"background_tasks": true, "session_recap": true, "last_turn_summary": true, "goal_updated": true, "available_commands_update": true,
	"current_mode_update": true, "config_option_update": true, "session_info_update": true, "usage_update": true,
	"response_started": true, "response_completed": true,
}
