package gemini

import (
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// response reads a response of the model. The agent also puts answers of its own into the history, to keep it in the form
// that the model wants: those have neither a model nor usage. And calls that ended after something else was recorded, such
// as that the user cancelled them, get a record without anything else.
func (d *decoder) response(v *fastjson.Value) {
	id, model := jsonl.Str(v, "id"), jsonl.Str(v, "model")
	tokens, calls := v.Get("tokens"), v.GetArray("toolCalls")
	switch {
	case tokens.GetObject() != nil:
	case len(calls) > 0 && len(v.GetStringBytes("content")) == 0 && len(v.GetArray("thoughts")) == 0:
		d.calls(collector.LatestRoundTrip, calls)
		return
	case model == "":
		return
	}
	for i, t := range v.GetArray("thoughts") {
		e := d.text(id, "thought/"+strconv.Itoa(i), model)
		e.Thinking = true
		e.Text = jsonl.Join(d.limit, t.Get("subject"), t.Get("description"))
		if at := jsonl.Time(t, "timestamp"); at != 0 {
			e.Time = at
		}
	}
	asks := len(calls) > 0
	for i, p := range parts(v.Get("content")) {
		asks = asks || p.Exists("functionCall")
		t := textOf(p)
		if t == nil {
			continue
		}
		e := d.text(id, "text/"+strconv.Itoa(i), model)
		e.Thinking = p.GetBool("thought")
		e.Text = jsonl.Clip(t, d.limit)
	}
	d.usage(id, model, tokens, asks)
	d.calls(id, calls)
}

func (d *decoder) text(id, key, model string) *collector.Event {
	e := d.add(collector.EventText)
	e.RoundTrip, e.Key, e.Model, e.Global = id, key, model, true
	return e
}

// usage reads what a response consumed. The agent takes over what the API says: the cached part lies within the input,
// what tools put into the prompt and what was thought beside it. It is also what ends a response: a turn, unless calls
// follow. The log does not say whether any will until they have ended.
func (d *decoder) usage(id, model string, u *fastjson.Value, asks bool) {
	e := d.add(collector.EventUsage)
	e.RoundTrip, e.Model, e.Global = id, model, true
	e.StopReason = collector.StopEndTurn
	if asks {
		e.StopReason = stopTools
	}
	e.Usage = &collector.Usage{}
	if u.GetObject() == nil {
		return
	}
	input, known := jsonl.Int(u, "input")
	output, knownOut := jsonl.Int(u, "output")
	if !known && !knownOut {
		return
	}
	cached, _ := jsonl.Int(u, "cached")
	thought, _ := jsonl.Int(u, "thoughts")
	tool, _ := jsonl.Int(u, "tool")
	none := collector.Exact[int64](0)
	e.Usage.Rank = collector.UsageExact
	e.Usage.Tokens = collector.Tokens{
		Input:        collector.Exact(max(0, input-cached+tool)),
		CacheRead:    collector.Exact(max(0, cached)),
		CacheWrite5m: none, CacheWrite1h: none,
		Output:    collector.Exact(max(0, output+thought)),
		Reasoning: collector.Exact(max(0, thought)),
	}
	e.Usage.Context = collector.Exact(max(0, input+output))
}

// stopTools is the StopReason of a response that asks for tools; the log has no word for it.
const stopTools = "tool_use"
