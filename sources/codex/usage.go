package codex

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// tokens reads one usage object. The agent counts what it read from the cache, and what it wrote there, in its input,
// and reasoning in its output.
func tokens(u *fastjson.Value) collector.Tokens {
	input, known := jsonl.Int(u, "input_tokens")
	output, knownOut := jsonl.Int(u, "output_tokens")
	if !known && !knownOut {
		return collector.Tokens{}
	}
	read, _ := jsonl.Int(u, "cached_input_tokens")
	written, _ := jsonl.Int(u, "cache_write_input_tokens")
	reasoning, _ := jsonl.Int(u, "reasoning_output_tokens")
	return collector.Tokens{
		Input:        collector.Exact(max(0, input-read-written)),
		CacheRead:    collector.Exact(read),
		CacheWrite5m: collector.Exact(written),
		CacheWrite1h: collector.Exact[int64](0),
		Output:       collector.Exact(output),
		Reasoning:    collector.Exact(reasoning),
	}
}

// window returns how full the window is after a response: what it read and what it wrote.
func window(u *fastjson.Value) collector.Count {
	if n, known := jsonl.Int(u, "total_tokens"); known && n > 0 {
		return collector.Exact(n)
	}
	return collector.Count{}
}

// usageRecord reads a token_usage_record (from 0.155 on): one per response, written behind its items.
func (d *decoder) usageRecord(p *fastjson.Value) {
	u := p.Get("usage")
	e := d.add(collector.EventRoundTripEnd)
	e.Turn = jsonl.Str(p, "turn_id")
	e.RoundTrip = roundTrip(e.Turn, jsonl.Str(p, "response_id"))
	e.Inherited = d.foreign(jsonl.Str(p, "thread_id"))
	e.Usage = &collector.Usage{Tokens: tokens(u), Rank: collector.UsageExact, Context: window(u)}
}

// tokenCount reads a token_count event. It is written again whenever rate limits are refreshed, so that only the
// running total tells what is new.
func (d *decoder) tokenCount(p *fastjson.Value) {
	info := p.Get("info")
	if info == nil || info.Type() != fastjson.TypeObject {
		return
	}
	last := info.Get("last_token_usage")
	u := &collector.Usage{Context: window(last)}
	if w, known := jsonl.Int(info, "model_context_window"); known && w > 0 {
		u.Window = collector.Exact(w)
	}
	t := tokens(last)
	if t == collector.ZeroTokens() && u.Context.Value > 0 {
		// Written after a compaction: an estimate of what is left in the window.
		u.Unattributed = true
		d.add(collector.EventUsage).Usage = u
		return
	}
	u.Tokens, u.Rank = t, collector.UsageCumulative
	if total := tokens(info.Get("total_token_usage")); total.Known() {
		u.Cumulative = &total
	}
	if !t.Known() && u.Cumulative == nil {
		return
	}
	d.add(collector.EventUsage).Usage = u
}
