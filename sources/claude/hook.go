package claude

import (
	"maps"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

var _ collector.HookReader = (*Source)(nil)

// hookKinds says what each event tells. Those of a note are all others that 2.1.332 knows.
var hookKinds = map[string]collector.HookKind{
	"UserPromptSubmit":   collector.HookPrompt,
	"PreToolUse":         collector.HookToolStarted,
	"PostToolUse":        collector.HookToolFinished,
	"PostToolUseFailure": collector.HookToolFinished,
	"PermissionRequest":  collector.HookWaiting, // as the dialog opens; its Notification comes 6 s later
	"Stop":               collector.HookStopped,
	"StopFailure":        collector.HookStopped,
	"SubagentStop":       collector.HookStopped,
	"SessionEnd":         collector.HookEnded,

	"SessionStart": collector.HookNote, "Setup": collector.HookNote, "UserPromptExpansion": collector.HookNote,
	"PostToolBatch": collector.HookNote, "PermissionDenied": collector.HookNote, "Notification": collector.HookNote,
	"MessageDisplay": collector.HookNote, "PreSkillShellCommand": collector.HookNote, "InstructionsLoaded": collector.HookNote,
	"SubagentStart": collector.HookNote, "TeammateIdle": collector.HookNote, "TaskCreated": collector.HookNote, "TaskCompleted": collector.HookNote,
	"PreCompact": collector.HookNote, "PostCompact": collector.HookNote, "PreModelSwitch": collector.HookNote, "PostModelSwitch": collector.HookNote,
	"Elicitation": collector.HookNote, "ElicitationResult": collector.HookNote, "ConfigChange": collector.HookNote, "CwdChanged": collector.HookNote,
	"DirectoryAdded": collector.HookNote, "FileChanged": collector.HookNote, "WorktreeCreate": collector.HookNote, "WorktreeRemove": collector.HookNote,
}

// HookEvents returns the events that ReadHook knows.
func (s *Source) HookEvents() []string { return slices.Sorted(maps.Keys(hookKinds)) }

// ReadHook reads what a hook is given on its standard input. Inside a sub-agent the session is the root's, and agent_id
// names the sub-agent. Other programs fire this agent's hooks too; their payload names no transcript, or says the event in
// another spelling too, and tells nothing here.
func (s *Source) ReadHook(event string, payload []byte) (collector.Hook, error) {
	h := collector.Hook{Kind: hookKinds[event]}
	named := false
	jsonl.Object(payload, func(v *fastjson.Value) {
		own := jsonl.Str(v, "session_id")
		if named = own != ""; !named {
			return
		}
		if jsonl.Str(v, "transcript_path") == "" || v.Exists("hookEventName") {
			h.Kind = collector.HookNote
			return
		}
		h.Session = collector.NewSessionID(agent, own)
		if child := jsonl.Str(v, "agent_id"); child != "" {
			h.Session = h.Session.Child(child)
		}
		name, input := v.GetStringBytes("tool_name"), v.Get("tool_input")
		if len(name) == 0 {
			return
		}
		h.Call = jsonl.Str(v, "tool_use_id")
		h.Args = jsonl.Clip(input, collector.PreviewBytes)
		h.ArgsHash = argsHash(name, input)
		h.Tool, h.Category, _ = classify(name, input) // last: it unescapes the command in place
	})
	if !named {
		return h, &collector.Error{Code: collector.CodeInvalid, Message: "want a JSON object with a session_id"}
	}
	return h, nil
}
