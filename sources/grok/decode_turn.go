package grok

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// turnSpanMs is within what time records of one prompt's index are of one prompt: its blocks are written at once, and
// after a rewind the index comes again.
const turnSpanMs = 10_000

// prompt opens a turn. A prompt of several blocks has a record of each; of what is no text (a link, an image) only that.
func (d *decoder) prompt(r *record) {
	own := r.update.Get("_meta")
	if model := jsonl.Str(own, "modelId"); model != "" {
		ev := r.event(collector.EventFacts)
		ev.Facts = &collector.Facts{Model: model}
		d.add(ev)
	}
	index := "?"
	if i, known := jsonl.Int(own, "promptIndex"); known {
		index = strconv.FormatInt(i, 10)
	}
	ev := r.event(collector.EventPrompt)
	ev.Turn = index + "@" + strconv.FormatInt(r.at/turnSpanMs, 10)
	ev.Key = ev.Turn + "/" + r.key()
	text := r.update.Get("content", "text")
	ev.Text = jsonl.Clip(text, d.limit)
	if jsonl.Bool(own, "hideFromScrollback") || jsonl.Bool(own, "hostTurn") || strings.HasPrefix(jsonl.Clip(text, 32).Preview, "<system-reminder>") {
		// A background task or a sub-agent ended, and that woke the agent; one without a terminal may end before it answers.
		ev.Origin, ev.Tentative = collector.PromptAuto, true
		d.add(ev)
		return
	}
	ev.Origin = collector.PromptHuman
	if d.stream.Session != d.stream.Session.Root() {
		ev.Origin = collector.PromptAgent
	}
	start := r.event(collector.EventTurnStart)
	start.Turn = ev.Turn
	d.add(start)
	if text != nil {
		d.add(ev)
	}
}

// text is a block of a response: whole, not as it was streamed.
func (d *decoder) text(r *record) {
	ev := r.event(collector.EventText)
	ev.RoundTrip = r.roundTrip()
	ev.Key = r.key()
	ev.Text = jsonl.Clip(r.update.Get("content", "text"), d.limit)
	ev.Thinking = r.kind == "agent_thought_chunk"
	d.add(ev)
}

// turnCompleted ends a turn and says what it consumed as a whole; a response's own share is nowhere.
func (d *decoder) turnCompleted(r *record) {
	ev := r.event(collector.EventTurnEnd)
	switch reason := jsonl.Str(r.update, "stop_reason"); reason {
	case "end_turn", "":
		ev.TurnStatus = collector.TurnOK
	case "cancelled":
		ev.TurnStatus = collector.TurnInterrupted
		mark := r.event(collector.EventMarker)
		mark.Marker, mark.MarkerStatus, mark.Key = collector.MarkerAbort, collector.MarkerFailed, "abort/"+r.key()
		mark.Name = cmp.Or(jsonl.Str(r.meta, "cancelTrigger"), jsonl.Str(r.meta, "cancellationCategory"))
		d.add(mark)
	default: // "error", "refusal", "max_tokens", "max_turn_requests"
		ev.TurnStatus = collector.TurnFailed
		ev.Error = cmp.Or(jsonl.Clip(r.update.Get("agent_result"), collector.PreviewBytes).Preview, reason)
	}
	if u := r.update.Get("usage"); u != nil {
		ev.Usage, ev.Model = usage(u)
	}
	d.add(ev)
}

// usage takes the usage of a turn. Input includes what was read from the cache and written to it, output the reasoning.
// It includes sub-agents that the turn waited for (modelCalls counts theirs, numTurns does not), and not those that went
// on in the background.
func usage(u *fastjson.Value) (*collector.Usage, string) {
	input, known := jsonl.Int(u, "inputTokens")
	if !known {
		return nil, ""
	}
	read, written := atLeast(u, "cachedReadTokens"), atLeast(u, "cacheCreationTokens")
	out := &collector.Usage{Rank: collector.UsageExact, Tokens: collector.Tokens{
		Input:        collector.Exact(max(0, input-read-written)),
		CacheRead:    collector.Exact(read),
		CacheWrite5m: collector.Exact(written),
		CacheWrite1h: collector.Exact[int64](0),
		Output:       collector.Exact(atLeast(u, "outputTokens")),
		Reasoning:    collector.Exact(atLeast(u, "reasoningTokens")),
	}}
	calls, counted := jsonl.Int(u, "modelCalls")
	own, told := jsonl.Int(u, "numTurns")
	out.OfTree = counted && told && calls > own
	var models []string
	u.GetObject("modelUsage").Visit(func(name []byte, _ *fastjson.Value) { models = append(models, string(name)) })
	slices.Sort(models)
	return out, strings.Join(models, "+") // of several at once no price is known
}

func atLeast(v *fastjson.Value, key string) int64 {
	n, _ := jsonl.Int(v, key)
	return max(n, 0)
}
