package muse

import (
	"cmp"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// started begins a run, which is a turn.
func (d *decoder) started(r *record) {
	ev := r.of(collector.EventTurnStart)
	ev.Turn = r.run
	d.add(ev)
	ev = r.of(collector.EventPrompt)
	ev.Turn, ev.Key, ev.Origin = r.run, r.run, collector.PromptHuman
	if d.parent() != "" {
		ev.Origin = collector.PromptAgent
	}
	ev.Text = d.text(r.event.Get("prompt"))
	d.add(ev)
}

// queued takes what reached a run while it worked: what the user typed, or what the harness delivered.
func (d *decoder) queued(r *record) {
	text := d.text(first(r.event.Get("payload", "prompt"), r.event.Get("body"), r.event.Get("summary")))
	source := cmp.Or(jsonl.Str(r.event, "source", "source"), jsonl.Str(r.event, "source"))
	if source != "user_steer" {
		d.mark(r, collector.MarkerNotice, cmp.Or(source, "delivery"), collector.MarkerOK, text)
		return
	}
	ev := r.of(collector.EventPrompt)
	ev.Turn, ev.Key, ev.Origin, ev.Text = r.run, r.id, collector.PromptHuman, text
	ev.Joins, ev.Late = true, true
	d.add(ev)
}

// responseCreated is written when a response begins. Its items do not name it all, and its usage never does.
func (d *decoder) responseCreated(r *record) {
	ev := r.of(collector.EventRoundTripStart)
	ev.Time = 0 // when it was asked for, another record says: the prompt or the last result
	d.add(ev)
}

// reasoning takes a summary, or the reasoning itself, which is encrypted.
func (d *decoder) reasoning(r *record) {
	ev := r.of(collector.EventText)
	ev.Turn, ev.Key, ev.Thinking = r.run, cmp.Or(jsonl.Str(r.event, "message_id"), r.id), true
	ev.Redacted = r.event.Exists("encrypted_content")
	ev.Text = d.text(r.event.Get("text"))
	d.add(ev)
}

func (d *decoder) message(r *record) {
	ev := r.of(collector.EventText)
	ev.Turn, ev.Key, ev.Text = r.run, cmp.Or(jsonl.Str(r.event, "message_id"), r.id), d.text(r.event.Get("text"))
	d.add(ev)
}

// completed is the usage of a response, written between its reasoning and its text.
func (d *decoder) completed(r *record) {
	ev := r.of(collector.EventUsage)
	ev.Turn, ev.Model, ev.StopReason = r.run, jsonl.Str(r.event, "model"), jsonl.Str(r.event, "finish_reason")
	if ev.StopReason == "stop" || ev.StopReason == "end_turn" {
		ev.StopReason = collector.StopEndTurn
	}
	ev.Usage = &collector.Usage{Rank: collector.UsageExact, Tokens: tokens(r.event.Get("usage"))}
	d.add(ev)
}

// tokens reads one usage. Input includes what was read from the cache (265,265 of 265,515 in one log), and, as the names
// go, what was written to it; output includes reasoning.
func tokens(u *fastjson.Value) collector.Tokens {
	input, known := jsonl.Int(u, "input_tokens")
	output, knownOut := jsonl.Int(u, "output_tokens")
	if !known && !knownOut {
		return collector.Tokens{}
	}
	read, ok := jsonl.Int(u, "cache_read_tokens")
	if !ok {
		read, _ = jsonl.Int(u, "cached_tokens")
	}
	written, _ := jsonl.Int(u, "cache_write_tokens")
	t := collector.Tokens{
		Input:        collector.Exact(max(0, input-read-written)),
		CacheRead:    collector.Exact(max(0, read)),
		CacheWrite5m: collector.Exact(max(0, written)),
		CacheWrite1h: collector.Exact[int64](0),
		Output:       collector.Exact(max(0, output)),
	}
	if n, ok := jsonl.Int(u, "reasoning_tokens"); ok {
		t.Reasoning = collector.Exact(max(0, n))
	}
	return t
}

// compacted takes that a summary stands for the history before it. Its shape was not seen.
func (d *decoder) compacted(r *record) {
	d.mark(r, collector.MarkerCompaction, "", collector.MarkerOK, d.text(r.event.Get("summary")))
}

func (d *decoder) plan(r *record) {
	d.mark(r, collector.MarkerPlan, "", collector.MarkerOK, d.text(r.event.Get("items")))
}

func (d *decoder) fatal(r *record) {
	d.mark(r, collector.MarkerError, cmp.Or(jsonl.Str(r.event, "error_class"), "error"), collector.MarkerFailed, d.text(r.event.Get("message")))
}

func (d *decoder) died(r *record) { d.end(r, collector.TurnFailed, "the turn's task died") }

// terminal ends a run.
func (d *decoder) terminal(r *record) {
	reason := jsonl.Clip(r.event.Get("reason"), errorBytes).Preview
	if v := r.event.Get("reason"); v == nil || v.Type() == fastjson.TypeNull {
		reason = ""
	}
	switch how := jsonl.Str(r.event, "terminal"); how {
	case "completed":
		d.end(r, collector.TurnOK, "")
	case "cancelled":
		d.end(r, collector.TurnInterrupted, reason)
	case "failed":
		d.end(r, collector.TurnFailed, reason)
	default:
		d.unknown(r, "terminal "+how)
		d.end(r, collector.TurnFailed, cmp.Or(reason, how))
	}
}

func (d *decoder) end(r *record, status collector.TurnStatus, why string) {
	ev := r.of(collector.EventTurnEnd)
	ev.Turn, ev.TurnStatus, ev.Error = r.run, status, why
	if ms, ok := jsonl.Int(r.event, "turn_duration_ms"); ok && ms >= 0 {
		ev.Duration = collector.Exact(ms)
	}
	d.add(ev)
}

// text clips a string, or another value's JSON; nothing is no text.
func (d *decoder) text(v *fastjson.Value) collector.Text {
	if v == nil || v.Type() == fastjson.TypeNull {
		return collector.Text{}
	}
	return jsonl.Clip(v, d.limit)
}

func first(values ...*fastjson.Value) *fastjson.Value {
	for _, v := range values {
		if v != nil && v.Type() != fastjson.TypeNull {
			return v
		}
	}
	return nil
}
