package codex

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// item is a response item: what the model was given, or what it said.
type item struct {
	*fastjson.Value
	bare    bool // a line of its own, before envelopes: nothing else tells of prompts
	summary bool // written by a compaction: no reply
}

// turn returns the turn that the item names (from 0.148 on).
func (it item) turn() string {
	return jsonl.Str(it.Value, "internal_chat_message_metadata_passthrough", "turn_id")
}

func (d *decoder) item(it item) {
	switch kind := it.GetStringBytes("type"); string(kind) {
	case "message":
		d.message(it)
	case "reasoning":
		d.reasoning(it)
	case "function_call":
		d.functionCall(it)
	case "custom_tool_call":
		d.customCall(it)
	case "local_shell_call":
		d.localShell(it)
	case "tool_search_call":
		d.toolSearch(it)
	case "web_search_call", "image_generation_call":
		d.hosted(it, strings.TrimSuffix(string(kind), "_call"))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		d.output(it, it.Get("output"))
	case "tool_search_output":
		d.output(it, it.Get("tools"))
	case "agent_message":
		d.mail(it)
	case "additional_tools", "compaction", "compaction_summary", "context_compaction", "compaction_trigger", "ghost_snapshot", "other":
		// What the model is given, and how the agent undoes: nothing that happened.
	default:
		d.unknown("response_item/" + string(kind))
	}
}

// contextPrefixes begin texts of role user that the harness wrote.
var contextPrefixes = []string{
	"<user_instructions>", "<environment_context>", "# AGENTS.md instructions for", "<INSTRUCTIONS>", "<turn_aborted>",
	"<subagent_notification>", "<user_shell_command>", "<skill>", "<codex_internal_context", "<goal_context>",
	"<recommended_plugins", "Warning: apply_patch was requested via", "Another language model started to solve this problem",
}

// harness reports whether a text of role user was written by the harness.
func harness(v *fastjson.Value) bool {
	const longest = 64 // bytes; enough for every prefix
	head := strings.TrimLeft(jsonl.Clip(v, longest).Preview, " \n\t")
	for _, p := range contextPrefixes {
		if strings.HasPrefix(head, p) {
			return true
		}
	}
	return false
}

// texts returns the texts of a content array. It does not ask for their type: fastjson would unescape them as a whole.
func texts(content *fastjson.Value) []*fastjson.Value {
	var parts []*fastjson.Value
	for _, c := range content.GetArray() {
		if t := c.Get("text"); t != nil {
			parts = append(parts, t)
		}
	}
	return parts
}

func (d *decoder) message(it item) {
	switch role := it.GetStringBytes("role"); string(role) {
	case "assistant":
		if it.summary {
			return
		}
		for _, t := range texts(it.Get("content")) {
			d.text(t, it.turn(), false)
		}
	case "user":
		d.given(it)
	case "developer", "system":
	default:
		d.unknown("response_item/message/" + string(role))
	}
}

// given reads a message of role user. Only before there were events is it the witness of a prompt.
func (d *decoder) given(it item) {
	content := it.Get("content")
	if !it.bare {
		d.skills(content, it.turn())
		return
	}
	d.prompt(texts(content), "", "")
	for _, t := range texts(content) {
		if cwd := between(t, "<environment_context>", "<cwd>", "</cwd>"); cwd != "" {
			d.add(collector.EventFacts).Facts = &collector.Facts{Cwd: cwd, Fallback: true}
		}
	}
}

// prompt adds a prompt made of the parts that the harness did not write, if there are any.
func (d *decoder) prompt(parts []*fastjson.Value, key, turn string) {
	own := parts[:0:0]
	for _, t := range parts {
		if !harness(t) {
			own = append(own, t)
		}
	}
	if len(parts) > 0 && len(own) == 0 {
		return
	}
	e := d.add(collector.EventPrompt)
	e.Text = jsonl.Join(d.limit, own...)
	e.Key, e.Turn, e.Origin = key, turn, collector.PromptHuman
	if d.items > 0 {
		e.Key = "item-" + strconv.Itoa(d.items)
	}
}

// skills adds a marker for every skill whose text the harness gave to the model.
func (d *decoder) skills(content *fastjson.Value, turn string) {
	for _, t := range texts(content) {
		if name := between(t, "<skill>", "<name>", "</name>"); name != "" {
			e := d.add(collector.EventMarker)
			e.Marker, e.MarkerStatus, e.Name, e.Turn = collector.MarkerSkill, collector.MarkerOK, name, turn
		}
	}
}

// between returns what stands between open and end near the beginning of a text that begins with prefix.
func between(v *fastjson.Value, prefix, open, end string) string {
	const near = 512 // bytes
	head := jsonl.Clip(v, near).Preview
	if !strings.HasPrefix(head, prefix) {
		return ""
	}
	_, rest, ok := strings.Cut(head, open)
	if !ok {
		return ""
	}
	s, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return s
}

// text adds a text of a response. Every generation writes one twice, as an item and as an event, with different ids or
// none; so its content names it. Package fold drops the second one of a response.
func (d *decoder) text(v *fastjson.Value, turn string, thinking bool) {
	t := jsonl.Clip(v, d.limit)
	if t.Bytes == 0 {
		return
	}
	e := d.add(collector.EventText)
	e.Turn, e.Text, e.Thinking = turn, t, thinking
	e.Key = textKey(v, thinking)
}

// textKey names a text by its content as it stands in the log: one program wrote both copies, with the same escapes.
func textKey(v *fastjson.Value, thinking bool) string {
	h := strconv.FormatUint(jsonl.Hash(v), 36)
	if thinking {
		return "r" + h
	}
	return "t" + h
}

func (d *decoder) reasoning(it item) {
	turn := it.turn()
	before := len(d.dst)
	for _, t := range texts(it.Get("summary")) {
		d.text(t, turn, true)
	}
	for _, t := range texts(it.Get("content")) {
		d.text(t, turn, true)
	}
	if len(d.dst) == before && it.Exists("encrypted_content") {
		e := d.add(collector.EventText)
		e.Turn, e.Thinking, e.Redacted = turn, true, true
	}
}

// mail reads a message between agents (multi-agent v2). One that goes down the tree of agents is a task, which stands in
// for a prompt in the receiver's file; one that goes up is an answer.
func (d *decoder) mail(it item) {
	from, to := jsonl.Str(it.Value, "author"), jsonl.Str(it.Value, "recipient")
	if from == "" || !strings.HasPrefix(to, strings.TrimSuffix(from, "/")+"/") {
		return
	}
	e := d.add(collector.EventPrompt)
	e.Text = jsonl.Join(d.limit, texts(it.Get("content"))...)
	e.Turn, e.Origin, e.Joins = it.turn(), collector.PromptAgent, true
}
