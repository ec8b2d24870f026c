package copilot_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// TestResults derives how a call went: success only says that a shell ran.
func TestResults(t *testing.T) {
	three, zero, minus := 3, 0, -1
	tests := []struct {
		name   string
		data   string
		status collector.CallStatus
		code   *int
		error  string
	}{
		{"ok", `"success":true,"result":{"content":"fine"}`, collector.CallOK, nil, ""},
		{"exit code stated", `"success":true,"shellExecution":{"exitCode":3},"result":{"content":"out"}`, collector.CallFailed, &three, "out"},
		{"exit code 0", `"success":true,"shellExecution":{"exitCode":0.0},"result":{"content":"out"}`, collector.CallOK, &zero, ""},
		{"negative exit code", `"success":true,"shellExecution":{"exitCode":-1},"result":{"content":"out"}`, collector.CallFailed, &minus, "out"},
		{"1.0.20", `"success":true,"result":{"content":"out\n<exited with exit code 3>"}`, collector.CallFailed, &three, "out"},
		{"1.0.65", `"success":true,"result":{"content":"<shellId: 2 completed with exit code 3>\n"}`, collector.CallFailed, &three, ""},
		{"1.0.102", `"success":true,"shellExecution":{"exitCode":3},"result":{"content":"a\nb\n<shellId: 2 completed with exit code 3>"}`, collector.CallFailed, &three, "a\nb"},
		{"not at the end", `"success":true,"result":{"content":"<exited with exit code 3> said the log"}`, collector.CallOK, nil, ""},
		{"a file that says so", `"success":true,"result":{"content":"<exited with exit code 3>"},"toolTelemetry":{"properties":{"viewType":"file"}}`, collector.CallOK, nil, ""},
		{"failure", `"success":false,"error":{"message":"Path does not exist","code":"failure"}`, collector.CallFailed, nil, "Path does not exist"},
		{"denied", `"success":false,"error":{"message":"no","code":"denied"}`, collector.CallDenied, nil, "no"},
		{"interrupted", `"success":false,"error":{"message":"stop","code":"interrupted"}`, collector.CallInterrupted, nil, "stop"},
		{"plain error", `"success":false,"error":"broken"`, collector.CallFailed, nil, "broken"},
		{"errorMessage first", `"success":false,"errorMessage":"first","error":{"message":"second"},"result":{"content":"third"}`, collector.CallFailed, nil, "first"},
		{"result.error", `"success":false,"result":{"error":"inner","content":"text"}`, collector.CallFailed, nil, "inner"},
		{"detail before content", `"success":false,"result":{"detailedContent":"detail","content":"text"}`, collector.CallFailed, nil, "detail"},
		{"escapes", `"success":false,"result":{"content":"\u001b[31mred\u001b[0m \"q\"\n"}`, collector.CallFailed, nil, "\x1b[31mred\x1b[0m \"q\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := events(t, complete(1, "c", tt.data))
			if len(got) != 1 || got[0].Kind != collector.EventResult {
				t.Fatalf("events %+v", got)
			}
			ev := got[0]
			if ev.CallStatus != tt.status || ev.Error != tt.error || gocmp.Diff(tt.code, ev.ExitCode) != "" {
				t.Errorf("status %s, error %q, exit code %v; want %s, %q, %v", ev.CallStatus, ev.Error, ev.ExitCode, tt.status, tt.error, tt.code)
			}
			if ev.ResultHash == 0 {
				t.Error("no result hash")
			}
		})
	}
}

func TestSilentFailuresAreAlikeInEveryShell(t *testing.T) {
	hash := func(shell string) uint64 {
		return events(t, complete(1, "c", `"success":true,"result":{"content":"<shellId: `+shell+` completed with exit code 1>"}`))[0].ResultHash
	}
	if a, b := hash("1"), hash("2"); a != b {
		t.Errorf("shells 1 and 2: %x and %x, want the same", a, b)
	}
}

func TestCategories(t *testing.T) {
	tests := []struct {
		tool, args, server string
		category           collector.Category
		effect             collector.Effect
	}{
		{"bash", `{"command":"ls -la"}`, "", collector.CategoryShell, collector.EffectUnknown},
		{"bash", `{"command":"cd /repo && git status --short | gh pr view"}`, "", collector.CategoryVCS, collector.EffectUnknown},
		{"powershell", `{"command":"git push; make"}`, "", collector.CategoryShell, collector.EffectUnknown},
		{"bash", `{"command":"cd /"}`, "", collector.CategoryShell, collector.EffectUnknown},
		{"read_bash", `{"shellId":"1"}`, "", collector.CategoryShell, collector.EffectPoll},
		{"write_bash", `{"shellId":"1","input":""}`, "", collector.CategoryShell, collector.EffectPoll},
		{"write_bash", `{"shellId":"1","input":"y\n"}`, "", collector.CategoryShell, collector.EffectUnknown},
		{"view", `{"path":"a"}`, "", collector.CategoryFile, collector.EffectUnknown},
		{"create", `{"path":"a"}`, "", collector.CategoryFile, collector.EffectEdit},
		{"str_replace_editor", `{"command":"view"}`, "", collector.CategoryFile, collector.EffectUnknown},
		{"str_replace_editor", `{"command":"str_replace"}`, "", collector.CategoryFile, collector.EffectEdit},
		{"apply_patch", `"*** Begin Patch"`, "", collector.CategoryFile, collector.EffectEdit},
		{"grep", `{"pattern":"x"}`, "", collector.CategorySearch, collector.EffectUnknown},
		{"web_fetch", `{"url":"x"}`, "", collector.CategoryWeb, collector.EffectUnknown},
		{"task", `{"prompt":"x"}`, "", collector.CategoryAgent, collector.EffectUnknown},
		{"read_agent", `{"agent_id":"x"}`, "", collector.CategoryAgent, collector.EffectPoll},
		{"ide-get_diagnostics", `{}`, "ide", collector.CategoryIDE, collector.EffectUnknown},
		{"github-mcp-server-list_issues", `{}`, "github-mcp-server", collector.CategoryVCS, collector.EffectUnknown},
		{"demo-echo", `{"text":"x"}`, "demo", collector.CategoryOther, collector.EffectUnknown},
		{"skill", `{"skill":"x"}`, "", collector.CategoryOther, collector.EffectUnknown},
	}
	for _, tt := range tests {
		got := events(t, line("tool.execution_start", 1, "", `{"toolCallId":"c","toolName":"`+tt.tool+`","mcpServerName":"`+tt.server+`","arguments":`+tt.args+`}`))
		if got[0].Category != tt.category || got[0].Effect != tt.effect {
			t.Errorf("%s %s: %s, effect %d; want %s, effect %d", tt.tool, tt.args, got[0].Category, got[0].Effect, tt.category, tt.effect)
		}
	}
}

func TestPrompts(t *testing.T) {
	type want struct {
		Origin collector.PromptOrigin
		Joins  bool
	}
	tests := []struct {
		name, envelope, data string
		want                 *want
	}{
		{"typed", "", `{"content":"x","delivery":"idle"}`, &want{collector.PromptHuman, false}},
		{"old", "", `{"content":"x"}`, &want{collector.PromptHuman, false}},
		{"steering", "", `{"content":"x","delivery":"steering"}`, &want{collector.PromptHuman, true}},
		{"queued", "", `{"content":"x","delivery":"queued"}`, &want{collector.PromptHuman, true}},
		{"autopilot", "", `{"content":"x","isAutopilotContinuation":true}`, &want{collector.PromptAuto, true}},
		{"other agent", "", `{"content":"x","source":"agent-1"}`, &want{collector.PromptAuto, true}},
		{"sub-agent", `,"agentId":"sub"`, `{"content":"x","source":"agent-1","delivery":"idle"}`, &want{collector.PromptAgent, false}},
		{"skill", "", `{"content":"x","source":"skill-pdf"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got *want
			for _, ev := range events(t, line("user.message", 1, tt.envelope, tt.data)) {
				if ev.Text.Preview != "x" {
					t.Errorf("text %q", ev.Text.Preview)
				}
				got = &want{ev.Origin, ev.Joins}
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("prompt (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLanes: records of a sub-agent belong to a child session, under the envelope's agentId, or, in 1.0.20, under the call
// that spawned it.
func TestLanes(t *testing.T) {
	started := `{"toolCallId":"t1","agentName":"explore","agentDisplayName":"look","model":"m2"}`
	tests := []struct {
		name            string
		envelope, extra string
		child           collector.SessionID
	}{
		{"1.0.44 and later", `,"agentId":"sub"`, ``, root.Child("sub")},
		{"1.0.20", ``, `"parentToolCallId":"t1",`, root.Child("t1")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := folded(t, start, prompt, message(2, "a", request("t1", "task", `{}`)),
				line("subagent.started", 3, tt.envelope, started),
				line("assistant.message", 4, tt.envelope, `{`+tt.extra+`"messageId":"m","outputTokens":7,"content":"hi","toolRequests":[`+request("c1", "view", `{}`)+`]}`),
				line("tool.execution_complete", 5, tt.envelope, `{`+tt.extra+`"toolCallId":"c1","success":true,"result":{"content":"x"}}`),
				line("subagent.completed", 6, tt.envelope, `{"toolCallId":"t1","cancelled":true}`),
				complete(7, "t1", `"success":true,"result":{"content":"done"}`))
			child := s[tt.child]
			if child == nil {
				t.Fatalf("no child %s", tt.child)
			}
			row := child.Row()
			got := []string{string(row.Parent), row.ParentCall, row.Role, row.Title, string(child.Turns()[0].Status)}
			want := []string{string(root), "t1", "explore", "look", string(collector.TurnInterrupted)}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("child (-want +got):\n%s", diff)
			}
			if row.Totals.Calls != 1 || row.Totals.Tokens.Output.Value != 7 || s[root].Row().Totals.Calls != 1 {
				t.Errorf("child %+v, root %+v", row.Totals, s[root].Row().Totals)
			}
		})
	}
}

// TestMadeUp: what the runtime made up is no response, and its call was asked for by none.
func TestMadeUp(t *testing.T) {
	s := folded(t, start, prompt, message(2, "a", ""),
		line("assistant.message", 3, "", `{"messageId":"x","content":"","toolRequests":[`+request("r1", "read_agent", `{"agent_id":"b"}`)+`]}`),
		line("tool.execution_start", 4, "", `{"toolCallId":"r1","toolName":"read_agent","arguments":{"agent_id":"b"}}`),
		complete(5, "r1", `"success":true,"result":{"content":"x"}`),
		line("tool.user_requested", 6, "", `{"toolCallId":"u1","toolName":"bash","arguments":{"command":"ls"}}`),
		complete(7, "u1", `"success":true,"result":{"content":"x"}`))[root]
	if n := s.Row().Totals; n.RoundTrips != 1 || n.Calls != 2 {
		t.Errorf("%d round trips and %d calls, want 1 and 2", n.RoundTrips, n.Calls)
	}
	for _, c := range s.Turns()[0].ToolCalls {
		if c.RoundTrip != -1 || c.Status != collector.CallOK {
			t.Errorf("call %s: round trip %d, %s", c.Key, c.RoundTrip, c.Status)
		}
	}
}

// TestInterruptedAtResume: the result that a resume makes up for a call whose process died says nothing about time.
func TestInterruptedAtResume(t *testing.T) {
	s := folded(t, start, prompt, message(2, "a", request("c", "bash", `{"command":"sleep 30"}`)),
		line("session.resume", 5000, "", `{"sessionWasActive":false}`),
		line("tool.execution_complete", 5001, "", `{"toolCallId":"c","model":"resumed","interactionId":"resume","success":false,"error":{"message":"gone","code":"interrupted"}}`))[root]
	c := s.Turns()[0].ToolCalls[0]
	if c.Status != collector.CallInterrupted || c.EndedAt != 0 || c.DurationMs.Quality != collector.QualityUnknown {
		t.Errorf("call %s, ended %d, took %v", c.Status, c.EndedAt, c.DurationMs)
	}
}
