package codex

import (
	"maps"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

var _ collector.HookReader = (*Source)(nil)

// hookKinds says what each of the 14 events of 0.171 tells.
var hookKinds = map[string]collector.HookKind{
	"UserPromptSubmit":  collector.HookPrompt,
	"PreToolUse":        collector.HookToolStarted,
	"PostToolUse":       collector.HookToolFinished, // not after a failed patch, a declined call or an interrupt
	"PermissionRequest": collector.HookWaiting,
	"Stop":              collector.HookStopped,
	"Interrupt":         collector.HookStopped,
	"SubagentStop":      collector.HookStopped,
	"SessionEnd":        collector.HookEnded,

	"SessionStart": collector.HookNote, "SubagentStart": collector.HookNote, "PreCompact": collector.HookNote, "PostCompact": collector.HookNote,
	"PreModelRequest": collector.HookNote, "PostModelRequest": collector.HookNote,
}

// HookEvents returns the events that ReadHook knows.
func (s *Source) HookEvents() []string { return slices.Sorted(maps.Keys(hookKinds)) }

// ReadHook reads what a hook is given on its standard input. The session is the root thread's, also inside a sub-agent,
// whose thread agent_id names.
func (s *Source) ReadHook(event string, payload []byte) (collector.Hook, error) {
	h := collector.Hook{Kind: hookKinds[event]}
	jsonl.Object(payload, func(v *fastjson.Value) {
		own := jsonl.Str(v, "session_id")
		if own == "" {
			return
		}
		h.Session = sessionOf(own)
		if child := jsonl.Str(v, "agent_id"); child != "" {
			h.Session = h.Session.Child(child)
		}
		if name := jsonl.Str(v, "tool_name"); name != "" {
			h.Call = jsonl.Str(v, "tool_use_id")
			hookTool(&h, name, v.Get("tool_input"))
		}
	})
	if h.Session == "" {
		return h, &collector.Error{Code: collector.CodeInvalid, Message: "want a JSON object with a session_id"}
	}
	return h, nil
}

// hookTool says the tool in the log's words: hooks call a shell command "Bash" whatever the tool, and write a server's
// tool as "mcp__server__tool". A question repeats the arguments and adds why it is asked.
func hookTool(h *collector.Hook, name string, args *fastjson.Value) {
	namespace, own := "", name
	switch rest, server := strings.CutPrefix(name, "mcp__"); {
	case name == "Bash":
		own = "exec_command"
	case server:
		if i := strings.LastIndex(rest, "__"); i > 0 {
			namespace, own = "mcp__"+rest[:i], rest[i+len("__"):]
		}
	}
	h.Tool = own
	if namespace != "" {
		h.Tool = namespace + "/" + own
	}
	e := collector.Event{Category: kindOf(namespace, own).category}
	refine(&e, own, args)
	h.Category = e.Category
	h.Args, h.ArgsHash = jsonl.Clip(args, collector.PreviewBytes), jsonl.ArgsHash(args, "description")
}
