package opencode

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// usage sums up the steps of a message; a message of 1.18.33 has one.
type usage struct {
	tokens *collector.Tokens
}

// step takes in what a step consumed.
func (u *usage) step(p *fastjson.Value) {
	if t := tokens(p.Get("tokens")); t.Known() {
		if u.tokens != nil {
			t = u.tokens.Plus(t)
		}
		u.tokens = &t
	}
}

// message takes the message's own word where no step says. One that failed says zero, whatever it consumed.
func (u *usage) message(m *fastjson.Value) {
	if t := tokens(m.Get("tokens")); t.Total().Value > 0 {
		u.tokens = &t
	}
}

// stated returns what the program says that the message cost. It counts zero where it has no price, as for models of a
// user's own.
func stated(m *fastjson.Value) *collector.Amount {
	usd, _ := jsonl.Float(m, "cost")
	if usd <= 0 || usd > 1e6 { // no message costs that much
		return nil
	}
	cost := collector.Exact(usd)
	return &cost
}

// tokens reads what a response consumed: input is what was not read from the cache, and output does not hold the
// reasoning, which Turnwatch counts as part of it (1,100 prompt tokens, 900 of them cached, and 41 completion tokens, 5 of
// them reasoning, are input 200, cache.read 900, output 36, reasoning 5: seen in 1.18.33).
func tokens(t *fastjson.Value) collector.Tokens {
	var out collector.Tokens
	count := func(keys ...string) collector.Count {
		if n, ok := jsonl.Int(t, keys...); ok && n >= 0 {
			return collector.Exact(n)
		}
		return collector.Count{}
	}
	out.Input, out.CacheRead, out.CacheWrite5m = count("input"), count("cache", "read"), count("cache", "write")
	out.Output, out.Reasoning = count("output"), count("reasoning")
	if out.Reasoning.Quality != collector.QualityUnknown && out.Output.Quality != collector.QualityUnknown {
		out.Output.Value += out.Reasoning.Value
	}
	if out.Known() {
		out.CacheWrite1h = collector.Exact[int64](0)
	}
	return out
}
