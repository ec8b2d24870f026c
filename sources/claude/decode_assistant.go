package claude

import (
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// errorBytes is how much of an error is told where it is one fact among others.
const errorBytes = 300

// assistant decodes a line of a response: one content block of it, as a rule, with the usage of the whole.
//
// The message's id alone names the response. A request id would tell retries apart, but gateways leave it out on some
// lines, and ids are unique: grouping by both counted 42–78 % too much in the field.
func (d *decoder) assistant() {
	m := d.message
	if string(word(m.Get("model"))) == "<synthetic>" || truth(d.synthetic) {
		d.notAResponse()
		return
	}
	trip := text(m.Get("id"))
	if trip == "" {
		trip = d.key
	}
	model := text(m.Get("model"))
	stop := stopReason(m.Get("stop_reason"))
	blocks, calls := m.GetArray("content"), false
	if len(blocks) == 0 && m.GetStringBytes("content") != nil { // a plain string, from other writers
		d.add(collector.EventText).Text = jsonl.Clip(m.Get("content"), d.limit)
	}
	for i, b := range blocks {
		first := len(d.dst)
		d.block(b)
		for j := first; j < len(d.dst); j++ {
			ev := &d.dst[j]
			if ev.Kind != collector.EventText && ev.Kind != collector.EventCall {
				continue
			}
			calls = calls || ev.Kind == collector.EventCall
			ev.RoundTrip, ev.Global, ev.Model, ev.StopReason = trip, true, model, stop
			if i > 0 && ev.Key != "" {
				ev.Key += "#" + strconv.Itoa(i)
			}
		}
	}
	if u := usage(m.Get("usage"), stop != ""); u != nil {
		ev := d.add(collector.EventUsage)
		ev.RoundTrip, ev.Global, ev.Model, ev.StopReason, ev.Usage = trip, true, model, stop, u
	}
	if stop != "" && stop != "tool_use" {
		d.envelope()
	}
	switch {
	case truth(d.aborted):
		d.add(collector.EventTurnEnd).TurnStatus = collector.TurnInterrupted
	case cutOff(stop) && !calls:
		// As a rule the CLI goes on, with a note of its own, and the next response opens the turn again. When it has
		// done so often enough, nothing more is written.
		d.add(collector.EventTurnEnd).TurnStatus = collector.TurnOK
	}
}

// block decodes one content block.
func (d *decoder) block(b *fastjson.Value) {
	switch typ := word(b.Get("type")); string(typ) {
	case "text":
		d.add(collector.EventText).Text = jsonl.Clip(b.Get("text"), d.limit)
	case "thinking":
		ev := d.add(collector.EventText)
		ev.Thinking = true
		ev.Text = jsonl.Clip(b.Get("thinking"), d.limit)
		ev.Redacted = ev.Text.Bytes == 0 // only the signature was kept
		if ms, ok := number(d.thinkingMs); ok {
			ev.Duration = collector.Exact(ms)
		}
	case "redacted_thinking":
		ev := d.add(collector.EventText)
		ev.Thinking, ev.Redacted = true, true
	case "tool_use", "server_tool_use", "mcp_tool_use":
		d.call(b)
	case "tool_result", "mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result",
		"bash_code_execution_tool_result", "text_editor_code_execution_tool_result":
		d.result(b)
	default:
		d.unknown("assistant/" + string(typ))
	}
}

// argsHash hashes what a call is asked to do.
func argsHash(name []byte, input *fastjson.Value) uint64 {
	if string(name) == "Bash" { // worded anew each time, and not what is run
		return jsonl.ArgsHash(input, "description", "timeout")
	}
	return jsonl.ArgsHash(input)
}

// call decodes a request for a tool call, and the marker that some tools stand for.
func (d *decoder) call(b *fastjson.Value) {
	name, input := word(b.Get("name")), b.Get("input")
	id := text(b.Get("id"))
	ev := d.add(collector.EventCall)
	ev.Call = id
	ev.Args = jsonl.Clip(input, d.limit)
	ev.ArgsHash = argsHash(name, input)
	ev.Tool, ev.Category, ev.Effect = classify(name, input) // last: it unescapes the command in place
	tool := ev.Tool
	switch tool {
	case "Skill":
		d.skillCalled(id, input)
	case "EnterPlanMode", "ExitPlanMode", "TodoWrite":
		ev := d.add(collector.EventMarker)
		ev.Marker, ev.Name, ev.Call, ev.Key = collector.MarkerPlan, tool, id, "plan:"+id
	}
	if tool == "AskUserQuestion" || tool == "ExitPlanMode" {
		ev := d.add(collector.EventMarker)
		ev.Marker, ev.Name, ev.Call, ev.Key = collector.MarkerPermission, tool, id, "wait:"+id
		ev.MarkerStatus = collector.MarkerPending
	}
}

// notAResponse decodes what the CLI writes in the model's name: an API error that ended the turn, or the filler that a
// resumed session gets where a killed one left a prompt unanswered.
func (d *decoder) notAResponse() {
	content := d.message.GetArray("content")
	if !truth(d.synthetic) {
		if len(content) > 0 && string(word(content[0].Get("text"))) == "No response requested." {
			ev := d.add(collector.EventTurnEnd)
			ev.TurnStatus, ev.Late = collector.TurnAbandoned, true
		}
		return
	}
	parts := make([]*fastjson.Value, 0, len(content))
	for _, b := range content {
		parts = append(parts, b.Get("text"))
	}
	d.envelope()
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.MarkerStatus = collector.MarkerError, collector.MarkerFailed
	ev.Name = apiErrorName(d.value)
	ev.Text = jsonl.Join(d.limit, parts...)
	end := d.add(collector.EventTurnEnd)
	end.TurnStatus = collector.TurnFailed
	end.Error = jsonl.Join(errorBytes, parts...).Preview
}

// apiErrorName is the most telling of the error's names: "unknown" and "invalid_request" say less than the API's type.
func apiErrorName(v *fastjson.Value) string {
	if t := jsonl.Str(v, "apiErrorType"); t != "" {
		return t
	}
	if e := jsonl.Str(v, "error"); e != "" {
		return e
	}
	return "api_error"
}

// stopReason translates the API's word; it happens to be fold's.
func stopReason(v *fastjson.Value) string {
	switch s := word(v); string(s) {
	case "end_turn", "stop_sequence":
		return collector.StopEndTurn
	case "tool_use":
		return "tool_use"
	default:
		return string(s)
	}
}

// cutOff reports whether the response was stopped from outside: by the limit of tokens, or by a classifier.
func cutOff(stop string) bool { return stop == "max_tokens" || stop == "refusal" }

// usage reads a response's usage, nil if it says nothing. final says that the response was complete: before that, versions
// up to 2.1.2xx wrote a running count of output tokens, which is a lower bound.
func usage(v *fastjson.Value, final bool) *collector.Usage {
	if v == nil {
		return nil
	}
	zero := collector.Exact[int64](0)
	t := collector.Tokens{CacheRead: zero, CacheWrite5m: zero, CacheWrite1h: zero}
	written := count(v, "cache_creation_input_tokens")
	var reasoning collector.Count
	v.GetObject().Visit(func(key []byte, f *fastjson.Value) {
		switch string(key) {
		case "input_tokens":
			t.Input = exact(f, t.Input)
		case "cache_read_input_tokens":
			t.CacheRead = exact(f, t.CacheRead)
		case "output_tokens":
			t.Output = exact(f, t.Output)
		case "output_tokens_details":
			reasoning = count(f, "thinking_tokens")
		case "cache_creation":
			t.CacheWrite5m = exact(f.Get("ephemeral_5m_input_tokens"), zero)
			t.CacheWrite1h = exact(f.Get("ephemeral_1h_input_tokens"), zero)
		}
	})
	// The breakdown is the better of the two; it is missing in old lines and all zero from some gateways.
	if t.CacheWrite5m.Value+t.CacheWrite1h.Value == 0 && written.Value > 0 {
		t.CacheWrite5m = written
	}
	t.Reasoning = reasoning
	if t.Total().Value == 0 {
		return nil // a gateway that does not count, or nothing yet
	}
	if !final {
		t.Output.Quality = min(t.Output.Quality, collector.QualityPartial)
	}
	return &collector.Usage{Tokens: t, Rank: collector.UsageExact}
}

func exact(v *fastjson.Value, otherwise collector.Count) collector.Count {
	if n, ok := number(v); ok && n >= 0 {
		return collector.Exact(n)
	}
	return otherwise
}

func number(v *fastjson.Value) (int64, bool) {
	if v == nil {
		return 0, false
	}
	return jsonl.Int(v)
}
