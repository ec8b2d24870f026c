package copilot

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// userMessage is a prompt: a human's, a parent agent's, or one that the harness put in. Its content is what was
// typed; transformedContent, what the model got, is never shown.
func (d *decoder) userMessage(r *record) {
	source := jsonl.Str(r.data, "source")
	if strings.HasPrefix(source, "skill-") {
		return // the text of a skill, which skill.invoked tells of
	}
	ev := r.event(collector.EventPrompt)
	ev.Key = r.id
	ev.Text = jsonl.Clip(r.data.Get("content"), d.limit)
	ev.Origin = collector.PromptHuman
	delivery := jsonl.Str(r.data, "delivery")
	ev.Joins = delivery == "steering" || delivery == "queued"
	switch {
	case r.lane != "":
		ev.Origin = collector.PromptAgent
	case jsonl.Bool(r.data, "isAutopilotContinuation"), !typed(source):
		ev.Origin = collector.PromptAuto
		ev.Joins = true
	}
	d.add(ev)
}

// typed reports whether a prompt of that source came from a human. Sources of other agents are "agent-<id>"; what else
// there may be beside "" is not documented, so only names that say it are taken for the harness.
func typed(source string) bool {
	for _, prefix := range []string{"agent-", "autopilot", "schedule", "system", "hook-", "workflow-", "notification"} {
		if strings.HasPrefix(source, prefix) {
			return false
		}
	}
	return true
}

func (d *decoder) turnStart(r *record) { d.add(r.event(collector.EventRoundTripStart)) }

// assistantMessage is a response, or a chunk of one: its text and the calls it asks for.
func (d *decoder) assistantMessage(r *record) {
	trip := jsonl.Str(r.data, "apiCallId")
	model := jsonl.Str(r.data, "model")
	output, counted := jsonl.Int(r.data, "outputTokens")
	requests := r.data.GetArray("toolRequests")
	if trip == "" && model == "" && !counted {
		// Made up by the runtime, such as a look at a background agent that ended. Versions without model and apiCallId
		// (1.0.20, 1.0.44) count output tokens on every real response.
		for _, q := range requests {
			d.request(r, q, "", true)
		}
		return
	}
	if trip == "" {
		trip = jsonl.Str(r.data, "messageId")
	}
	d.thinking(r, trip, model)
	ev := r.event(collector.EventText)
	ev.Key = r.id
	ev.RoundTrip = trip
	ev.Model = model
	ev.Text = jsonl.Clip(r.data.Get("content"), d.limit)
	if chunks, _ := jsonl.Int(r.data, "chunkCount"); len(requests) == 0 && chunks <= 1 {
		ev.StopReason = collector.StopEndTurn
	}
	d.add(ev)
	if counted {
		ev := r.event(collector.EventUsage)
		ev.RoundTrip = trip
		ev.Model = model
		ev.Usage = &collector.Usage{Rank: collector.UsagePartial, Tokens: collector.Tokens{Output: collector.Exact(max(output, 0))}, Premium: &collector.Amount{}}
		d.add(ev)
	}
	for _, q := range requests {
		d.request(r, q, trip, false)
	}
}

func (d *decoder) thinking(r *record, trip, model string) {
	ev := r.event(collector.EventText)
	ev.Key = r.id + "#thinking"
	ev.RoundTrip = trip
	ev.Model = model
	ev.Thinking = true
	ev.Text = jsonl.Clip(r.data.Get("reasoningText"), d.limit)
	ev.Redacted = ev.Text.Bytes == 0 && (present(r.data.Get("reasoningOpaque")) || present(r.data.Get("encryptedContent")))
	if ev.Text.Bytes > 0 || ev.Redacted {
		d.add(ev)
	}
}

func present(v *fastjson.Value) bool { return v != nil && v.Type() != fastjson.TypeNull }

// request is a call that a response asked for.
func (d *decoder) request(r *record, q *fastjson.Value, trip string, unasked bool) {
	ev := r.event(collector.EventCall)
	ev.Call = jsonl.Str(q, "toolCallId")
	if ev.Call == "" {
		return
	}
	ev.RoundTrip = trip
	ev.Unasked = unasked
	setTool(&ev, jsonl.Str(q, "name"), jsonl.Str(q, "mcpServerName"), q.Get("arguments"), d.limit)
	d.add(ev)
}

// subagentStarted introduces a sub-agent. Sub-agents of sub-agents name theirs in parentId.
func (d *decoder) subagentStarted(r *record) {
	if r.lane == "" {
		return
	}
	ev := r.event(collector.EventFacts)
	parent := d.stream.Session
	if by := jsonl.Str(r.data, "parentId"); by != "" {
		parent = parent.Child(by)
	}
	role := jsonl.Str(r.data, "agentType")
	if role == "" {
		role = jsonl.Str(r.data, "agentName")
	}
	ev.Facts = &collector.Facts{
		Parent:     parent,
		ParentCall: jsonl.Str(r.data, "toolCallId"),
		Role:       role,
		Title:      jsonl.Str(r.data, "agentDisplayName"),
		TitleRank:  collector.TitleAuto,
		Model:      jsonl.Str(r.data, "model"),
		StartedAt:  r.time,
	}
	d.add(ev)
}

func (d *decoder) subagentConfigured(r *record) {
	if model := jsonl.Str(r.data, "model"); r.lane != "" && model != "" {
		ev := r.event(collector.EventFacts)
		ev.Facts = &collector.Facts{Model: model}
		d.add(ev)
	}
}

func (d *decoder) subagentEnded(r *record) {
	if r.lane == "" {
		return
	}
	ev := r.event(collector.EventTurnEnd)
	ev.TurnStatus = collector.TurnOK
	switch {
	case r.kind == "subagent.failed":
		ev.TurnStatus = collector.TurnFailed
		ev.Error = jsonl.Clip(r.data.Get("error"), errorBytes(d.limit)).Preview
	case jsonl.Bool(r.data, "cancelled"):
		ev.TurnStatus = collector.TurnInterrupted
	}
	d.add(ev)
}

// errorBytes returns how much of an error is kept.
func errorBytes(limit int) int {
	if limit == 0 {
		return 0
	}
	return min(limit, collector.PreviewBytes)
}
