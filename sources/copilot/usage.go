package copilot

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// nanoPerCredit is how many of totalNanoAiu's units are one AI credit.
const nanoPerCredit = 1e9

// tokens takes a usage in the log's words. inputTokens includes what was read from the cache and written to it.
func tokens(u *fastjson.Value) collector.Tokens {
	return tokensOf(u, "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens")
}

func tokensOf(u *fastjson.Value, input, output, read, write, reasoning string) collector.Tokens {
	t := collector.Tokens{
		Input:        count(u, input),
		Output:       count(u, output),
		CacheRead:    count(u, read),
		CacheWrite5m: count(u, write),
		CacheWrite1h: collector.Exact[int64](0),
		Reasoning:    count(u, reasoning),
	}
	t.Input.Value = max(t.Input.Value-t.CacheRead.Value-t.CacheWrite5m.Value, 0)
	return t
}

// credits takes AI credits. Where they are unavailable (a user's own model provider), or the record has no status and
// says 0, the number is not known.
func credits(nano *fastjson.Value, status string) *collector.Amount {
	n, ok := jsonl.Float(nano)
	switch {
	case !ok && status == "":
		return nil
	case !ok, status == "unavailable", status == "" && n == 0:
		return &collector.Amount{}
	}
	amount := collector.Exact(n / nanoPerCredit)
	return &amount
}

// premium takes what a call cost in premium requests. cost is the model's multiplier, on every call; only a call that
// a user's prompt led to is charged, what the agent goes on to ask is not.
func premium(u *fastjson.Value, cost, initiator string) *collector.Amount {
	n, ok := jsonl.Float(u, cost)
	if !ok {
		return nil
	}
	if who := jsonl.Str(u, initiator); who != "user" && who != "" {
		n = 0
	}
	amount := collector.Exact(n)
	return &amount
}

// usageRecord is the usage of one response, written before the response (from 1.0.102; 1.0.83 has none).
func (d *decoder) usageRecord(r *record) {
	u := r.data.Get("usage")
	if u == nil {
		return
	}
	ev := r.event(collector.EventUsage)
	ev.Key = r.id
	ev.RoundTrip = jsonl.Str(u, "apiCallId")
	ev.Model = jsonl.Str(u, "model")
	ev.StopReason = stopReason(jsonl.Str(u, "finishReason"))
	ev.Usage = &collector.Usage{
		Rank:    collector.UsageExact,
		Tokens:  tokens(u),
		Premium: premium(u, "cost", "initiator"),
		Credits: credits(firstValue(u.Get("copilotUsage", "totalNanoAiu"), u.Get("totalNanoAiu")), jsonl.Str(u, "aiCreditsStatus")),
	}
	if window, ok := jsonl.Int(u, "maxPromptTokens"); ok && window > 0 {
		ev.Usage.Window = collector.Exact(window)
	}
	d.add(ev)
}

func firstValue(values ...*fastjson.Value) *fastjson.Value {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

func stopReason(finish string) string {
	switch finish {
	case "stop", "end_turn":
		return collector.StopEndTurn
	}
	return finish
}
