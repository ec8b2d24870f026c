package grok

import (
	"maps"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

var _ collector.HookBorrower = (*Source)(nil)

// hookKinds says what each of the 15 events of 1.0.41 tells. A session fires Stop once more as it ends.
var hookKinds = map[string]collector.HookKind{
	"UserPromptSubmit":   collector.HookPrompt, // also of wake-ups
	"PreToolUse":         collector.HookToolStarted,
	"PostToolUse":        collector.HookToolFinished,
	"PostToolUseFailure": collector.HookToolFinished,
	"PermissionDenied":   collector.HookToolFinished,
	"Stop":               collector.HookStopped,
	"StopFailure":        collector.HookStopped,
	"StopCancelled":      collector.HookStopped,
	"SessionEnd":         collector.HookEnded,

	"SessionStart": collector.HookNote, "Notification": collector.HookNote, "SubagentStart": collector.HookNote, "SubagentStop": collector.HookNote,
	"PreCompact": collector.HookNote, "PostCompact": collector.HookNote,
}

// HookEvents returns the events that ReadHook knows.
func (*Source) HookEvents() []string { return slices.Sorted(maps.Keys(hookKinds)) }

// ReadHook reads what a hook is given on its standard input. A sub-agent's hooks name its own session and its type, and
// not the session that spawned it: what they tell, its log has to.
func (*Source) ReadHook(event string, payload []byte) (collector.Hook, error) {
	h := collector.Hook{Kind: hookKinds[event]}
	named := false
	jsonl.Object(payload, func(v *fastjson.Value) {
		own := jsonl.Str(v, "sessionId")
		if named = own != ""; !named {
			return
		}
		h.At = jsonl.Time(v, "timestamp")
		if jsonl.Str(v, "subagentType") != "" {
			h.Kind = collector.HookNote
			return
		}
		h.Session = collector.NewSessionID(agent, own)
		if event == "Notification" && jsonl.Str(v, "notificationType") == "permission_prompt" {
			h.Kind = collector.HookWaiting
		}
		if tool := jsonl.Str(v, "toolName"); tool != "" {
			h.Call = jsonl.Str(v, "toolUseId")
			var ev collector.Event
			nameTool(&ev, tool, v.Get("toolInput"), collector.PreviewBytes)
			h.Tool, h.Category, h.Args, h.ArgsHash = ev.Tool, ev.Category, ev.Args, ev.ArgsHash
		}
	})
	if !named {
		return h, &collector.Error{Code: collector.CodeInvalid, Message: "want a JSON object with a sessionId"}
	}
	return h, nil
}

// Borrows reports whether payload is what this agent's program gives a hook that was installed for another agent. It
// runs the hooks of other agents' settings too, and says everything in their words as well as in its own.
func (*Source) Borrows(payload []byte) bool {
	own := false
	jsonl.Object(payload, func(v *fastjson.Value) {
		own = jsonl.Str(v, "hookEventName") != "" && jsonl.Str(v, "sessionId") != "" && jsonl.Str(v, "hook_event_name") != ""
	})
	return own
}
