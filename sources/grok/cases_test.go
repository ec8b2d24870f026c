package grok_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/grok"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// folded reads all streams of a home, and folds the events session by session.
func folded(t *testing.T, home string) map[collector.SessionID]*fold.Session {
	t.Helper()
	out := sourcetest.Fold(t, grok.New(sourcetest.Host(t, home)), fold.Judges{Analyzers: analyzers.All(analyzers.Config{})})
	for _, s := range out {
		if n := s.Orphans(); n != 0 {
			t.Errorf("%s: %d results answer no call", s.Row().ID, n)
		}
	}
	return out
}

// usage is what a log says that a turn consumed.
type usage struct{ InputTokens, CachedReadTokens, OutputTokens, ReasoningTokens, NumTurns int64 }

// stated adds up the turn_completed records of a session's log, in a way of its own.
func stated(t *testing.T, path string) (sum usage) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var rec struct {
			Params struct {
				Update struct {
					SessionUpdate string
					Usage         usage
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatal(err)
		}
		if u := rec.Params.Update; u.SessionUpdate == "turn_completed" {
			sum.InputTokens += u.Usage.InputTokens
			sum.CachedReadTokens += u.Usage.CachedReadTokens
			sum.OutputTokens += u.Usage.OutputTokens
			sum.ReasoningTokens += u.Usage.ReasoningTokens
			sum.NumTurns += u.Usage.NumTurns
		}
	}
	return sum
}

// TestTotalsAreWhatTheLogSays compares every recorded session with the sums of its turns, and its round trips with how
// often the model was asked. A killed session states nothing.
func TestTotalsAreWhatTheLogSays(t *testing.T) {
	for _, dir := range caseDirs(t) {
		for id, s := range folded(t, filepath.Join(dir, "home")) {
			paths, err := filepath.Glob(filepath.Join(dir, "home/.grok/sessions/*", id.Own(), "updates.jsonl"))
			if err != nil || len(paths) != 1 {
				t.Fatalf("%s: %v, %v", id, paths, err)
			}
			n := s.Row().Totals
			got := usage{n.Tokens.Context().Value, n.Tokens.CacheRead.Value, n.Tokens.Output.Value, n.Tokens.Reasoning.Value, int64(n.RoundTrips)}
			want := stated(t, paths[0])
			if strings.Contains(dir, "killed") {
				want.NumTurns = 1
				if n.Tokens.Known() {
					t.Errorf("%s was killed, and knows %+v", id, n.Tokens)
				}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-log +folded):\n%s", id, diff)
			}
		}
	}
}

// session writes a log of made-up updates, a second apart, and returns its home.
func session(t *testing.T, updates ...string) string {
	t.Helper()
	const own = "0199aaaa-0000-7000-8000-000000000001"
	home := t.TempDir()
	path := filepath.Join(home, ".grok/sessions/%2Fwork", own, "updates.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, u := range updates {
		at := strconv.Itoa(1796000000 + i)
		b.WriteString(`{"timestamp":` + at + `,"method":"session/update","params":{"sessionId":"` + own + `","update":` + u +
			`,"_meta":{"eventId":"` + own + `-` + strconv.Itoa(i) + `","agentTimestampMs":` + at + `000}}}` + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

func only(t *testing.T, sessions map[collector.SessionID]*fold.Session) *fold.Session {
	t.Helper()
	for _, s := range sessions {
		if len(sessions) == 1 {
			return s
		}
	}
	t.Fatalf("%d sessions, want one", len(sessions))
	return nil
}

// TestInputOfTurnsIsSummed: inputs of 74, 109, 98 and 192 thousand, what was read from the cache included, are 473
// thousand, and not the last of them (cases: T20).
func TestInputOfTurnsIsSummed(t *testing.T) {
	var updates []string
	for i, u := range [][2]string{{"74000", "60000"}, {"109000", "100000"}, {"98000", "90000"}, {"192000", "170000"}} {
		updates = append(updates,
			`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"on"},"_meta":{"modelId":"grok-4.6","promptIndex":`+strconv.Itoa(i)+`}}`,
			`{"sessionUpdate":"turn_completed","prompt_id":"p`+strconv.Itoa(i)+`","stop_reason":"end_turn","usage":{"inputTokens":`+u[0]+
				`,"outputTokens":10,"totalTokens":1,"cachedReadTokens":`+u[1]+`,"reasoningTokens":4,"modelCalls":3,"numTurns":3}}`)
	}
	n := only(t, folded(t, session(t, updates...))).Row().Totals
	want := collector.Tokens{
		Input: collector.Exact[int64](53000), CacheRead: collector.Exact[int64](420000), CacheWrite5m: collector.Exact[int64](0),
		CacheWrite1h: collector.Exact[int64](0), Output: collector.Exact[int64](40), Reasoning: collector.Exact[int64](16),
	}
	if diff := gocmp.Diff(want, n.Tokens); diff != "" || n.Tokens.Context().Value != 473000 || n.Turns != 4 {
		t.Errorf("%d turns, %d read (-want +got):\n%s", n.Turns, n.Tokens.Context().Value, diff)
	}
}

// TestFlags: a recorded session with a command that fails twice, and one that goes round in circles while its history is
// compacted again and again. No answer was lost to a compaction, though each is written behind it.
func TestFlags(t *testing.T) {
	for name, want := range map[string][]collector.FlagKind{
		"1.0.41-tools-then-resume": {collector.FlagFail, collector.FlagFanout, collector.FlagLoop, collector.FlagRetry, collector.FlagThrash},
		"1.0.41-compactions":       {collector.FlagLoop, collector.FlagThrash},
	} {
		var got []collector.FlagKind
		for _, turn := range only(t, folded(t, filepath.Join(testdata, name, "home"))).Turns() {
			for _, f := range turn.Flags {
				got = append(got, f.Kind)
			}
		}
		slices.Sort(got)
		if diff := gocmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestResults: how a call ended is in several places, and "completed" only says that it ran.
func TestResults(t *testing.T) {
	for name, c := range map[string]struct {
		update string
		status collector.CallStatus
		exit   string
	}{
		"well":              {`"status":"completed","rawOutput":{"type":"Bash","exit_code":0}`, collector.CallOK, "0"},
		"exit code":         {`"status":"completed","rawOutput":{"type":"Bash","exit_code":3}`, collector.CallFailed, "3"},
		"signal":            {`"status":"completed","rawOutput":{"type":"Bash","exit_code":-1,"signal":"signal 9"}`, collector.CallFailed, ""},
		"timed out":         {`"status":"completed","rawOutput":{"type":"Bash","exit_code":null,"timed_out":true}`, collector.CallFailed, ""},
		"nothing found":     {`"status":"completed","rawOutput":{"type":"GrepSearch","exit_code":1}`, collector.CallOK, ""},
		"no such file":      {`"status":"failed","rawOutput":{"type":"ReadFile","FileNotFound":"no"}`, collector.CallFailed, ""},
		"refused":           {`"status":"failed","content":[{"type":"content","content":{"type":"text","text":"User cancelled the execution for tool x"}}]`, collector.CallDenied, ""},
		"only a decoration": {`"kind":"execute","rawInput":{"variant":"Bash"}`, collector.CallPending, ""},
	} {
		s := only(t, folded(t, session(t,
			`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"go"},"_meta":{"promptIndex":0}}`,
			`{"sessionUpdate":"tool_call","toolCallId":"c","title":"x","rawInput":{}}`,
			`{"sessionUpdate":"tool_call_update","toolCallId":"c",`+c.update+`}`)))
		call := s.Turns()[0].ToolCalls[0]
		exit := ""
		if call.ExitCode != nil {
			exit = strconv.Itoa(*call.ExitCode)
		}
		if call.Status != c.status || exit != c.exit {
			t.Errorf("%s: %s, exit %q", name, call.Status, exit)
		}
	}
}

// TestUnknownKindsAreCounted: a kind that nobody knows is no error and no message.
func TestUnknownKindsAreCounted(t *testing.T) {
	src := grok.New(collector.Host{})
	st := collector.Stream{ID: "grok/log/x", Kind: collector.StreamLog, Session: "grok:x"}
	events, err := src.Decode(nil, st, collector.Record{Data: []byte(`{"params":{"update":{"sessionUpdate":"brand_new"},"_meta":{"agentTimestampMs":1796000000000}}}`)})
	want := []collector.Event{{Kind: collector.EventUnknown, Name: "brand_new", Time: 1796000000000}}
	if diff := gocmp.Diff(want, events); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestTurnThatNobodyAnswered: a wake-up that is cancelled, or fails, before the model says a word ends itself and not the
// turn before it; and a prompt without a text is a prompt.
func TestTurnThatNobodyAnswered(t *testing.T) {
	const usage = `"usage":{"inputTokens":7,"outputTokens":3,"modelCalls":1,"numTurns":1}`
	first := []string{
		`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"go"},"_meta":{"promptIndex":0}}`,
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}}`,
		`{"sessionUpdate":"turn_completed","stop_reason":"end_turn",` + usage + `}`,
	}
	const wake = `{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"<system-reminder>x"},"_meta":{"promptIndex":1,"hideFromScrollback":true}}`
	for name, c := range map[string]struct {
		then []string
		want string
	}{
		"cancelled":      {[]string{wake, `{"sessionUpdate":"turn_completed","stop_reason":"cancelled"}`}, "ok 10"},
		"failed":         {[]string{wake, `{"sessionUpdate":"turn_completed","stop_reason":"error","agent_result":"boom","usage":{"inputTokens":0,"outputTokens":0}}`}, "ok 10, failed 0"},
		"without a text": {[]string{`{"sessionUpdate":"user_message_chunk","content":{"type":"image","data":"x"},"_meta":{"promptIndex":1}}`, first[1], first[2]}, "ok 10, ok 10"},
		"then answered":  {[]string{wake, first[1], `{"sessionUpdate":"turn_completed","stop_reason":"cancelled",` + usage + `}`}, "ok 10, interrupted 10"},
	} {
		var got []string
		for _, turn := range only(t, folded(t, session(t, append(slices.Clone(first), c.then...)...))).Turns() {
			got = append(got, string(turn.Status)+" "+strconv.FormatInt(turn.Totals.Tokens.Total().Value, 10))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}
