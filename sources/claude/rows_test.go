package claude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

func TestRows(t *testing.T) {
	system := func(sub string, fields ...string) string {
		return other(append([]string{`"type":"system"`, `"uuid":"u1"`, `"subtype":"` + sub + `"`}, fields...)...)
	}
	attachment := func(body string) string {
		return other(`"type":"attachment"`, `"uuid":"u1"`, `"attachment":{`+body+`}`)
	}
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"retry": {system("api_error", `"error":{"status":529,"formatted":"529 Overloaded"}`, `"retryInMs":532`, `"retryAttempt":1`, `"maxRetries":10`),
			[]string{`marker notice api_retry ok "529 Overloaded (attempt 1 of 10, again in 532 ms)"`}},
		"retry, old": {system("api_error", `"error":{"error":{"error":{"type":"overloaded_error","message":"Overloaded"}}}`, `"retryInMs":1`, `"retryAttempt":2`, `"maxRetries":3`),
			[]string{`marker notice api_retry ok "Overloaded (attempt 2 of 3, again in 1 ms)"`}},
		"compaction": {system("compact_boundary", `"content":"Conversation compacted"`, `"compactMetadata":{"trigger":"auto","preTokens":13690,"postTokens":2741,"durationMs":444}`),
			[]string{`marker compaction auto ok ms=444 pre=13690 post=2741 "Conversation compacted"`}},
		"old compaction":   {system("compact_boundary", `"compactMetadata":{"trigger":"auto","preTokens":7}`), []string{"marker compaction auto ok pre=7"}},
		"microcompaction":  {system("microcompact_boundary", `"microcompactMetadata":{"preTokens":100,"tokensSaved":30}`), []string{"marker compaction micro ok pre=100 post=70"}},
		"turn's duration":  {system("turn_duration", `"durationMs":943`), []string{"end ok ms=943"}},
		"stop hooks":       {system("stop_hook_summary", `"hookErrors":[]`, `"hookAdditionalContext":[]`), []string{"end ok"}},
		"stop hook object": {system("stop_hook_summary", `"hookErrors":["tests fail"]`), nil},
		"notice":           {system("informational", `"content":"careful"`), []string{`marker notice informational ok "careful"`}},
		"fallback":         {system("model_fallback", `"content":"now haiku"`), []string{`marker model_change model_fallback ok "now haiku"`}},
		"local command":    {system("local_command", `"content":"<command-name>/rename</command-name>"`), nil},
		"unknown system":   {system("hologram"), []string{"unknown system/hologram"}},

		"hook": {attachment(`"type":"hook_success","hookName":"PreToolUse:Bash","hookEvent":"PreToolUse","toolUseID":"c1","stdout":"{}","stderr":"","exitCode":0,"durationMs":9`),
			[]string{"marker hook c1 PreToolUse:Bash ok ms=9"}},
		"stop hook":        {attachment(`"type":"hook_success","hookName":"Stop","hookEvent":"Stop","toolUseID":"x","stdout":"bye"`), []string{`marker hook Stop ok "bye"`}},
		"broken hook":      {attachment(`"type":"hook_non_blocking_error","hookName":"Stop","hookEvent":"Stop","stderr":"HTTP 500"`), []string{`marker hook Stop failed "HTTP 500"`}},
		"slow hook":        {attachment(`"type":"hook_cancelled","hookName":"PreToolUse:Bash","hookEvent":"PreToolUse","toolUseID":"c1","timedOut":true,"durationMs":1000`), []string{`marker hook c1 PreToolUse:Bash failed ms=1000 "timed out"`}},
		"blocking hook":    {attachment(`"type":"hook_blocking_error","hookName":"Stop","hookEvent":"Stop","blockingError":{"blockingError":"tests fail","command":"x"}`), []string{`marker hook Stop ok "tests fail"`}},
		"context":          {attachment(`"type":"skill_listing"`), nil},
		"unknown attached": {attachment(`"type":"hologram"`), []string{"unknown attachment/hologram"}},
		"skill loaded": {userLine("u1", "10:00:00", `[{"type":"text","text":"Base directory for this skill: /w/.claude/skills/x\n\n# X"}]`, `"isMeta":true`, `"sourceToolUseID":"c1"`, `"cwd":"/w"`),
			[]string{"marker skill c1 ok source=project"}},

		"user's title":  {`{"type":"custom-title","customTitle":"mine","sessionId":"s"}`, []string{"facts title=mine"}},
		"model's title": {`{"type":"ai-title","aiTitle":"Theirs"}`, []string{"facts title=Theirs"}},
		"summary":       {`{"type":"summary","summary":"Old","leafUuid":"x"}`, []string{"facts title=Old"}},
		"pull request":  {`{"type":"pr-link","prNumber":1,"prRepository":"o/r"}`, []string{"facts repo=o/r"}},
		"moved":         {`{"type":"relocated","relocatedCwd":"/v"}`, []string{"facts cwd=/v"}},
		"cost":          {`{"type":"cost-state","totalCostUSD":0.25,"modelUsage":{"m":{"inputTokens":1}}}`, []string{"facts usd=0.25"}},
		"leaf":          {`{"type":"last-prompt","lastPrompt":"x"}`, nil},
		"progress":      {`{"type":"progress","data":{"type":"agent_progress","message":{"message":{"id":"m","usage":{"output_tokens":5}}}}}`, nil},
		"files":         {`{"type":"file-history-snapshot","snapshot":{}}`, nil},
		"unknown":       {`{"type":"hologram","uuid":"u"}`, []string{"unknown hologram"}},
		"no type":       {`{"uuid":"u"}`, []string{"unknown"}},
		"no object":     {`[1]`, []string{`malformed "not an object"`}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, sketches(decode(t, mainLog, c.line)), cmpEmpty); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Titles given by the user outrank a model's, which outrank old summaries; an accounting sums up the models.
func TestFactsInFull(t *testing.T) {
	rank := func(line string) collector.TitleRank { return decode(t, mainLog, line)[0].Facts.TitleRank }
	got := []collector.TitleRank{rank(`{"type":"summary"}`), rank(`{"type":"agent-name"}`), rank(`{"type":"ai-title"}`), rank(`{"type":"custom-title"}`)}
	want := []collector.TitleRank{collector.TitleSummary, collector.TitleSummary, collector.TitleAuto, collector.TitleUser}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("title ranks (-want +got):\n%s", d)
	}
	a := decode(t, mainLog, `{"type":"cost-state","totalCostUSD":1.5,"hasUnknownModelCost":true,"modelUsage":{
		"a":{"inputTokens":7,"outputTokens":5,"thinkingTokens":1,"cacheReadInputTokens":11,"cacheCreationEphemeral5mInputTokens":2,"cacheCreationEphemeral1hInputTokens":3},
		"b":{"inputTokens":1,"outputTokens":1,"thinkingTokens":0,"cacheReadInputTokens":1,"cacheCreationEphemeral5mInputTokens":0,"cacheCreationEphemeral1hInputTokens":0}}}`)[0].Facts.Accounting
	n := collector.Exact[int64]
	usd := collector.Partial(1.5)
	if d := cmp.Diff(&collector.Accounting{
		Tokens:     collector.Tokens{Input: n(8), CacheRead: n(12), CacheWrite5m: n(2), CacheWrite1h: n(3), Output: n(6), Reasoning: n(1)},
		CostUSD:    &usd,
		Cumulative: collector.Yes,
	}, a); d != "" {
		t.Errorf("accounting (-want +got):\n%s", d)
	}
}

// What crashes leave costs the broken piece and nothing else.
func TestDamagedLines(t *testing.T) {
	one, two := userLine("u1", "10:00:00", `"one"`), userLine("u2", "10:00:01", `"two"`)
	prompts := func(line string) (prompts []string, broken int) {
		for _, ev := range decode(t, mainLog, line) {
			switch ev.Kind {
			case collector.EventPrompt:
				prompts = append(prompts, ev.Text.Preview)
			case collector.EventMalformed:
				broken++
			}
		}
		return prompts, broken
	}
	for name, c := range map[string]struct {
		line   string
		want   []string
		broken int
	}{
		"glued":           {one + two, []string{"one", "two"}, 0},
		"cut and glued":   {one[:len(one)/2] + two, []string{"two"}, 1},
		"NUL before":      {strings.Repeat("\x00", 512) + one, []string{"one"}, 0},
		"NUL behind":      {one + strings.Repeat("\x00", 512), []string{"one"}, 0},
		"piece of one":    {`{"type":"hook_success","hookName":"Stop"}` + one, []string{"one"}, 1},
		"half":            {one[:len(one)/2], nil, 1},
		"line separator":  {userLine("u1", "10:00:00", "\"a\u2028b\""), []string{"a\u2028b"}, 0},
		"byte order mark": {"\ufeff" + one + "\r", []string{"one"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, broken := prompts(c.line)
			if d := cmp.Diff(c.want, got, cmpEmpty); d != "" || broken != c.broken {
				t.Errorf("%d broken, want %d (-want +got):\n%s", broken, c.broken, d)
			}
		})
	}
	if got := sketches(mustDecode(t, collector.Record{Ref: collector.Ref{Length: 70 << 20}})); len(got) != 1 || !strings.HasPrefix(got[0], "malformed") {
		t.Errorf("a line too long to read: got %q", got)
	}
}

func mustDecode(t *testing.T, r collector.Record) []collector.Event {
	t.Helper()
	evs, err := newSource("/nowhere").Decode(nil, mainLog, r)
	if err != nil {
		t.Fatal(err)
	}
	return evs
}
