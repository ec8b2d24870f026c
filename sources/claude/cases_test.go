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

// Old versions wrote a history's lines again when it branched: each counts once.
func TestLinesWrittenTwice(t *testing.T) {
	lines := []string{
		userLine("u0", "10:00:00", `"go"`),
		assistantLine("u1", "10:00:01", "m1", "tool_use", toolUse("c1", "Bash", `{"command":"make"}`), tokens(1, 2, 3, 4)),
		toolResult("u2", "10:00:02", "c1", `"x"`, false),
		assistantLine("u3", "10:00:03", "m2", "end_turn", say("done"), tokens(1, 2, 3, 4)),
	}
	once, twice := folded(t, lines...), folded(t, append(lines, lines...)...)
	if d := cmp.Diff(once.Row().Totals, twice.Row().Totals); d != "" {
		t.Errorf("totals (-once +twice):\n%s", d)
	}
	if d := cmp.Diff(outline(once), outline(twice)); d != "" {
		t.Errorf("turns (-once +twice):\n%s", d)
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
