package codex_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
)

var rollout = collector.Stream{
	ID: "codex/log/01a22bae-b680-7006-8000-000000000006", Agent: "codex", Kind: collector.StreamLog,
	Session: "codex:01a22bae-b680-7006-8000-000000000006",
}

func decode(t testing.TB, line string) []collector.Event {
	t.Helper()
	r := collector.Record{Ref: collector.Ref{Offset: 100, Length: int64(len(line)), Line: 3}, Data: []byte(line), TextLimit: 500}
	events, err := codex.New(collector.Host{}).Decode(nil, rollout, r)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	return events
}

func output(text string) string {
	return `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":` + strconv.Quote(text) + `}}`
}

func TestOutputsTellHowTheCallWent(t *testing.T) {
	const ok, failed, denied, interrupted = collector.CallOK, collector.CallFailed, collector.CallDenied, collector.CallInterrupted
	none := -1000
	for _, c := range []struct {
		output string
		status collector.CallStatus
		exit   int
	}{
		{`{"output":"boom\n","metadata":{"exit_code":3,"duration_seconds":0.0}}`, failed, 3},
		{`{"output":"aborted","metadata":{"exit_code":0,"duration_seconds":0.0}}`, ok, 0},
		{"Exit code: 3\nWall time: 0 seconds\nOutput:\nboom\n", failed, 3},
		{"Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 3\n", ok, 0},
		{"Chunk ID: 9334f4\nWall time: 0.0000 seconds\nProcess exited with code -1\nOriginal token count: 2\nOutput:\n", failed, -1},
		{"Chunk ID: 9334f4\nWall time: 0.5 seconds\nProcess running with session ID 87306\nOutput:\nProcess exited with code 1\n", ok, none},
		{"Process exited with code 1 is what a test printed\n", ok, none},
		{"Wall time: 3.4 seconds\naborted by user", interrupted, none},
		{"aborted", interrupted, none},
		{"aborted by user after 3.4s", interrupted, none},
		{`exec_command failed: CreateProcess { message: "Rejected(\"rejected by user\")" }`, denied, none},
		{`exec_command failed: CreateProcess { message: "No such file or directory" }`, failed, none},
		{"patch rejected by user", denied, none},
		{"unsupported call: shell", failed, none},
		{"failed to parse function arguments: missing field `cmd`", failed, none},
		{"apply_patch verification failed: no such file", failed, none},
		{"write_stdin failed: Unknown process id 1000", failed, none},
		{"unable to locate image at `/x`", failed, none},
		{"invalid agent id x", failed, none},
		{"Fatal error: tool exec failed", failed, none},
		{"Plan updated", ok, none},
		{"", ok, none},
	} {
		events := decode(t, output(c.output))
		e := events[0]
		exit := none
		if e.ExitCode != nil {
			exit = *e.ExitCode
		}
		if len(events) != 1 || e.Kind != collector.EventResult || e.CallStatus != c.status || exit != c.exit {
			t.Errorf("%q: got %d events, %s, exit %d; want 1, %s, exit %d", c.output, len(events), e.CallStatus, exit, c.status, c.exit)
		}
	}
}

func TestFailuresSayWhatTheToolSaid(t *testing.T) {
	for text, want := range map[string]string{
		"Chunk ID: 9334f4\nWall time: 0.0000 seconds\nProcess exited with code 1\nOriginal token count: 11\nOutput:\ncat: x: No such file\n": "cat: x: No such file",
		"Exit code: 3\nWall time: 0 seconds\nOutput:\nTraceback:\nboom\n":                                                                    "Traceback:\nboom",
		"Script failed\nWall time 0.1 seconds\nOutput:\n" + strings.Repeat("é", 300):                                                         strings.Repeat("é", 100),
		"Exit code: 3\nWall time: 0 seconds\nOutput:\n":                                                                                      "",
		"Exit code: 0\nWall time: 0 seconds\nOutput:\nfine\n":                                                                                "",
	} {
		if got := decode(t, output(text))[0].Error; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestRunningCommandsAreAnsweredInTheBackground(t *testing.T) {
	e := decode(t, output("Chunk ID: 1\nWall time: 0.5 seconds\nProcess running with session ID 87306\nOutput:\nstart\n"))[0]
	if !e.Background || e.CallStatus != collector.CallOK {
		t.Errorf("background %v, status %s", e.Background, e.CallStatus)
	}
}

func TestResultsAreAlikeWhateverTheirStatusLines(t *testing.T) {
	out := func(chunk, wall, code, body string) uint64 {
		return decode(t, output("Chunk ID: "+chunk+"\nWall time: "+wall+" seconds\nProcess exited with code "+code+"\nOutput:\n"+body))[0].ResultHash
	}
	a := out("a", "0.1", "0", "same\n")
	if b := out("b", "0.2", "0", "same\n"); a != b || a == 0 {
		t.Errorf("same result: hashes %d and %d", a, b)
	}
	if b := out("a", "0.1", "1", "same\n"); a == b {
		t.Error("another exit code: same hash")
	}
	if b := out("a", "0.1", "0", "other\n"); a == b {
		t.Error("another output: same hash")
	}
}

func call(name, args string) string {
	return `{"type":"response_item","payload":{"type":"function_call","name":` + strconv.Quote(name) + `,"arguments":` + strconv.Quote(args) + `,"call_id":"c"}}`
}

func TestCallsAreSorted(t *testing.T) {
	for _, c := range []struct {
		name, args string
		category   collector.Category
		effect     collector.Effect
	}{
		{"exec_command", `{"cmd":"ls -la"}`, collector.CategoryShell, 0},
		{"exec_command", `{"cmd":"cd x && git status --short | head"}`, collector.CategoryVCS, 0},
		{"exec_command", `{"cmd":"git commit -m 'x' 2>&1"}`, collector.CategoryVCS, 0},
		{"exec_command", `{"cmd":"go test ./... && git push"}`, collector.CategoryShell, 0},
		{"shell", `{"command":["bash","-lc","git log"]}`, collector.CategoryVCS, 0},
		{"shell", `{"command":["apply_patch","*** Begin Patch"]}`, collector.CategoryFile, collector.EffectEdit},
		{"shell_command", `{"command":"apply_patch <<'EOF'\nx\nEOF"}`, collector.CategoryFile, collector.EffectEdit},
		{"apply_patch", `{"input":"x"}`, collector.CategoryFile, collector.EffectEdit},
		{"write_stdin", `{"session_id":1,"chars":""}`, collector.CategoryShell, collector.EffectPoll},
		{"write_stdin", `{"session_id":1,"chars":"y\n"}`, collector.CategoryShell, 0},
		{"wait_agent", `{}`, collector.CategoryAgent, collector.EffectPoll},
		{"view_image", `{"path":"a.png"}`, collector.CategoryFile, 0},
		{"mcp__demo__echo", `{}`, collector.CategoryOther, 0},
	} {
		e := decode(t, call(c.name, c.args))[0]
		if e.Category != c.category || e.Effect != c.effect || e.ArgsHash == 0 {
			t.Errorf("%s %s: got %s, effect %d, hash %d", c.name, c.args, e.Category, e.Effect, e.ArgsHash)
		}
	}
}

func TestCallsAreAlikeWhateverTheirWordings(t *testing.T) {
	hash := func(args string) uint64 { return decode(t, call("exec_command", args))[0].ArgsHash }
	a := hash(`{"cmd":"ls","workdir":".","yield_time_ms":1000}`)
	if b := hash(`{"workdir":".","cmd":"ls","yield_time_ms":5000,"max_output_tokens":10,"justification":"again"}`); a != b {
		t.Errorf("hashes %d and %d", a, b)
	}
	if b := hash(`{"cmd":"ls","workdir":"x"}`); a == b {
		t.Error("another directory: same hash")
	}
}

// T23: what nobody knows yet is counted by type, and nothing else is said.
func TestUnknownRecords(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"new_record","payload":{}}`:                                                 "new_record",
		`{"type":"event_msg","payload":{"type":"new_event"}}`:                                "event_msg/new_event",
		`{"type":"response_item","payload":{"type":"new_item"}}`:                             "response_item/new_item",
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"NewItem"}}}`: "item_completed/NewItem",
		`{"something":1}`: "line without a type",
	} {
		want := []collector.Event{{Kind: collector.EventUnknown, Name: want}}
		if diff := cmp.Diff(decode(t, line), want); diff != "" {
			t.Errorf("%s: got (-) and want (+):\n%s", line, diff)
		}
	}
}

// The recordings hold nothing that is unknown or cannot be read.
func TestRecordingsAreKnown(t *testing.T) {
	for _, dir := range caseDirs(t) {
		src := codex.New(host(dir + "/home"))
		for _, st := range streams(t, src) {
			if st.Kind == collector.StreamDirectory || strings.Contains(st.Path, "garbage") {
				continue
			}
			var cp collector.Checkpoint
			for r, err := range src.Read(t.Context(), st, &cp) {
				if err != nil {
					t.Fatal(err)
				}
				events, _ := src.Decode(nil, st, r)
				for _, e := range events {
					if e.Kind == collector.EventUnknown || e.Kind == collector.EventMalformed {
						t.Errorf("%s line %d: %q %q", st.Path, r.Line, e.Name, e.Text.Preview)
					}
				}
			}
		}
	}
}
