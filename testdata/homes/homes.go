// Package homes makes small homes for tests that need a certain file rather than a recording. Its functions are named by
// what a layout is like, not by whose it is.
package homes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Session returns the id on the wire of the transcript of that own id, below Transcripts.
func Session(own string) string { return "claude:" + own }

// Transcript returns the path of a transcript whose file is named by its own id.
func Transcript(home, own string) string {
	return filepath.Join(Transcripts(home), own+".jsonl")
}

// Transcripts returns the directory of one project's transcripts.
func Transcripts(home string) string {
	return filepath.Join(home, ".claude", "projects", "-home-dev-work")
}

// Root returns the agent's own directory.
func Root(home string) string { return filepath.Join(home, ".claude") }

// SubAgent returns the paths of a sub-agent's transcript and of the document that names its parent call.
func SubAgent(home, own, agent string) (log, meta string) {
	stem := filepath.Join(Transcripts(home), own, "subagents", "agent-"+agent)
	return stem + ".jsonl", stem + ".meta.json"
}

// Day is when the clocks of Lines begin to count.
var Day = time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)

// Model is the model that answers in Lines.
const Model = "claude-sonnet-4-5"

// Lines returns the records of n turns, each a prompt, a call, its result and an answer. The names of responses begin with
// by, so that two sessions that share it show the same responses. at is when the session began, in seconds of a day.
func Lines(own, by string, n, at int) [][]byte {
	var lines [][]byte
	sec := at
	add := func(typ, body string) {
		sec++
		lines = append(lines, fmt.Appendf(nil, `{"parentUuid":null,"isSidechain":false,%s,"type":"%s","uuid":"%s-%d","timestamp":"%s","cwd":"/home/dev/work","sessionId":"%s","version":"2.1.332"}`+"\n",
			body, typ, own, sec, Day.Add(time.Duration(sec)*time.Second).Format("2006-01-02T15:04:05.000Z"), own))
	}
	reply := func(i int, part, content, stop string) {
		add("assistant", fmt.Sprintf(`"message":{"model":"%s","id":"msg_%s_%d%s","type":"message","role":"assistant","content":[%s],"stop_reason":"%s","usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":100,"output_tokens":7}}`,
			Model, by, i, part, content, stop))
	}
	for i := range n {
		add("user", fmt.Sprintf(`"promptId":"p-%s-%d","message":{"role":"user","content":"Prüfe Nr. %d, bitte: 日本語 🦉"}`, by, i, i))
		reply(i, "a", fmt.Sprintf(`{"type":"tool_use","id":"toolu_%s_%d","name":"Bash","input":{"command":"go test ./p%d"}}`, by, i, i), "tool_use")
		add("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%s_%d","type":"tool_result","content":"ok — 漢字 %d"}]}`, by, i, i))
		reply(i, "b", fmt.Sprintf(`{"type":"text","text":"Fertig: %d ✓"}`, i), "end_turn")
	}
	return lines
}

// Unknown returns a record of a type that nobody knows.
func Unknown(typ string) []byte { return []byte(`{"type":"` + typ + `","n":1}` + "\n") }

// Register lists a running process as the holder of a session. start is when it began, in clock ticks since boot.
func Register(home, own string, pid int, start, status string) error {
	path := filepath.Join(Root(home), "sessions", fmt.Sprintf("%d.json", pid))
	return Write(path, fmt.Appendf(nil, `{"pid":%d,"sessionId":"%s","cwd":"/home/dev/work","procStart":"%s","status":"%s","updatedAt":%d}`,
		pid, own, start, status, Day.UnixMilli()))
}

// Process puts a process into the tree proc.
func Process(proc string, pid int, start string) error {
	fields := slices.Repeat([]string{"0"}, 40)
	fields[0], fields[22-3] = "S", start
	stat := fmt.Appendf(nil, "%d (claude)", pid)
	for _, f := range fields {
		stat = append(append(stat, ' '), f...)
	}
	return Write(filepath.Join(proc, fmt.Sprint(pid), "stat"), append(stat, '\n'))
}

// Dated returns the logs below home that lie in a directory per day.
func Dated(home string) ([]string, error) {
	return filepath.Glob(filepath.Join(home, ".codex", "sessions", "*", "*", "*", "rollout-*.jsonl"))
}

// Archived returns where a dated log is put when its owner archives it.
func Archived(home, log string) string {
	return filepath.Join(home, ".codex", "archived_sessions", filepath.Base(log))
}

// AtMidnight returns where a dated log would lie had it begun on a day that has no directory yet.
func AtMidnight(home, log string) string {
	return filepath.Join(home, ".codex", "sessions", "2027", "01", "01", filepath.Base(log))
}

// Env names the variables that place the agents' homes, with a home for each.
func Env(transcripts, dated, events string) map[string]string {
	return map[string]string{"CLAUDE_CONFIG_DIR": transcripts, "CODEX_HOME": dated, "COPILOT_HOME": events}
}

// Own names the agents' directories below a home.
func Own(home string) (transcripts, dated, events string) {
	return filepath.Join(home, ".claude"), filepath.Join(home, ".codex"), filepath.Join(home, ".copilot")
}

// Write writes a file and the directories above it.
func Write(path string, data ...[]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, slices.Concat(data...), 0o600)
}

// Append adds to a file, which need not exist, with one write.
func Append(path string, data ...[]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(slices.Concat(data...)); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
