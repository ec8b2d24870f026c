package gemini

import (
	"maps"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

var _ collector.HookReader = (*Source)(nil)

// hookKinds says what each of the 11 events of 0.61.0 tells.
var hookKinds = map[string]collector.HookKind{
	"BeforeAgent":  collector.HookPrompt,
	"BeforeTool":   collector.HookToolStarted,
	"AfterTool":    collector.HookToolFinished, // not after a call that the user cancelled, or whose arguments are wrong
	"Notification": collector.HookNote,         // HookWaiting if it asks for permission
	"AfterAgent":   collector.HookStopped,
	"SessionEnd":   collector.HookEnded,

	"SessionStart": collector.HookNote, "PreCompress": collector.HookNote, "BeforeModel": collector.HookNote,
	"AfterModel": collector.HookNote, "BeforeToolSelection": collector.HookNote,
}

// HookEvents returns the events that ReadHook knows.
func (s *Source) HookEvents() []string { return slices.Sorted(maps.Keys(hookKinds)) }

// ReadHook reads what a hook is given on its standard input. No call has an id here, and what a sub-agent calls bears the
// session of its root.
func (s *Source) ReadHook(event string, payload []byte) (collector.Hook, error) {
	h := collector.Hook{Kind: hookKinds[event]}
	jsonl.Object(payload, func(v *fastjson.Value) {
		id := jsonl.Str(v, "session_id")
		if id == "" {
			return
		}
		h.Session = collector.NewSessionID(Agent, own(id))
		h.At = jsonl.Time(v, "timestamp")
		if jsonl.Str(v, "notification_type") == "ToolPermission" && h.Kind == collector.HookNote {
			h.Kind = collector.HookWaiting
			h.Args = jsonl.Clip(asked(v.Get("details")), collector.PreviewBytes)
		}
		if name := jsonl.Str(v, "tool_name"); name != "" {
			var e collector.Event
			setTool(&e, name, v.Get("tool_input"), collector.PreviewBytes)
			h.Tool, h.Category, h.Args, h.ArgsHash, h.Unlogged = e.Tool, e.Category, e.Args, e.ArgsHash, true
		}
	})
	if h.Session == "" {
		return h, &collector.Error{Code: collector.CodeInvalid, Message: "want a JSON object with a session_id"}
	}
	return h, nil
}

// asked returns what a question for permission is about: a command, or a file.
func asked(details *fastjson.Value) *fastjson.Value {
	for _, key := range []string{"command", "filePath", "fileName"} {
		if v := details.Get(key); v != nil {
			return v
		}
	}
	return nil
}
