package copilot

import (
	"bytes"
	"context"
	"iter"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// maxTelemetry is the longest telemetry record that is put together; real ones are about 2 KB.
const maxTelemetry = 1 << 20

// telemetryMark ends the first line of a telemetry record. Old versions wrote such records for staff only; the
// restricted channel repeats them with contents.
var telemetryMark = []byte("[Telemetry] cli.telemetry:")

// readProcessLog yields the telemetry records, each with all of its lines, and passes over everything else. A record
// whose last line is not there yet is left for later.
func readProcessLog(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		ahead := *cp
		var rec collector.Record
		open := false
		for line, err := range follow.Lines(ctx, st, &ahead) {
			if err != nil {
				yield(collector.Record{}, err)
				return
			}
			text := bytes.TrimRight(line.Data, "\r")
			if open && (isLogLine(text) || len(rec.Data) > maxTelemetry) {
				open = false // cut off
			}
			switch {
			case bytes.HasSuffix(text, telemetryMark) && isLogLine(text):
				rec = collector.Record{Ref: line.Ref, Data: append(rec.Data[:0], text...)}
				open = true
				continue
			case open:
				rec.Data = append(append(rec.Data, '\n'), text...)
				if !bytes.Equal(text, []byte("}")) {
					continue
				}
				open = false
				rec.Length = line.Offset + line.Length - rec.Offset
				*cp = ahead
				if !yield(rec, nil) {
					return
				}
			default:
				*cp = ahead
			}
		}
		if open {
			cp.Size, cp.ModTime, cp.Inode = ahead.Size, ahead.ModTime, ahead.Inode
			return
		}
		*cp = ahead
	}
}

// isLogLine reports whether a line begins a record: "2026-11-30T10:29:04.423Z [INFO] …".
func isLogLine(b []byte) bool {
	return len(b) > 26 && b[4] == '-' && b[10] == 'T' && b[23] == 'Z' && b[24] == ' ' && b[25] == '['
}

// telemetryKinds are known and repeat what events.jsonl says.
var telemetryKinds = map[string]bool{
	"user_message": true, "assistant_turn_start": true, "assistant_turn_end": true, "assistant_message": true, "session_usage_info": true,
	"tool_call_executed": true, "session_start": true, "session_resume": true, "session_shutdown": true, "session_model_change": true,
	"session_compaction_start": true, "session_compaction_complete": true, "session_truncation": true, "session_error": true,
	"skill_invoked": true, "subagent_started": true, "subagent_completed": true, "subagent_failed": true, "subagent_selected": true,
	"permission_prompt": true, "slash_command_used": true, "tools_available": true, "mcp_server_setup": true, "mcp_server_error": true,
	"model_resolution_info": true, "memory_usage": true,
}

func decodeTelemetry(dst []collector.Event, r collector.Record) []collector.Event {
	_, body, _ := bytes.Cut(r.Data, []byte("\n"))
	bad := jsonl.Each(body, func(v *fastjson.Value) {
		switch kind := jsonl.Str(v, "kind"); {
		case kind == "assistant_usage":
			dst = telemetryUsage(dst, v)
		case !telemetryKinds[kind]:
			dst = append(dst, collector.Event{Kind: collector.EventUnknown, Name: "telemetry " + kind})
		}
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}

// telemetryUsage is the usage of one response. The log of those versions does not name responses by api_call_id, so it
// counts as a row: the n-th one is of the n-th round trip.
func telemetryUsage(dst []collector.Event, v *fastjson.Value) []collector.Event {
	own := jsonl.Str(v, "session_id")
	if own == "" {
		return dst
	}
	session := collector.NewSessionID(agent, own)
	if by := jsonl.Str(v, "properties", "parent_tool_call_id"); by != "" {
		session = session.Child(by)
	}
	at := jsonl.Str(v, "created_at")
	id := jsonl.Str(v, "properties", "event_id")
	if id == "" {
		id = jsonl.Str(v, "properties", "api_call_id")
	}
	m := v.Get("metrics")
	u := &collector.Usage{
		Rank:    collector.UsageTable,
		Tokens:  tokensOf(m, "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"),
		Credits: credits(m.Get("total_nano_aiu"), ""),
	}
	if cost, ok := jsonl.Float(m, "cost"); ok {
		if who := jsonl.Str(v, "properties", "initiator"); who != "user" && who != "" {
			cost = 0
		}
		amount := collector.Exact(cost)
		u.Premium = &amount
	}
	return append(dst, collector.Event{
		Kind: collector.EventUsage, Session: session, Time: millis(at), Key: "a" + at + "/" + id,
		Model: jsonl.Str(v, "properties", "model"), Usage: u,
	})
}
