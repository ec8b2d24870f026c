package opencode

import (
	"cmp"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// assistant decodes a message of the model's: one round trip.
func (d *decoder) assistant(m *fastjson.Value, parts []*fastjson.Value) {
	d.turn = jsonl.Str(m, "parentID")
	completed := jsonl.Time(m, "time", "completed")
	model := jsonl.Str(m, "modelID")
	var used usage
	calls := false
	if len(parts) > 0 { // without any, the model has not begun to answer
		d.add(collector.EventRoundTripStart)
		begun := d.trip(collector.EventText)
		begun.Model = model
		d.compaction(m, completed)
		for _, p := range parts {
			d.part(jsonl.Str(p, "id"), p.Get("part"), completed != 0, &used)
			calls = calls || jsonl.Str(p, "part", "type") == "tool"
		}
	}
	if used.tokens == nil {
		used.message(m)
	}
	if used.tokens != nil {
		ev := d.trip(collector.EventUsage)
		ev.Time, ev.Model = max(completed, d.at), model
		if calls {
			ev.Time = 0 // when they had ended: the response itself was over when the last of them began
		}
		ev.Usage = &collector.Usage{Rank: collector.UsageExact, Tokens: *used.tokens, CostUSD: stated(m)}
		if completed != 0 {
			ev.StopReason = stopReason(jsonl.Str(m, "finish"))
		}
	}
	d.failure(m.Get("error"), completed)
}

// trip adds an event of the message's round trip.
func (d *decoder) trip(kind collector.EventKind) *collector.Event {
	ev := d.add(kind)
	ev.RoundTrip = d.message
	return ev
}

// stopReason translates why the model stopped. After calls the program asks again, also where the model's word for it
// was not understood.
func stopReason(finish string) string {
	switch finish {
	case "", "tool-calls", "unknown":
		return finish
	}
	return collector.StopEndTurn
}

// compaction marks a message that makes a summary of history.
func (d *decoder) compaction(m *fastjson.Value, completed int64) {
	if !jsonl.Bool(m, "summary") {
		return
	}
	key := "compaction:" + d.message
	ev := d.trip(collector.EventMarker)
	ev.Marker, ev.Name, ev.Key, ev.MarkerStatus = collector.MarkerCompaction, "compaction", key, collector.MarkerPending
	if completed == 0 {
		return
	}
	end := d.trip(collector.EventMarker)
	end.Marker, end.Key, end.Time = collector.MarkerCompaction, key, completed
	end.MarkerStatus = collector.MarkerOK
	if m.Exists("error") {
		end.MarkerStatus = collector.MarkerFailed
	}
}

// part decodes a part of a response.
func (d *decoder) part(id string, p *fastjson.Value, over bool, used *usage) {
	switch typ := jsonl.Str(p, "type"); typ {
	case "text", "reasoning":
		end := jsonl.Time(p, "time", "end")
		if end == 0 && p.Exists("time") && !over {
			return // it is still being written
		}
		ev := d.trip(collector.EventText)
		ev.Key, ev.Thinking, ev.Text = id, typ == "reasoning", jsonl.Clip(p.Get("text"), d.limit)
		ev.Time = max(end, d.at)
	case "tool":
		d.tool(id, p)
	case "step-finish":
		used.step(p)
	case "retry":
		ev := d.trip(collector.EventMarker)
		ev.Marker, ev.MarkerStatus, ev.Key, ev.Name = collector.MarkerError, collector.MarkerFailed, id, "retry"
		ev.Time, ev.Text = jsonl.Time(p, "time", "created"), jsonl.Clip(p.Get("error", "data", "message"), d.limit)
	case "step-start", "snapshot", "patch", "file", "agent":
	case "":
		d.malformed("a part that is no JSON object")
	default:
		d.unknown("part " + typ)
	}
}

// errorBytes is how much of an error's text is kept.
const errorBytes = 300

// failure decodes why a message, and with it the turn, ended early. A response for which the history was too long is
// asked for again after a compaction.
func (d *decoder) failure(e *fastjson.Value, completed int64) {
	name := jsonl.Str(e, "name")
	if name == "" {
		return
	}
	at, text := max(completed, d.at), e.Get("data", "message")
	interrupted := name == "MessageAbortedError"
	marker := d.add(collector.EventMarker)
	marker.Marker, marker.MarkerStatus, marker.Key = collector.MarkerError, collector.MarkerFailed, "error:"+d.message
	marker.Name, marker.Text, marker.Time = name, jsonl.Clip(text, d.limit), at
	if interrupted {
		marker.Marker, marker.Name = collector.MarkerAbort, "interrupt"
	}
	if name == "ContextOverflowError" {
		return
	}
	end := d.add(collector.EventTurnEnd)
	end.Time, end.TurnStatus = at, collector.TurnInterrupted
	if !interrupted {
		end.TurnStatus, end.Error = collector.TurnFailed, cmp.Or(jsonl.Clip(text, errorBytes).Preview, name)
	}
}
