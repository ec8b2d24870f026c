package gemini_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// TestOutcomes: how a call went, by its status and by what it said.
func TestOutcomes(t *testing.T) {
	const ok, failed, denied, interrupted = collector.CallOK, collector.CallFailed, collector.CallDenied, collector.CallInterrupted
	const none = -1000
	for _, c := range []struct {
		tool, status, key, text string
		want                    collector.CallStatus
		exit                    int
	}{
		{"run_shell_command", "success", "output", "Output: boom\nExit Code: 2\nProcess Group PGID: 5", failed, 2},
		{"run_shell_command", "success", "output", "<untrusted_context>\nOutput: boom\nExit Code: 3\nProcess Group PGID: 5\n</untrusted_context>", failed, 3},
		{"run_shell_command", "success", "output", "Output: (empty)\nProcess Group PGID: 5", ok, 0},
		{"run_shell_command", "success", "output", "Output: Exit Code: 4\nall is well\nProcess Group PGID: 5", ok, 0},
		{"run_shell_command", "success", "output", "Output: (empty)\nSignal: 9\nProcess Group PGID: 5", failed, none},
		{"run_shell_command", "success", "output", "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 5", ok, 0},
		{"run_shell_command", "success", "output", "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 127\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 5", failed, 127},
		{"run_shell_command", "success", "output", "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. There was no output before it was cancelled.", failed, none},
		{"run_shell_command", "success", "output", "Command was cancelled by user before it could complete. There was no output before it was cancelled.", interrupted, none},
		{"run_shell_command", "success", "output", "", ok, none},
		{"read_file", "success", "output", "the file says\nExit Code: 3", ok, none},
		{"read_file", "error", "error", "File not found: /x", failed, none},
		{"read_file", "success", "error", "an error all the same", failed, none},
		{"write_file", "cancelled", "error", "[Operation Cancelled] Reason: User did not allow tool call", denied, none},
		{"write_file", "error", "error", "Tool execution for \"WriteFile\" denied by policy.", denied, none},
		{"run_shell_command", "cancelled", "error", "[Operation Cancelled] Reason: Operation cancelled by user", interrupted, none},
	} {
		text, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		s := log(t, `{"id":"u","timestamp":"2026-11-30T10:00:01Z","type":"user","content":"go"}`,
			fmt.Sprintf(`{"id":"g","timestamp":"2026-11-30T10:00:02Z","type":"gemini","content":"x","tokens":{"input":1,"output":1},"model":"m","toolCalls":[{"id":"c","name":%q,"args":{},`+
				`"result":[{"functionResponse":{"id":"c","name":"x","response":{%q:%s}}}],"status":%q,"timestamp":"2026-11-30T10:00:03Z"}]}`, c.tool, c.key, text, c.status))
		call := s.Turns()[0].ToolCalls[0]
		exit := none
		if call.ExitCode != nil {
			exit = *call.ExitCode
		}
		if call.Status != c.want || exit != c.exit {
			t.Errorf("%s, %s, %q: %s with exit code %d, want %s with %d", c.tool, c.status, c.text, call.Status, exit, c.want, c.exit)
		}
		if (call.Status == failed || call.Status == denied) && call.Error == "" && exit == none && c.status != "success" {
			t.Errorf("%q: no reason", c.text)
		}
	}
}

// TestWhatIsNoPrompt: messages to the model that nobody typed.
func TestWhatIsNoPrompt(t *testing.T) {
	user := func(content string) string {
		return `{"id":"u9","timestamp":"2026-11-30T10:00:01Z","type":"user","content":` + content + `}`
	}
	answer := `{"id":"g","timestamp":"2026-11-30T10:00:02Z","type":"gemini","content":"x","tokens":{"input":1,"output":1},"model":"m"}`
	for name, c := range map[string]struct {
		lines []string
		turns int
	}{
		"where it works":               {[]string{user(`[{"text":"<session_context>\nhere\n</session_context>"}]`)}, 0},
		"a command that the user ran":  {[]string{user(`[{"text":"I ran the following shell command:\nls"}]`)}, 0},
		"… and that the model answers": {[]string{user(`[{"text":"I ran the following shell command:\nls"}]`), answer}, 1},
		"a summary":                    {[]string{user(`[{"text":"I think.\n<state_snapshot>x</state_snapshot>"}]`)}, 0},
		"results":                      {[]string{user(`[{"functionResponse":{"id":"c","name":"x","response":{"output":"y"}}},{"text":"more"}]`)}, 0},
		"a text":                       {[]string{user(`"hello"`)}, 1},
		"a part":                       {[]string{user(`{"text":"hello"}`)}, 1},
		"an answer of the agent's own": {[]string{user(`"hello"`), `{"id":"g0","timestamp":"2026-11-30T10:00:02Z","type":"gemini","content":[{"text":"Got it."}]}`}, 1},
	} {
		s := log(t, c.lines...)
		if got := len(s.Turns()); got != c.turns {
			t.Errorf("%s: %d turns, want %d", name, got, c.turns)
		}
		if trips := s.Row().Totals.RoundTrips; name == "an answer of the agent's own" && trips != 0 {
			t.Errorf("%s: %d round trips", name, trips)
		}
	}
}

// TestTakenBack: a rewind to a prompt, and a list that ends before one.
func TestTakenBack(t *testing.T) {
	prompts := []string{}
	for i := range 3 {
		prompts = append(prompts, fmt.Sprintf(`{"id":"u%d","timestamp":"2026-11-30T10:00:0%[1]dZ","type":"user","content":"prompt %[1]d"}`, i))
	}
	for name, c := range map[string]struct {
		line string
		want int // turns that were taken back
	}{
		"to a prompt":          {`{"$rewindTo":"u1"}`, 2},
		"to another message":   {`{"$rewindTo":"g1"}`, 0},
		"a list of all":        {`{"$set":{"messages":[` + prompts[0] + `,` + prompts[1] + `,` + prompts[2] + `]}}`, 0},
		"a list of the first":  {`{"$set":{"messages":[` + prompts[0] + `]}}`, 2},
		"a list of no prompt":  {`{"$set":{"messages":[]}}`, 0},
		"a list under new ids": {`{"$set":{"messages":[{"id":"new","type":"user","content":[{"text":"prompt 0"}]}]}}`, 0},
	} {
		got := 0
		for _, turn := range log(t, append(prompts[:3:3], c.line)...).Turns() {
			if turn.Rewound {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d turns were taken back, want %d", name, got, c.want)
		}
	}
}
