package copilot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

const own = "11111111-0000-4000-8000-000000000001"

var root = collector.NewSessionID("copilot", own)

// line makes a record: its type, second of the day, envelope fields and data.
func line(kind string, at float64, envelope, data string) string {
	ms := int64(at * 1000)
	stamp := fmt.Sprintf("2026-11-30T%02d:%02d:%02d.%03dZ", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"%s-%v","timestamp":%q%s}`, kind, data, kind, at, stamp, envelope)
}

// write makes a home with one session.
func write(t testing.TB, lines ...string) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, ".copilot/session-state", own, "events.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, path
}

// events decodes a home with one session of the lines.
func events(t testing.TB, lines ...string) []decoded {
	t.Helper()
	home, _ := write(t, lines...)
	return decodeAll(t, copilot.New(host(t, home)))
}

// folded folds a session of the lines; children too.
func folded(t testing.TB, lines ...string) map[collector.SessionID]*fold.Session {
	t.Helper()
	return foldAll(events(t, lines...))
}

var (
	start  = line("session.start", 0, "", `{"sessionId":"`+own+`","copilotVersion":"1.0.102","context":{"cwd":"/home/dev/repo"}}`)
	prompt = line("user.message", 1, "", `{"content":"do it","delivery":"idle"}`)
)

func message(at float64, trip, requests string) string {
	return line("assistant.message", at, "", `{"messageId":"m`+trip+`","model":"m","apiCallId":"`+trip+`","content":"","toolRequests":[`+requests+`]}`)
}

func request(call, tool, args string) string {
	return `{"toolCallId":"` + call + `","name":"` + tool + `","arguments":` + args + `}`
}

func complete(at float64, call, data string) string {
	return line("tool.execution_complete", at, "", `{"toolCallId":"`+call+`","model":"m",`+data+`}`)
}

func metrics(requests, input, read, write int) string {
	return fmt.Sprintf(`{"shutdownType":"routine","totalPremiumRequests":1,"eventsFileSizeBytes":9,"modelMetrics":{"m":{"requests":{"count":%d,"cost":1},`+
		`"usage":{"inputTokens":%d,"outputTokens":10,"cacheReadTokens":%d,"cacheWriteTokens":%d}}}}`, requests, input, read, write)
}

// TestT14 takes uncached input from a total that includes what was read from the cache and written to it.
func TestT14(t *testing.T) {
	s := folded(t, start, prompt, message(2, "a", ""), line("session.shutdown", 3, "", metrics(1, 71_282, 35_495, 35_783)))[root]
	got := s.Row().Totals.Tokens
	for _, c := range []struct {
		name string
		got  collector.Count
		want int64
	}{{"input", got.Input, 4}, {"cache read", got.CacheRead, 35_495}, {"cache write", got.CacheWrite5m, 35_783}, {"output", got.Output, 10}} {
		if c.got != collector.Exact(c.want) {
			t.Errorf("%s = %v, want exactly %d", c.name, c.got, c.want)
		}
	}
}

// TestT15 tells totals of a segment (up to 1.0.65) from those of the session (from 1.0.70) by how many responses they count.
func TestT15(t *testing.T) {
	tests := []struct {
		name         string
		second, want string
		input        int64
	}{
		{name: "of the segment", second: metrics(1, 300, 100, 0), input: 1000 - 400 + 300 - 100},
		{name: "of the session", second: metrics(3, 1300, 500, 0), input: 1300 - 500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := folded(t, start, prompt, message(2, "a", ""), message(3, "b", ""), line("session.shutdown", 4, "", metrics(2, 1000, 400, 0)),
				line("session.resume", 5, "", `{"selectedModel":"m"}`), line("user.message", 6, "", `{"content":"more"}`), message(7, "c", ""),
				line("session.shutdown", 8, "", tt.second))[root]
			if got := s.Row().Totals.Tokens.Input; got != collector.Exact(tt.input) {
				t.Errorf("input = %v, want exactly %d", got, tt.input)
			}
		})
	}
}

// TestT15 again: up to 1.0.82 the totals are those of the session with its sub-agents; they are no session's own.
func TestTotalsOfATree(t *testing.T) {
	spawn := message(2, "a", request("task", "task", `{"prompt":"look"}`))
	started := line("subagent.started", 3, `,"agentId":"kid"`, `{"toolCallId":"task","agentName":"explore"}`)
	answer := line("assistant.message", 4, `,"agentId":"kid"`, `{"messageId":"mk","model":"m","apiCallId":"k","content":"seen","outputTokens":7,"toolRequests":[]}`)
	all := folded(t, start, prompt, spawn, started, answer, message(5, "b", ""), line("session.shutdown", 6, "", metrics(3, 1300, 500, 0)))
	got, child := all[root].Row().Totals, all[root.Child("kid")].Row().Totals
	if !got.OfTree || got.Tokens.Input != collector.Exact[int64](800) {
		t.Errorf("root: of its tree %v, input %v", got.OfTree, got.Tokens.Input)
	}
	if child.OfTree || child.Tokens.Output.Value != 7 {
		t.Errorf("sub-agent: of its tree %v, output %v", child.OfTree, child.Tokens.Output)
	}
}

// TestT17: a call takes from its start to its result, whenever it was asked for and whenever the user comes back.
func TestT17(t *testing.T) {
	const asked = 11*3600 + 56*60 + 24.189
	s := folded(t, start, prompt,
		message(asked, "a", request("c", "bash", `{"command":"make"}`)),
		line("tool.execution_start", asked+0.009, "", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"make"}}`),
		complete(asked+3.734, "c", `"success":true,"result":{"content":"ok\n<shellId: 0 completed with exit code 0>"}`),
		line("user.message", asked+12*3600, "", `{"content":"next day"}`))[root]
	c := s.Turns()[0].ToolCalls[0]
	if want := collector.Exact[int64](3725); c.DurationMs != want {
		t.Errorf("call took %v, want %v", c.DurationMs, want)
	}
	if got := s.Row().Totals.Clocks.ToolMs; got != 3725 {
		t.Errorf("tool time %d ms, want 3725", got)
	}
}

// TestT18: a raw U+2028 within a string ends no line, and a long line is one record.
func TestT18(t *testing.T) {
	long := strings.Repeat("x", 1_689_631)
	got := events(t, line("user.message", 1, "", `{"content":"a`+"\u2028"+`b"}`), line("user.message", 2, "", `{"content":"`+long+`"}`))
	if len(got) != 2 {
		t.Fatalf("%d events, want 2", len(got))
	}
	if got[0].Text.Preview != "a\u2028b" || got[1].Text.Bytes != int64(len(long)) {
		t.Errorf("texts %q and %d bytes", got[0].Text.Preview, got[1].Text.Bytes)
	}
}

// TestT22: a line counts once it is complete, and a shorter file is another one.
func TestT22(t *testing.T) {
	home, path := write(t, start, prompt)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := copilot.New(host(t, home))
	var st collector.Stream
	for s, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Kind == collector.StreamLog {
			st = s
		}
	}
	cut := len(whole) - 20
	var cp collector.Checkpoint
	for _, step := range []struct {
		data []byte
		want int
	}{{whole[:cut], 1}, {whole, 1}, {whole, 0}} {
		if err := os.WriteFile(path, step.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readOn(t, src, st, &cp); len(got) != step.want {
			t.Errorf("%d bytes: %d events, want %d", len(step.data), len(got), step.want)
		}
	}
	if err := os.WriteFile(path, []byte(prompt+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range src.Read(t.Context(), st, &cp) {
		if err != collector.ErrReplaced {
			t.Errorf("after a shorter file: %v, want ErrReplaced", err)
		}
	}
}

// TestT23: what nobody knows yet is counted by its type and stops nothing.
func TestT23(t *testing.T) {
	got := events(t, line("session.brand_new", 1, "", `{"x":1}`), `{"no":"type"}`, `{"type":"user.mess`, prompt)
	var kinds []string
	for _, ev := range got {
		kinds = append(kinds, fmt.Sprint(ev.Kind, " ", ev.Name))
	}
	want := []string{
		fmt.Sprint(collector.EventUnknown, " session.brand_new"), fmt.Sprint(collector.EventUnknown, " record without a type"),
		fmt.Sprint(collector.EventMalformed, " "), fmt.Sprint(collector.EventPrompt, " "),
	}
	if diff := gocmp.Diff(want, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestT24: where a session works is what its newest record says, not what a directory is called.
func TestT24(t *testing.T) {
	s := folded(t, line("session.start", 0, "", `{"copilotVersion":"1.0.102"}`),
		line("session.context_changed", 1, "", `{"cwd":"D:\\Code\\n8n - KIT","branch":"old","repository":"o/r"}`),
		line("session.context_changed", 2, "", `{"cwd":"D:\\Code\\n8n - KIT","branch":"provisional","pendingGitContext":true}`))[root].Row()
	if got, want := []string{s.Cwd, s.Repo, s.Branch}, []string{`D:\Code\n8n - KIT`, "o/r", "old"}; gocmp.Diff(want, got) != "" {
		t.Errorf("place %q, want %q", got, want)
	}
}

// TestT29: of the same call with the same result the hashes are equal, though the shell counts up and the model words
// its description anew; an edit says that it is one.
func TestT29(t *testing.T) {
	got := folded(t, start, prompt,
		message(2, "a", request("1", "bash", `{"command":"go test","description":"Run tests"}`)),
		complete(3, "1", `"success":true,"result":{"content":"FAIL\n<shellId: 0 completed with exit code 1>"}`),
		message(4, "b", request("2", "edit", `{"path":"a.go","old_str":"x","new_str":"y"}`)), complete(5, "2", `"success":true,"result":{"content":"done"}`),
		message(6, "c", request("3", "bash", `{"description":"Test again","command":"go test"}`)),
		complete(7, "3", `"success":true,"result":{"content":"FAIL\n<shellId: 1 completed with exit code 1>"}`))[root].Turns()[0].ToolCalls
	if got[0].ArgsHash != got[2].ArgsHash || got[0].ResultHash != got[2].ResultHash {
		t.Errorf("hashes of the same deed differ: %x %x, %x %x", got[0].ArgsHash, got[2].ArgsHash, got[0].ResultHash, got[2].ResultHash)
	}
	if got[0].ResultHash == got[1].ResultHash || got[0].ArgsHash == got[1].ArgsHash {
		t.Error("hashes of different deeds are equal")
	}
	if got[1].Effect != collector.EffectEdit || got[0].Effect != collector.EffectUnknown {
		t.Errorf("effects %v and %v", got[1].Effect, got[0].Effect)
	}
}
