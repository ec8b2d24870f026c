package claude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const bash = `{"command":"make"}`

// turnCases are lines of real kinds, and the turns that they make up.
var turnCases = map[string]struct {
	lines []string
	want  []string
}{
	"results between the blocks of one message": {[]string{
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", bash), small),
		toolResult("u2", "10:00:04", "c1", `"one"`, false),
		assistantLine("u3", "10:00:02", "m1", "tool_use", toolUse("c2", "Read", `{}`), small),
		toolResult("u4", "10:00:03", "c2", `"two"`, false),
		assistantLine("u5", "10:00:05", "m2", "end_turn", say("done"), small),
	}, []string{`ok human "go" → "done" trips=2 steers=0`, "  Bash ok ms=3000", "  Read ok ms=1000"}},
	"killed and resumed": {[]string{
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", bash), small),
		toolResult("u2", "11:00:00", "c1", `"[Tool call interrupted: the session ended before this"`, true, `"toolDenialKind":"interrupted"`),
		`{"type":"assistant","uuid":"u3","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`,
		userLine("u4", "11:00:01", `"on"`),
		assistantLine("u5", "11:00:02", "m2", "end_turn", say("yes"), small),
	}, []string{`abandoned human "go" → "" trips=1 steers=0`, "  Bash interrupted ms=0", `ok human "on" → "yes" trips=1 steers=0`}},
	"filler after a good turn": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "end_turn", say("done"), small),
		`{"type":"assistant","uuid":"u3","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`,
	}, []string{`ok human "go" → "done" trips=1 steers=0`}},
	"a stop hook objects": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "end_turn", say("done"), small),
		`{"type":"system","subtype":"stop_hook_summary","uuid":"u2","hookErrors":["tests fail"]}`,
		userLine("u3", "10:00:02", `"Stop hook feedback:\ntests fail"`, `"isMeta":true`),
		assistantLine("u4", "10:00:03", "m2", "end_turn", say("fixed"), small),
	}, []string{`ok human "go" → "fixed" trips=2 steers=0`}},
	"cut off and going on": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "max_tokens", say("cut"), small),
		userLine("u2", "10:00:02", `"Output token limit hit. Resume directly"`, `"isMeta":true`),
		assistantLine("u3", "10:00:03", "m2", "end_turn", say("off"), small),
	}, []string{`ok human "go" → "off" trips=2 steers=0`}},
	"cut off, and that was it": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "max_tokens", say("cut"), small),
	}, []string{`ok human "go" → "cut" trips=1 steers=0`}},
	"cut off while it called": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "max_tokens", say("look"), small),
		assistantLine("u2", "10:00:01", "m1", "max_tokens", toolUse("c1", "Bash", bash), small),
	}, []string{`open human "go" → "look" trips=1 steers=0`, "  Bash pending ms=0"}},
	"refused again": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "refusal", say("no"), small),
		`{"type":"system","subtype":"informational","uuid":"u2","content":"continuing once with that noted"}`,
		userLine("u3", "10:00:02", `"Your response above was stopped"`, `"isMeta":true`, `"refusalRetry":true`),
		assistantLine("u4", "10:00:03", "m2", "refusal", say("no!"), small),
	}, []string{`ok human "go" → "no!" trips=2 steers=0`}},
	"refused, then working": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "refusal", say("no"), small),
		assistantLine("u4", "10:00:03", "m2", "tool_use", toolUse("c1", "Bash", bash), small),
	}, []string{`open human "go" → "no" trips=2 steers=0`, "  Bash pending ms=0"}},
	"retried, then failed": {[]string{
		userLine("u0", "10:00:00", `"go"`),
		`{"type":"system","subtype":"api_error","uuid":"u1","error":{"formatted":"529"},"retryAttempt":10,"maxRetries":10}`,
		`{"type":"assistant","uuid":"u2","isApiErrorMessage":true,"error":"overloaded","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}`,
		userLine("u3", "10:00:05", `"again"`), assistantLine("u4", "10:00:06", "m1", "end_turn", say("ok"), small),
	}, []string{`failed human "go" → "" trips=0 steers=0`, `ok human "again" → "ok" trips=1 steers=0`}},
	"a local command is no turn": {[]string{
		userLine("u0", "10:00:00", `"<command-name>/clear</command-name><command-args></command-args>"`),
		userLine("u1", "10:00:01", `"go"`), assistantLine("u2", "10:00:02", "m1", "end_turn", say("done"), small),
	}, []string{`ok human "go" → "done" trips=1 steers=0`}},
	"a command for the model is one": {[]string{
		userLine("u0", "10:00:00", `"<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>7</command-args>"`),
		userLine("u1", "10:00:00", `[{"type":"text","text":"Review the pull request."}]`, `"isMeta":true`),
		assistantLine("u2", "10:00:02", "m1", "end_turn", say("fine"), small),
	}, []string{`ok human "/review 7" → "fine" trips=1 steers=0`}},
	"taken in while it ran": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", bash), small),
		`{"type":"attachment","uuid":"u2","timestamp":"2026-11-30T10:00:02.000Z","attachment":{"type":"queued_command","prompt":"and that"}}`,
		toolResult("u3", "10:00:03", "c1", `"x"`, false), assistantLine("u4", "10:00:04", "m2", "end_turn", say("both"), small),
	}, []string{`ok human "go" → "both" trips=2 steers=1`, "  Bash ok ms=2000"}},
	"a fork": {[]string{
		userLine("u0", "09:00:00", `"old"`), assistantLine("u1", "09:00:01", "m1", "end_turn", say("then"), small, `"requestSessionId":"s0"`),
		userLine("u2", "10:00:00", `"new"`), assistantLine("u3", "10:00:01", "m2", "end_turn", say("now"), small),
	}, []string{`ok human "old" → "then" trips=1 steers=0 inherited`, `ok human "new" → "now" trips=1 steers=0`}},
	"a background shell": {[]string{
		userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", bash), small),
		toolResult("u2", "10:00:02", "c1", `"running"`, false, `"toolUseResult":{"backgroundTaskId":"b1"}`),
		assistantLine("u3", "10:00:03", "m2", "end_turn", say("started"), small),
		userLine("u4", "10:01:01", `"<task-notification><task-id>b1</task-id><tool-use-id>c1</tool-use-id><status>failed</status><summary>exit code 2</summary></task-notification>"`, `"turnOrigin":"task_notification"`),
		assistantLine("u5", "10:01:02", "m3", "end_turn", say("it failed"), small),
	}, []string{`ok human "go" → "started" trips=2 steers=0`, "  Bash failed ms=60000", `ok auto "exit code 2" → "it failed" trips=1 steers=0`}},
}

func TestTurns(t *testing.T) {
	for name, c := range turnCases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, outline(folded(t, c.lines...))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
