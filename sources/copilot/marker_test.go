package copilot_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

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
			if diff := gocmp.Diff(want, got[0].Usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
			if got[0].RoundTrip != "a" || got[0].StopReason != collector.StopEndTurn {
				t.Errorf("round trip %q, stop reason %q", got[0].RoundTrip, got[0].StopReason)
			}
		})
	}
}
