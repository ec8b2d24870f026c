package copilot_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
		{"1.0.20", `"success":true,"result":{"content":"out\n<exited with exit code 3>"}`, collector.CallFailed, &three, "out\n<exited with exit code 3>"},
		{"1.0.65", `"success":true,"result":{"content":"<shellId: 2 completed with exit code 3>\n"}`, collector.CallFailed, &three, "<shellId: 2 completed with exit code 3>\n"},
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

// TestMarkers compares what the records beside round trips and calls become.
func TestMarkers(t *testing.T) {
	got := folded(t, start, prompt,
		line("hook.start", 2, "", `{"hookInvocationId":"h","hookType":"preToolUse","input":{"toolCalls":[{"id":"c1","name":"bash"}]}}`),
		line("hook.end", 3, "", `{"hookInvocationId":"h","hookType":"preToolUse","success":false,"error":{"message":"exit 2"}}`),
		line("hook.start", 4, "", `{"hookInvocationId":"e","hookType":"errorOccurred","input":{"errorContext":"model_call","error":{"message":"500"}}}`),
		line("hook.end", 5, "", `{"hookInvocationId":"e","hookType":"errorOccurred","success":true}`),
		line("permission.requested", 6, "", `{"requestId":"p","permissionRequest":{"kind":"shell","toolCallId":"c1","intention":"List"}}`),
		line("permission.completed", 7.5, "", `{"requestId":"p","toolCallId":"c1","result":{"kind":"denied-interactively-by-user"}}`),
		line("skill.invoked", 8, "", `{"name":"pdf","source":"project","path":"p","description":"d","content":"long"}`),
		line("session.compaction_start", 9, "", `{"compactionAttemptId":"a","currentTokens":900,"trigger":"threshold"}`),
		line("session.compaction_complete", 10, "", `{"compactionAttemptId":"a","success":true,"trigger":"threshold","preCompactionTokens":950,"postCompactionTokens":-5,"summaryContent":"sum"}`),
		line("session.model_change", 11, "", `{"newModel":"b","previousModel":"a","cause":"rate_limit_auto_switch"}`),
		line("session.model_change", 12, "", `{"newModel":"b","previousModel":"b"}`),
		line("session.model_change", 12.5, `,"agentId":"sub"`, `{"newModel":"c"}`),
		line("session.plan_changed", 13, "", `{"operation":"create"}`),
		line("session.mode_changed", 14, "", `{"previousMode":"interactive","newMode":"plan"}`),
		line("session.warning", 15, "", `{"warningType":"interrupted_tools","message":"two"}`),
		line("system.notification", 16, "", `{"content":"bg done","kind":{"type":"agent_idle"}}`),
		line("abort", 17, "", `{"reason":"user_initiated"}`))[root].Turns()[0]
	if got.Status != collector.TurnInterrupted {
		t.Errorf("turn %s", got.Status)
	}
	type marker struct {
		Kind       collector.MarkerKind
		Name, Text string
		Status     collector.MarkerStatus
		Ms         int64
		Call       string
	}
	var have []marker
	for _, m := range got.Markers {
		have = append(have, marker{m.Kind, m.Name, m.Text.Preview, m.Status, m.DurationMs.Value, m.Call})
	}
	want := []marker{
		{collector.MarkerHook, "preToolUse", "exit 2", collector.MarkerFailed, 1000, "c1"},
		{collector.MarkerHook, "errorOccurred", "500", collector.MarkerOK, 1000, ""},
		{collector.MarkerError, "model_call", "500", collector.MarkerFailed, 0, ""},
		{collector.MarkerPermission, "shell", "denied-interactively-by-user", collector.MarkerOK, 1500, "c1"},
		{collector.MarkerSkill, "pdf", "d", collector.MarkerOK, 0, ""},
		{collector.MarkerCompaction, "threshold", "sum", collector.MarkerOK, 1000, ""},
		{collector.MarkerModel, "b", "was a: rate_limit_auto_switch", collector.MarkerOK, 0, ""},
		{collector.MarkerPlan, "create", "", collector.MarkerOK, 0, ""},
		{collector.MarkerPlan, "mode plan", "was interactive", collector.MarkerOK, 0, ""},
		{collector.MarkerNotice, "interrupted_tools", "two", collector.MarkerOK, 0, ""},
		{collector.MarkerNotice, "agent_idle", "bg done", collector.MarkerOK, 0, ""},
		{collector.MarkerAbort, "user_initiated", "", collector.MarkerFailed, 0, ""},
	}
	if diff := gocmp.Diff(want, have); diff != "" {
		t.Errorf("markers (-want +got):\n%s", diff)
	}
	if m := got.Markers[5]; m.PreTokens != collector.Exact[int64](950) || m.PostTokens != collector.Exact[int64](0) {
		t.Errorf("compaction from %v to %v", m.PreTokens, m.PostTokens)
	}
}

func TestUsageRecord(t *testing.T) {
	ptr := func(a collector.Amount) *collector.Amount { return &a }
	tests := []struct {
		name, data       string
		premium, credits *collector.Amount
	}{
		{"charged", `"cost":3,"initiator":"user","copilotUsage":{"totalNanoAiu":2500000000}`, ptr(collector.Exact(3.0)), ptr(collector.Exact(2.5))},
		{"not charged", `"cost":3,"initiator":"agent","copilotUsage":{"totalNanoAiu":0},"aiCreditsStatus":"available"`, ptr(collector.Exact(0.0)), ptr(collector.Exact(0.0))},
		{"own provider", `"cost":0.0,"initiator":"user","aiCreditsStatus":"unavailable"`, ptr(collector.Exact(0.0)), &collector.Amount{}},
		{"nothing said", `"initiator":"user"`, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := events(t, line("session.usage_record", 1, "", `{"usage":{"apiCallId":"a","model":"m","inputTokens":100.0,"outputTokens":9,"cacheReadTokens":120,"cacheWriteTokens":0,"maxPromptTokens":128000,"finishReason":"stop",`+tt.data+`}}`))
			want := &collector.Usage{
				Rank: collector.UsageExact, Premium: tt.premium, Credits: tt.credits, Window: collector.Exact[int64](128_000),
				Tokens: collector.Tokens{Input: collector.Exact[int64](0), CacheRead: collector.Exact[int64](120), CacheWrite5m: collector.Exact[int64](0),
					CacheWrite1h: collector.Exact[int64](0), Output: collector.Exact[int64](9)},
			}
			if diff := gocmp.Diff(want, got[0].Usage, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
			if got[0].RoundTrip != "a" || got[0].StopReason != collector.StopEndTurn {
				t.Errorf("round trip %q, stop reason %q", got[0].RoundTrip, got[0].StopReason)
			}
		})
	}
}
