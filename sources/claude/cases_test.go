package claude_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

func exactTokens(in, read, write, out int64) collector.Tokens {
	n := collector.Exact[int64]
	return collector.Tokens{Input: n(in), CacheRead: n(read), CacheWrite5m: n(write), CacheWrite1h: n(0), Output: n(out)}
}

// outline is what a fold made of lines: a row per turn, with its round trips, calls and markers.
func outline(f *fold.Session) []string {
	var out []string
	for _, t := range f.Turns() {
		row := fmt.Sprintf("%s %s %q → %q trips=%d steers=%d", t.Status, t.Origin, t.Prompt.Preview, t.Reply.Preview, len(t.RoundTrips), t.Steers)
		if t.Inherited {
			row += " inherited"
		}
		out = append(out, row)
		for _, c := range t.ToolCalls {
			out = append(out, fmt.Sprintf("  %s %s ms=%d", c.Tool, c.Status, c.DurationMs.Value))
		}
	}
	return out
}

// T1: the lines of a response repeat a usage that grows; the last one, with the stop reason, is right.
func TestT1GrowingUsage(t *testing.T) {
	f := folded(t,
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "null", say("a"), tokens(3, 100, 2000, 9)),
		assistantLine("u2", "10:00:02", "m1", "null", say("b"), tokens(3, 100, 2000, 9)),
		assistantLine("u3", "10:00:03", "m1", "end_turn", say("c"), tokens(3, 100, 2000, 159)),
	)
	got := f.Row().Totals
	if got.RoundTrips != 1 || got.Turns != 1 {
		t.Errorf("got %d round trips in %d turns, want 1 in 1", got.RoundTrips, got.Turns)
	}
	want := exactTokens(3, 2000, 100, 159)
	got.Tokens.Reasoning = want.Reasoning
	if d := cmp.Diff(want, got.Tokens); d != "" {
		t.Errorf("tokens (-want +got):\n%s", d)
	}
}

// T2: no request id on either line; the message's id alone makes them one response.
func TestT2NoRequestID(t *testing.T) {
	f := folded(t,
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "end_turn", say("a"), tokens(4, 15178, 0, 7)),
		assistantLine("u2", "10:00:02", "m1", "end_turn", say("b"), tokens(4, 15178, 0, 7)),
	)
	got := f.Row().Totals
	want := exactTokens(4, 0, 15178, 7)
	got.Tokens.Reasoning = want.Reasoning
	if d := cmp.Diff(want, got.Tokens); d != "" || got.RoundTrips != 1 {
		t.Errorf("%d round trips, want 1; tokens (-want +got):\n%s", got.RoundTrips, d)
	}
	if r := f.Turns()[0].RoundTrips[0]; r.Text.Preview != "a\nb" {
		t.Errorf("got text %q, want both blocks", r.Text.Preview)
	}
}

// T24: the directory in which a session began is its cwd, wherever its first mention stands; the directory's name is
// never decoded, and a cd does not move the session.
func TestT24Cwd(t *testing.T) {
	f := folded(t,
		`{"parentUuid":null,"type":"user","uuid":"u0","message":{"content":"hi"}}`,
		assistantLine("u1", "10:00:01", "m1", "end_turn", say("a"), small, `"cwd":"D:\\Code\\n8n - KIT"`),
	)
	if got := f.Row().Cwd; got != `D:\Code\n8n - KIT` {
		t.Errorf("got cwd %q", got)
	}
	f = folded(t,
		`{"parentUuid":null,"type":"user","uuid":"u0","message":{"content":"hi"},"cwd":"/w"}`,
		assistantLine("u1", "10:00:01", "m1", "end_turn", say("a"), small, `"cwd":"/w/sub"`),
		userLine("u2", "10:00:02", `"more"`, `"cwd":"/w/sub"`),
	)
	if got := f.Row().Cwd; got != "/w" {
		t.Errorf("after cd: got cwd %q, want /w", got)
	}
}

// T25: what was read from the cache is no part of the uncached input.
func TestT25CacheHit(t *testing.T) {
	f := folded(t, userLine("u0", "10:00:00", `"go"`), assistantLine("u1", "10:00:01", "m1", "end_turn", say("a"), tokens(5000, 0, 400_000, 1)))
	n := f.Row().Totals.Tokens
	hit := float64(n.CacheRead.Value) / float64(n.Context().Value)
	if got := fmt.Sprintf("%.1f %%", 100*hit); got != "98.8 %" {
		t.Errorf("got %s, want 98.8 %%", got)
	}
}

// T29: what a loop is, is decided elsewhere; here equal calls and results must look equal, and an edit like one.
func TestT29LoopEvidence(t *testing.T) {
	call := func(id, name, input, result string) []collector.Event {
		return decode(t, mainLog,
			assistantLine("u"+id, "10:00:00", "m"+id, "tool_use", toolUse(id, name, input), "{}"),
			toolResult("r"+id, "10:00:01", id, result, false))
	}
	a := call("c1", "Bash", `{"command":"go test","description":"Test"}`, `"FAIL"`)
	b := call("c2", "Bash", `{"command":"go test","description":"Test again"}`, `"FAIL"`)
	if a[0].ArgsHash != b[0].ArgsHash || a[1].ResultHash != b[1].ResultHash || a[1].ResultHash == 0 {
		t.Errorf("the same call with the same result does not look the same")
	}
	if c := call("c3", "Bash", `{"command":"go test"}`, `"ok"`); c[1].ResultHash == a[1].ResultHash {
		t.Errorf("another result looks the same")
	}
	if e := call("c4", "Edit", `{"file_path":"a"}`, `"done"`); e[0].Effect != collector.EffectEdit || a[0].Effect != collector.EffectUnknown {
		t.Errorf("edit: got effects %d and %d", e[0].Effect, a[0].Effect)
	}
}

// The turns that lines of real kinds make up.
func TestTurns(t *testing.T) {
	const bash = `{"command":"make"}`
	for name, c := range map[string]struct {
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
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, outline(folded(t, c.lines...))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Old versions wrote a history's lines again when it branched: each counts once.
func TestLinesWrittenTwice(t *testing.T) {
	lines := []string{
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", `{"command":"make"}`), tokens(1, 2, 3, 4)),
		toolResult("u2", "10:00:02", "c1", `"x"`, false),
		assistantLine("u3", "10:00:03", "m2", "end_turn", say("done"), tokens(1, 2, 3, 4)),
	}
	once, twice := folded(t, lines...).Row().Totals, folded(t, append(lines, lines...)...).Row().Totals
	if d := cmp.Diff(once, twice); d != "" {
		t.Errorf("(-once +twice):\n%s", d)
	}
}

// Sub-agents of old versions stand beside their session, or inside it.
func TestOldSubagents(t *testing.T) {
	old := collector.Stream{ID: "claude/log/agent-77", Agent: "claude", Kind: collector.StreamLog, Path: "/p/agent-77.jsonl"}
	line := `{"parentUuid":null,"isSidechain":true,"type":"user","uuid":"u0","sessionId":"` + sid + `","agentId":"77","message":{"content":"look"}}`
	if d := cmp.Diff([]string{"facts session=~77", "facts session=~77 parent=" + sid + " fallback", `prompt session=~77 agent "look"`}, sketches(decode(t, old, line))); d != "" {
		t.Errorf("beside (-want +got):\n%s", d)
	}
	if got := sketches(decode(t, old, `{"type":"hologram"}`)); len(got) != 1 || got[0] != "unknown hologram without session" {
		t.Errorf("a line that names no session: got %q", got)
	}
	if d := cmp.Diff([]string{"facts session=~77", "facts session=~77 parent=" + sid + " fallback", `prompt session=~77 agent "look"`}, sketches(decode(t, mainLog, line))); d != "" {
		t.Errorf("inside, named (-want +got):\n%s", d)
	}
}
