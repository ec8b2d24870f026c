package codex

import (
	"cmp"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// done is an item_completed event (from 0.148 on): a prompt, a text, or how a call went.
type done struct {
	*fastjson.Value
	id, turn       string
	started, ended int64 // unix ms
	copied         bool
}

func (d *decoder) completed(p *fastjson.Value) {
	it := done{
		Value: p.Get("item"), turn: jsonl.Str(p, "turn_id"), copied: d.foreign(jsonl.Str(p, "thread_id")),
		started: jsonl.Time(p, "started_at_ms"), ended: jsonl.Time(p, "completed_at_ms"),
	}
	it.id = jsonl.Str(it.Value, "id")
	from := len(d.dst)
	switch kind := it.GetStringBytes("type"); string(kind) {
	case "UserMessage":
		d.prompt(texts(it.Get("content")), it.id, it.turn)
	case "AgentMessage":
		for _, t := range texts(it.Get("content")) {
			d.text(t, it.turn, false)
		}
	case "Reasoning":
		for _, list := range []string{"summary_text", "raw_content"} {
			for _, t := range it.GetArray(list) {
				d.text(t, it.turn, true)
			}
		}
	case "CommandExecution", "FileChange", "McpToolCall", "DynamicToolCall", "CollabAgentToolCall", "ImageView":
		d.tool(it, string(kind))
	case "WebSearch":
		d.search(it)
	case "SubAgentActivity":
		d.activity(it.Value)
	case "Plan":
		e := d.mark(collector.MarkerPlan, collector.MarkerOK, "plan", it.Get("text"))
		e.Key, e.Turn = it.id, it.turn
	case "HookPrompt", "EnteredReviewMode", "ExitedReviewMode":
		e := d.mark(collector.MarkerNotice, collector.MarkerOK, string(kind), nil)
		e.Key, e.Turn = it.id, it.turn
	case "ContextCompaction", "FunctionCallOutput", "Sleep", "ImageGeneration":
		// The record "compacted", and the response's items, say more.
	default:
		d.unknown("item_completed/" + string(kind))
	}
	for i := from; i < len(d.dst) && it.copied; i++ {
		d.dst[i].Inherited = true
	}
}

// nested reports whether the call was made by a script of code mode, and not by a response.
func (it done) nested() bool { return strings.HasPrefix(it.id, "exec-") }

// typed reports whether the user typed the command ("!cmd").
func (it done) typed() bool { return string(it.GetStringBytes("source")) == "user_shell" }

// tool reads how a call went. A call that a response asked for has its own records, which this one adds to;
// others have no record but this.
func (d *decoder) tool(it done, kind string) {
	own := it.nested() || it.typed()
	if own {
		d.ownCall(it, kind)
	}
	e := d.add(collector.EventResult)
	e.Call, e.Turn, e.Enriches = it.id, it.turn, !own
	e.Time = cmp.Or(it.ended, d.at)
	e.CallStatus = collector.CallOK
	switch status := it.GetStringBytes("status"); string(status) {
	case "failed":
		e.CallStatus = collector.CallFailed
	case "declined":
		e.CallStatus = collector.CallDenied
	}
	switch kind {
	case "CommandExecution":
		executed(e, it.Value)
		if own {
			out := it.Get("aggregated_output")
			e.Text, e.ResultHash = jsonl.Clip(out, d.limit), hashBody(out, e.ExitCode)
		}
	case "FileChange":
		patched(e, it.Value)
		if own {
			e.Text = jsonl.Join(d.limit, it.Get("stdout"), it.Get("stderr"))
		}
	case "McpToolCall", "DynamicToolCall":
		d.remote(e, it, own)
	case "CollabAgentToolCall":
		d.collab(it)
	}
}

// ownCall adds the call itself, which only the completed item shows.
func (d *decoder) ownCall(it done, kind string) {
	e := d.add(collector.EventCall)
	e.Call, e.Turn, e.Time = it.id, it.turn, cmp.Or(it.started, d.at)
	if it.typed() {
		e.Unasked = true
	} else {
		e.Within = collector.WithinPending
	}
	switch kind {
	case "CommandExecution":
		e.Tool, e.Category = "exec_command", collector.CategoryShell
		cmd := commandOf(it.Value)
		e.Args, e.ArgsHash = jsonl.ClipString(cmd, d.limit), jsonl.HashString(cmd)
		command(e, cmd)
	case "FileChange":
		e.Tool, e.Category, e.Effect = "apply_patch", collector.CategoryFile, collector.EffectEdit
		e.Args, e.ArgsHash = jsonl.Clip(it.Get("changes"), d.limit), jsonl.ArgsHash(it.Get("changes"))
	case "McpToolCall":
		e.Tool, e.Category = "mcp__"+jsonl.Str(it.Value, "server")+"/"+jsonl.Str(it.Value, "tool"), collector.CategoryOther
		e.Args, e.ArgsHash = jsonl.Clip(it.Get("arguments"), d.limit), jsonl.ArgsHash(it.Get("arguments"))
	case "ImageView":
		e.Tool, e.Category = "view_image", collector.CategoryFile
		e.Args, e.ArgsHash = jsonl.Clip(it.Get("path"), d.limit), jsonl.Hash(it.Get("path"))
	default:
		e.Tool = jsonl.Str(it.Value, "tool")
		k := kindOf("", e.Tool)
		if kind == "CollabAgentToolCall" {
			k.category = collector.CategoryAgent
		}
		e.Category, e.Effect = k.category, k.effect
		args := it.Get("arguments")
		if args == nil {
			args = it.Get("prompt")
		}
		e.Args, e.ArgsHash = jsonl.Clip(args, d.limit), jsonl.ArgsHash(args)
	}
}

// executed reads how a command ended.
func executed(e *collector.Event, v *fastjson.Value) {
	code, known := jsonl.Int(v, "exit_code")
	if !known {
		return
	}
	exit := int(code)
	e.ExitCode = &exit
	if exit != 0 && e.CallStatus == collector.CallOK {
		e.CallStatus = collector.CallFailed // also -1: killed
	}
}

// patched reads what a patch changed.
func patched(e *collector.Event, v *fastjson.Value) {
	switch status := v.GetStringBytes("status"); string(status) {
	case "declined":
		e.CallStatus = collector.CallDenied
	case "failed":
		e.CallStatus = collector.CallFailed
	}
	if e.CallStatus != collector.CallOK {
		e.Error = firstLine(jsonl.Clip(v.Get("stderr"), headBytes).Preview)
		return
	}
	v.GetObject("changes").Visit(func(_ []byte, c *fastjson.Value) {
		content := jsonl.Str(c, "content")
		lines := strings.Count(strings.TrimSuffix(content, "\n"), "\n")
		if content != "" {
			lines++
		}
		switch kind := c.GetStringBytes("type"); string(kind) {
		case "add":
			e.LinesAdded += lines
		case "delete":
			e.LinesRemoved += lines
		default:
			for line := range strings.Lines(jsonl.Str(c, "unified_diff")) {
				switch {
				case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
				case strings.HasPrefix(line, "+"):
					e.LinesAdded++
				case strings.HasPrefix(line, "-"):
					e.LinesRemoved++
				}
			}
		}
	})
}

// remote reads how a call of an MCP server or a client's own tool went.
func (d *decoder) remote(e *collector.Event, it done, own bool) {
	e.Duration = duration(it.Get("duration"))
	content := texts(it.Get("result", "content"))
	if len(content) == 0 {
		content = texts(it.Get("content_items"))
	}
	if jsonl.Bool(it.Value, "result", "isError") || it.Exists("success") && !jsonl.Bool(it.Value, "success") {
		e.CallStatus = collector.CallFailed
	}
	if e.CallStatus == collector.CallFailed {
		e.Error = firstLine(cmp.Or(jsonl.Str(it.Value, "error", "message"), jsonl.Join(headBytes, content...).Preview))
	}
	if own {
		e.Text = jsonl.Join(d.limit, content...)
		e.ResultHash = jsonl.HashString(e.Text.Preview)
	}
}

// collab reads a call that concerns sub-agents (v1).
func (d *decoder) collab(it done) {
	if string(it.GetStringBytes("tool")) != "spawn_agent" {
		return
	}
	roles := it.GetArray("receiver_agents")
	for i, id := range it.GetArray("receiver_thread_ids") {
		role := ""
		if i < len(roles) {
			role = jsonl.Str(roles[i], "agent_role")
		}
		d.spawned(jsonl.Str(id), it.id, role)
	}
}

// search reads a web search, which the model's host carried out within the response; the response's item has the same
// id.
func (d *decoder) search(it done) {
	e := d.add(collector.EventCall)
	e.Call, e.Turn, e.Tool, e.Category = it.id, it.turn, "web_search", collector.CategoryWeb
	e.Args, e.ArgsHash = jsonl.Clip(it.Get("action"), d.limit), jsonl.ArgsHash(it.Get("action"))
	e = d.add(collector.EventResult)
	e.Call, e.Turn, e.CallStatus = it.id, it.turn, collector.CallOK
}
