package claude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

var cmpEmpty = cmp.Transformer("empty", func(s []string) []string {
	if len(s) == 0 {
		return nil
	}
	return append([]string(nil), s...)
})

func TestCalls(t *testing.T) {
	f := func(name, input, want string, more ...string) {
		t.Helper()
		line := assistantLine("u1", "10:00:00", "m1", "tool_use", toolUse("c1", name, input), "{}")
		want = "call rt=m1 c1 " + want + " stop=tool_use"
		if d := cmp.Diff(append([]string{want}, more...), sketches(decode(t, mainLog, line))); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", name, input, d)
		}
	}
	f("Read", `{"file_path":"a"}`, "Read/file")
	f("Edit", `{}`, "Edit/file/edit")
	f("MultiEdit", `{}`, "MultiEdit/file/edit")
	f("Write", `{}`, "Write/file/edit")
	f("NotebookEdit", `{}`, "NotebookEdit/file/edit")
	f("Grep", `{}`, "Grep/search")
	f("LS", `{}`, "LS/search")
	f("WebFetch", `{}`, "WebFetch/web")
	f("Task", `{}`, "Task/agent")
	f("Agent", `{}`, "Agent/agent")
	f("Workflow", `{}`, "Workflow/agent")
	f("TaskCreate", `{}`, "TaskCreate/other")
	f("BashOutput", `{}`, "BashOutput/shell/poll")
	f("TaskOutput", `{}`, "TaskOutput/agent/poll")
	f("mcp__ide__getDiagnostics", `{}`, "mcp__ide__getDiagnostics/ide")
	f("mcp__playwright__click", `{}`, "mcp__playwright__click/other")
	f("Bash", `{"command":"go test ./... && git push"}`, "Bash/shell")
	f("Bash", `{"command":"cd /w && git status | head"}`, "Bash/vcs")
	f("Bash", `{"command":"GH_TOKEN=x gh pr view 7"}`, "Bash/vcs")
	f("Bash", `{"command":"sleep 30; gh run view 1"}`, "Bash/vcs/poll")
	f("Bash", `{"command":"sleep 5"}`, "Bash/shell/poll")
	f("Bash", `{"command":"/usr/bin/gitk"}`, "Bash/shell")
	f("Bash", `{"cmd":"wrong"}`, "Bash/shell")
	f("Skill", `{"skill":"deploy:go"}`, "Skill/other", "marker skill c1 deploy:go ok source=plugin")
	f("ExitPlanMode", `{"plan":"x"}`, "ExitPlanMode/other", "marker plan_change c1 ExitPlanMode", "marker permission_wait c1 ExitPlanMode pending")
	f("TodoWrite", `{"todos":[]}`, "TodoWrite/other", "marker plan_change c1 TodoWrite")
	f("AskUserQuestion", `{}`, "AskUserQuestion/other", "marker permission_wait c1 AskUserQuestion pending")
}

// What a model words anew each time does not make another call.
func TestArgsHash(t *testing.T) {
	hash := func(name, input string) uint64 {
		t.Helper()
		for _, ev := range decode(t, mainLog, assistantLine("u", "10:00:00", "m", "tool_use", toolUse("c", name, input), "{}")) {
			if ev.Kind == collector.EventCall {
				return ev.ArgsHash
			}
		}
		t.Fatal("no call")
		return 0
	}
	same := hash("Bash", `{"command":"make","description":"Build","timeout":5}`)
	if got := hash("Bash", `{"description":"Try again","command":"make"}`); got != same {
		t.Errorf("another description makes another hash")
	}
	if got := hash("Bash", `{"command":"make all"}`); got == same {
		t.Errorf("another command has the same hash")
	}
	if hash("Agent", `{"description":"a"}`) == hash("Agent", `{"description":"b"}`) {
		t.Errorf("another agent's description has the same hash")
	}
}

func TestResults(t *testing.T) {
	const patch = `"structuredPatch":[{"lines":["-alpha","+ALPHA","+new"," beta"]},{"lines":["-x"]}],"originalFile":"alpha\nbeta\n"`
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"ok": {toolResult("u1", "10:00:00", "c1", `"fine"`, false, `"toolUseResult":{"stdout":"fine","stderr":"","interrupted":false}`), []string{`result c1 ok "fine"`}},
		"exit code": {toolResult("u1", "10:00:00", "c1", `"Exit code 127\nno such file"`, true, `"toolUseResult":"Error: Exit code 127"`),
			[]string{`result c1 failed exit=127 "Exit code 127\nno such file" error="no such file"`}},
		"exit code only": {toolResult("u1", "10:00:00", "c1", `"Exit code 1"`, true, `"toolUseResult":"Error: Exit code 1"`),
			[]string{`result c1 failed exit=1 "Exit code 1" error="Exit code 1"`}},
		"not run": {toolResult("u1", "10:00:00", "c1", `"<tool_use_error>String to replace not found in file.</tool_use_error>"`, true),
			[]string{`result c1 failed "<tool_use_error>String to replace not found in file.</tool_use_error>" error="String to replace not found in file."`}},
		"denied in the dialog": {toolResult("u1", "10:00:00", "c1", `"The user doesn't want to proceed"`, true, `"toolUseResult":"User rejected tool use"`, `"toolDenialKind":"user-rejected"`),
			[]string{`result c1 denied "The user doesn't want to proceed" error="The user doesn't want to proceed"`, "marker permission_wait c1 reject ok"}},
		"denied by rule": {toolResult("u1", "10:00:00", "c1", `"rm needs approval"`, true, `"toolDenialKind":"user-rejected"`, `"permissionDecision":{"decision":"reject","source":"config"}`),
			[]string{`result c1 denied "rm needs approval" error="rm needs approval"`}},
		"denied by a hook": {toolResult("u1", "10:00:00", "c1", `"PreToolUse:Bash hook error: [x]: no"`, true, `"toolDenialKind":"permission-rule"`, `"permissionDecision":{"decision":"reject","source":"hook"}`),
			[]string{`result c1 denied "PreToolUse:Bash hook error: [x]: no" error="PreToolUse:Bash hook error: [x]: no"`, `marker hook c1 PreToolUse:Bash ok "PreToolUse:Bash hook error: [x]: no"`}},
		"denied, old words": {toolResult("u1", "10:00:00", "c1", `"The user doesn't want to take this action right now."`, true),
			[]string{`result c1 denied "The user doesn't want to take this action right now." error="The user doesn't want to take this action right now."`}},
		"allowed by a person": {toolResult("u1", "10:00:00", "c1", `"x"`, false, `"permissionDecision":{"decision":"accept","source":"user_temporary"}`),
			[]string{`result c1 ok "x"`, "marker permission_wait c1 accept ok source=user_temporary"}},
		"answered":    {toolResult("u1", "10:00:00", "c1", `"A"`, false, `"toolUseResult":{"questions":[],"answers":{"Which?":"A"}}`), []string{`result c1 ok "A"`, "marker permission_wait c1 ok"}},
		"interrupted": {toolResult("u1", "10:00:00", "c1", `"x"`, false, `"toolUseResult":{"stdout":"","interrupted":true}`), []string{`result c1 interrupted "x"`}},
		"made up at resume": {toolResult("u1", "10:00:00", "c1", `"[Tool call interrupted: the session ended before"`, true, `"toolDenialKind":"interrupted"`),
			[]string{`result c1 interrupted late "[Tool call interrupted: the session ended before" error="[Tool call interrupted: the session ended before"`, "end abandoned late"}},
		"edit":             {toolResult("u1", "10:00:00", "c1", `"done"`, false, `"toolUseResult":{`+patch+`}`), []string{`result c1 ok lines=+2-2 "done"`}},
		"created":          {toolResult("u1", "10:00:00", "c1", `"done"`, false, `"toolUseResult":{"type":"create","content":"a\nb","structuredPatch":[]}`), []string{`result c1 ok lines=+2-0 "done"`}},
		"own duration":     {toolResult("u1", "10:00:00", "c1", `"done"`, false, `"toolUseResult":{"filenames":[],"durationMs":78}`), []string{`result c1 ok ms=78 "done"`}},
		"background shell": {toolResult("u1", "10:00:00", "c1", `"running"`, false, `"toolUseResult":{"stdout":"","backgroundTaskId":"b1"}`), []string{`result c1 pending background "running"`}},
		"background agent": {toolResult("u1", "10:00:00", "c1", `[{"type":"text","text":"launched"}]`, false, `"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"a9"}`),
			[]string{`result c1 pending background "launched"`, "facts session=~a9 parent=" + sid + " parentCall=c1"}},
		"agent": {toolResult("u1", "10:00:00", "c1", `[{"type":"text","text":"3 files"}]`, false, `"toolUseResult":{"status":"completed","agentId":"a9","agentType":"Explore","totalDurationMs":2192,"totalTokens":8970,"usage":{"input_tokens":7}}`),
			[]string{`result c1 ok ms=2192 "3 files"`, "facts session=~a9 role=Explore parent=" + sid + " parentCall=c1"}},
		"image": {toolResult("u1", "10:00:00", "c1", `[{"type":"image","source":{"data":"aGk="}}]`, false), []string{"result c1 ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, sketches(decode(t, mainLog, c.line)), cmpEmpty); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A nested sub-agent's id stands only in the words of its parent's result.
func TestNestedAgentLink(t *testing.T) {
	launched := toolResult("u1", "10:00:00", "c7", `[{"type":"text","text":"Async agent launched successfully.\\nagentId: a3ce098faf6a3f13b (internal ID)"}]`, false)
	if got := sketches(decode(t, childLog, launched)); len(got) != 2 || got[0][:28] != "result c7 pending background" {
		t.Errorf("launched: got %q", got)
	}
	line := toolResult("u1", "10:00:00", "c7", `[{"type":"text","text":"Done."},{"type":"text","text":"agentId: a3ce098faf6a3f13b (use SendMessage)"}]`, false)
	want := []string{`result c7 ok "Done.\nagentId: a3ce098faf6a3f13b (use SendMessage)"`, "facts session=~a3ce098faf6a3f13b parent=" + sid + "~a0 parentCall=c7"}
	if d := cmp.Diff(want, sketches(decode(t, childLog, line))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
