package antigravity

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// response takes one response of the model. It is written when the response is over; created_at is when it began.
func (d *decoder) response(s *step) {
	state := d.overOf(s)
	if state == stillRuns {
		return // the step is written again when it is over
	}
	calls := s.v.GetArray("tool_calls")
	for _, part := range []struct {
		key      string
		thinking bool
	}{{"thinking", true}, {"content", false}} {
		text := s.v.Get(part.key)
		if text == nil || text.Type() != fastjson.TypeString {
			continue
		}
		ev := s.event(collector.EventText)
		ev.RoundTrip, ev.Key, ev.Thinking = s.name, part.key, part.thinking
		if ev.Text = jsonl.Clip(text, d.limit); ev.Text.Bytes == 0 {
			continue
		}
		if !part.thinking && len(calls) == 0 && state == ended {
			ev.StopReason = collector.StopEndTurn
		}
		d.add(ev)
	}
	for i, call := range calls {
		d.call(s, i, call)
	}
	d.usage(s)
	if state != ended {
		ev := s.event(collector.EventTurnEnd)
		ev.TurnStatus = collector.TurnInterrupted
		if state == endedBadly {
			ev.TurnStatus, ev.Error = collector.TurnFailed, errorText(s.v)
		}
		d.add(ev)
	}
}

// call asks for a tool call. It has no id; its result is the step whose number is that of the response, plus one, plus the
// call's place in it (captures of agy 1.1.19, parallel calls and failures among them), so this number names it.
func (d *decoder) call(s *step, i int, v *fastjson.Value) {
	ev := s.event(collector.EventCall)
	ev.RoundTrip = s.name
	if s.name != "" {
		ev.Call = strconv.FormatInt(s.number+1+int64(i), 10)
	}
	d.plainArgs(v.Get("args"), func(args *fastjson.Value) {
		setTool(&ev, jsonl.Str(v, "name"), args, d.limit)
		if cwd := jsonl.Str(args, "Cwd"); ev.Tool == "run_command" && cwd != "" {
			place := s.event(collector.EventFacts)
			place.Facts = &collector.Facts{Cwd: cwd, Fallback: true}
			d.add(place)
		}
	})
	d.add(ev)
}

// usage takes what the response consumed (from 1.2.16). input_tokens leaves out what was read from the cache; what was
// written to the cache is not told apart from it.
func (d *decoder) usage(s *step) {
	t := collector.Tokens{
		Input:     count(s.v, "input_tokens"),
		CacheRead: count(s.v, "cache_read_tokens"),
		Output:    count(s.v, "output_tokens"),
	}
	if !t.Known() {
		return
	}
	if t.CacheRead.Quality == collector.QualityUnknown {
		t.CacheRead = collector.Exact[int64](0) // a zero is left out
	}
	t.CacheWrite5m, t.CacheWrite1h = collector.Exact[int64](0), collector.Exact[int64](0)
	ev := s.event(collector.EventUsage)
	ev.RoundTrip = s.name
	ev.Usage = &collector.Usage{Rank: collector.UsageExact, Tokens: t}
	d.add(ev)
}

// maxTokens is more than any response can consume; a larger number is something else.
const maxTokens = 100_000_000

func count(v *fastjson.Value, key string) collector.Count {
	if n, ok := jsonl.Int(v, key); ok && n >= 0 && n <= maxTokens {
		return collector.Exact(n)
	}
	return collector.Count{}
}

// errorBytes is how much of an error is kept.
const errorBytes = 500

// errorText returns what the step says about its failure.
func errorText(v *fastjson.Value) string {
	_, text := cutHeader(cmp.Or(jsonl.Str(v, "error"), jsonl.Str(v, "content")))
	return strings.TrimSpace(jsonl.ClipString(strings.TrimSpace(text), errorBytes).Preview)
}
