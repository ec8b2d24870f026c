package copilot

import (
	"maps"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

var _ collector.HookReader = (*Source)(nil)

// hookKinds says what each event tells that 1.0.102 knows.
var hookKinds = map[string]collector.HookKind{
	"userPromptSubmitted": collector.HookPrompt,
	"preToolUse":          collector.HookToolStarted,
	"postToolUse":         collector.HookToolFinished,
	"postToolUseFailure":  collector.HookToolFinished,
	"agentStop":           collector.HookStopped,
	"subagentStop":        collector.HookStopped,
	"sessionEnd":          collector.HookEnded,

	"sessionStart": collector.HookNote, "userPromptTransformed": collector.HookNote, "subagentStart": collector.HookNote,
	"errorOccurred": collector.HookNote, "preCompact": collector.HookNote, "notification": collector.HookNote,
	"preMcpToolCall": collector.HookNote,
	// It also comes when nobody is asked, since a rule or --allow-all-tools answers; the notification tells the dialog.
	"permissionRequest": collector.HookNote,
}

// HookEvents returns the events that ReadHook knows.
func (s *Source) HookEvents() []string { return slices.Sorted(maps.Keys(hookKinds)) }

// ReadHook reads what a hook is given on its standard input. No call has an id here. Inside a sub-agent the session is
// the sub-agent, and parentAgentId is the session; up to 1.0.65 nothing names the sub-agent.
func (s *Source) ReadHook(event string, payload []byte) (collector.Hook, error) {
	h := collector.Hook{Kind: hookKinds[event]}
	jsonl.Object(payload, func(v *fastjson.Value) {
		own, child, parent := jsonl.Str(v, "sessionId"), jsonl.Str(v, "agentId"), jsonl.Str(v, "parentAgentId")
		switch {
		case own == "":
			return
		case child != "" && parent != "":
			h.Session = collector.NewSessionID(agent, parent).Child(child)
		default:
			h.Session = collector.NewSessionID(agent, own)
			if event == "subagentStop" {
				h.Kind = collector.HookNote
			}
		}
		h.At = jsonl.Time(v, "timestamp")
		if jsonl.Str(v, "notification_type") == "permission_prompt" {
			h.Kind = collector.HookWaiting
			_, asked, _ := strings.Cut(jsonl.Str(v, "message"), ": ") // "Run command: touch a.txt"
			h.Args = jsonl.ClipString(asked, collector.PreviewBytes)
		}
		hookTool(&h, v)
	})
	if h.Session == "" {
		return h, &collector.Error{Code: collector.CodeInvalid, Message: "want a JSON object with a sessionId"}
	}
	return h, nil
}

// hookTool says of which call a hook tells. Up to 1.0.65 the arguments stand in a string.
func hookTool(h *collector.Hook, v *fastjson.Value) {
	name, args := jsonl.Str(v, "toolName"), v.Get("toolArgs")
	if name == "" || h.Kind == collector.HookNote {
		return
	}
	set := func(args *fastjson.Value) {
		var e collector.Event
		setTool(&e, name, "", args, collector.PreviewBytes)
		h.Tool, h.Category, h.Args, h.ArgsHash = e.Tool, e.Category, e.Args, e.ArgsHash
	}
	if args == nil || args.Type() != fastjson.TypeString || !jsonl.Object([]byte(jsonl.Str(args)), set) {
		set(args)
	}
}
