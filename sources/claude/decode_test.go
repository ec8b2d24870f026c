package claude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// small is a usage whose numbers do not matter.
var small = tokens(1, 0, 0, 2)

// env is what every line of a conversation repeats.
const env = `"cwd":"/w","gitBranch":"main","version":"2.1.332"`

func TestPrompts(t *testing.T) {
	notification := `<task-notification>\n<task-id>a0123456789abcdef</task-id>\n<tool-use-id>c1</tool-use-id>\n<status>completed</status>\n<summary>Agent \"x\" finished</summary>\n<result>Done.</result>\n<usage><duration_ms>12</duration_ms></usage>\n</task-notification>`
	for name, c := range map[string]struct {
		stream collector.Stream
		line   string
		want   []string
	}{
		"typed": {mainLog, userLine("u1", "10:00:00", `"fix it"`, env, `"origin":{"kind":"human"}`),
			[]string{"facts branch=main version=2.1.332", "facts cwd=/w fallback", `prompt human "fix it"`}},
		"first of all": {mainLog, `{"parentUuid":null,"type":"user","uuid":"u1","message":{"content":"hi"},` + env + `}`,
			[]string{"facts cwd=/w branch=main version=2.1.332", `prompt human "hi"`}},
		"no branch":      {mainLog, userLine("u1", "10:00:00", `"x"`, `"gitBranch":"HEAD"`), []string{"facts", `prompt human "x"`}},
		"meta":           {mainLog, userLine("u1", "10:00:00", `"Output token limit hit."`, `"isMeta":true`), nil},
		"summary":        {mainLog, userLine("u1", "10:00:00", `"This session is being continued from"`, `"isCompactSummary":true`), nil},
		"caveat":         {mainLog, userLine("u1", "10:00:00", `"Caveat: The messages below were"`), nil},
		"hook feedback":  {mainLog, userLine("u1", "10:00:00", `"Stop hook feedback:\nno"`, `"isMeta":true`), nil},
		"reminder alone": {mainLog, userLine("u1", "10:00:00", `"<system-reminder>x</system-reminder>"`), nil},
		"reminder first": {mainLog, userLine("u1", "10:00:00", `"<system-reminder>x</system-reminder>\n\ngo on"`), []string{"facts", `prompt human "go on"`}},
		"editor's file": {mainLog, userLine("u1", "10:00:00", `[{"type":"text","text":"<ide_opened_file>a.go</ide_opened_file>"},{"type":"text","text":"why?"}]`),
			[]string{"facts", `prompt human "why?"`}},
		"image": {mainLog, userLine("u1", "10:00:00", `[{"type":"image","source":{"data":"aGk="}}]`), []string{"facts", `prompt human "[image]"`}},
		"slash command": {mainLog, userLine("u1", "10:00:00", `"<command-name>/compact</command-name>\n <command-message>compact</command-message>\n <command-args>keep it short</command-args>"`),
			[]string{"facts", `prompt human tentative "/compact keep it short"`}},
		"shell command": {mainLog, userLine("u1", "10:00:00", `"<bash-input>ls -l</bash-input>"`), []string{"facts", `prompt human tentative "! ls -l"`}},
		"local output":  {mainLog, userLine("u1", "10:00:00", `"<local-command-stdout>Compacted</local-command-stdout>"`), nil},
		"model set": {mainLog, userLine("u1", "10:00:00", `"<local-command-stdout>Set model to \u001b[1mopus (claude-opus-5-5)\u001b[22m</local-command-stdout>"`),
			[]string{"marker model_change opus (claude-opus-5-5)"}},
		"interrupt": {mainLog, userLine("u1", "10:00:00", `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`),
			[]string{`marker abort interrupt failed "[Request interrupted by user for tool use]"`, "end interrupted"}},
		"task ended": {mainLog, userLine("u1", "10:00:00", `"`+notification+`"`, `"turnOrigin":"task_notification"`, `"origin":{"kind":"task-notification"}`),
			[]string{"facts", `prompt auto "Agent \"x\" finished\nDone."`, "result c1 ok enriches ms=12"}},
		"task ended, queued": {mainLog, other(`"type":"queue-operation"`, `"operation":"enqueue"`, at("10:00:00"), `"content":"`+notification+`"`),
			[]string{"result c1 ok enriches ms=12"}},
		"background shell failed": {mainLog, userLine("u1", "10:00:00", `"<task-notification><task-id>b1</task-id><tool-use-id>c1</tool-use-id><status>failed</status><summary>Background command \"x\" failed with exit code 3</summary></task-notification>"`),
			[]string{"facts", `prompt auto "Background command \"x\" failed with exit code 3"`,
				`result c1 failed enriches exit=3 error="Background command \"x\" failed with exit code 3"`}},
		"queue": {mainLog, other(`"type":"queue-operation"`, `"operation":"enqueue"`, `"content":"next, please"`), nil},
		"taken in": {mainLog, other(`"type":"attachment"`, `"uuid":"u1"`, `"attachment":{"type":"queued_command","prompt":"and this"}`),
			[]string{"facts", `prompt human joins "and this"`}},
		"sub-agent":         {childLog, userLine("u1", "10:00:00", `"explore"`, `"isSidechain":true`, `"agentId":"a0"`), []string{"facts", `prompt agent "explore"`}},
		"sub-agent, inline": {mainLog, `{"type":"user","uuid":"u1","isSidechain":true,"message":{"content":"explore"}}`, nil},
		"message to agent": {childLog, other(`"type":"attachment"`, `"uuid":"u1"`, `"attachment":{"type":"queued_command","prompt":"hello mate","origin":{"kind":"coordinator"},"isMeta":true}`),
			[]string{"facts", `prompt agent joins "hello mate"`}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, sketches(decode(t, c.stream, c.line)), cmpEmpty); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestResponses(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"text": {assistantLine("u1", "10:00:00", "m1", "end_turn", say("hello"), tokens(4, 30, 20, 9)),
			[]string{`text rt=m1 stop=end_turn "hello"`, "usage rt=m1 stop=end_turn in=4 read=20 5m=30 1h=0 out=9", "facts"}},
		"no stop reason yet": {assistantLine("u1", "10:00:00", "m1", "null", say("he"), tokens(4, 0, 0, 1)),
			[]string{`text rt=m1 "he"`, "usage rt=m1 in=4 read=0 5m=0 1h=0 out=1+"}},
		"no id": {assistantLine("u1", "10:00:00", "", "tool_use", say("hi"), small), []string{`text rt=u1 stop=tool_use "hi"`, "usage rt=u1 stop=tool_use in=1 read=0 5m=0 1h=0 out=2"}},
		"breakdown": {assistantLine("u1", "10:00:00", "m1", "tool_use", "", `{"input_tokens":1,"cache_creation_input_tokens":1200,"cache_read_input_tokens":5,"output_tokens":2,"output_tokens_details":{"thinking_tokens":1},"cache_creation":{"ephemeral_1h_input_tokens":1000,"ephemeral_5m_input_tokens":200}}`),
			[]string{"usage rt=m1 stop=tool_use in=1 read=5 5m=200 1h=1000 out=2 think=1"}},
		"breakdown of nothing": {assistantLine("u1", "10:00:00", "m1", "tool_use", "", `{"input_tokens":1,"cache_creation_input_tokens":7,"output_tokens":2,"cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0}}`),
			[]string{"usage rt=m1 stop=tool_use in=1 read=0 5m=7 1h=0 out=2"}},
		"thinking":          {assistantLine("u1", "10:00:00", "m1", "tool_use", `{"type":"thinking","thinking":"hm","signature":"c2ln"}`, "{}", `"thinkingDurationMs":7`), []string{`text rt=m1 thinking stop=tool_use ms=7 "hm"`}},
		"thinking withheld": {assistantLine("u1", "10:00:00", "m1", "tool_use", `{"type":"thinking","thinking":"","signature":"c2ln"}`, "{}"), []string{`text rt=m1 thinking redacted stop=tool_use`}},
		"redacted thinking": {assistantLine("u1", "10:00:00", "m1", "tool_use", `{"type":"redacted_thinking","data":"x"}`, "{}"), []string{`text rt=m1 thinking redacted stop=tool_use`}},
		"unknown block":     {assistantLine("u1", "10:00:00", "m1", "tool_use", `{"type":"hologram"}`, "{}"), []string{"unknown assistant/hologram"}},
		"aborted": {assistantLine("u1", "10:00:00", "m1", "null", say("wo"), tokens(7, 0, 0, 1), `"isAbortedMidStream":true`),
			[]string{`text rt=m1 "wo"`, "usage rt=m1 in=7 read=0 5m=0 1h=0 out=1+", "end interrupted"}},
		"copied by a fork": {assistantLine("u1", "10:00:00", "m1", "tool_use", say("hi"), small, `"requestSessionId":"22222222-0000-4000-8000-000000000000"`),
			[]string{"facts inherited fork=claude:22222222-0000-4000-8000-000000000000", `text inherited rt=m1 stop=tool_use "hi"`, "usage inherited rt=m1 stop=tool_use in=1 read=0 5m=0 1h=0 out=2"}},
		"own request": {assistantLine("u1", "10:00:00", "m1", "tool_use", say("hi"), "{}", `"requestSessionId":"`+sid+`"`), []string{`text rt=m1 stop=tool_use "hi"`}},
		"branched": {assistantLine("u1", "10:00:00", "m1", "tool_use", say("hi"), "{}", `"forkedFrom":{"sessionId":"s0","messageUuid":"u0"}`),
			[]string{"facts inherited fork=claude:s0", `text inherited rt=m1 stop=tool_use "hi"`}},
		"API error": {`{"type":"assistant","uuid":"u1","isApiErrorMessage":true,"error":"unknown","apiErrorType":"invalid_request_error","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400"}],"stop_reason":"stop_sequence","usage":{"input_tokens":0,"output_tokens":0}}}`,
			[]string{"facts", `marker error invalid_request_error failed "API Error: 400"`, `end failed error="API Error: 400"`}},
		"filler": {`{"type":"assistant","uuid":"u1","isApiErrorMessage":false,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`,
			[]string{"end abandoned late"}},
		"request": {other(`"type":"api-request"`, `"id":"r1"`, at("10:00:00")), []string{"asked"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, sketches(decode(t, mainLog, c.line)), cmpEmpty); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
