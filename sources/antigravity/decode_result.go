package antigravity

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// result takes the step of a tool. Lines are written as steps end, so it can stand before the response that asked for it.
func (d *decoder) result(s *step) {
	state := d.overOf(s)
	if state == stillRuns {
		return
	}
	content := jsonl.Str(s.v, "content")
	h, body := cutHeader(content)
	if h == (header{}) && s.kind != "GENERIC" {
		d.add(collector.Event{Kind: collector.EventUnknown, Time: s.time, Name: s.kind}) // perhaps no tool's
	}
	ev := s.event(collector.EventResult)
	ev.Call, ev.Ahead = s.name, true
	ev.Began = max(s.time, h.created)
	if h.completed > 0 {
		ev.Time = h.completed
	}
	if h.created > 0 && h.completed >= h.created {
		ev.Duration = collector.Exact(h.completed - h.created)
	}
	shown := output(body)
	ev.Text = jsonl.ClipString(shown, d.limit)
	ev.ResultHash = jsonl.HashString(shown)
	ev.LinesAdded, ev.LinesRemoved = changedLines(body)
	d.outcome(s, &ev, state, body)
	d.add(ev)
	if ev.CallStatus == collector.CallDenied && strings.Contains(ev.Error, "user denied") {
		end := s.event(collector.EventTurnEnd) // a refusal ends the turn, and nothing is written about that
		end.TurnStatus = collector.TurnInterrupted
		d.add(end)
	}
}

// failedStep begins the text of a tool step that could not be run.
const failedStep = "Encountered error in step execution"

// outcome sets how a call ended. A command's exit code stands in its text only; the step is DONE all the same.
func (d *decoder) outcome(s *step, ev *collector.Event, state over, body string) {
	ev.CallStatus = collector.CallOK
	if code, ok := exitCode(body); ok {
		ev.ExitCode = &code
	} else if n, ok := jsonl.Int(s.v, "exit_code"); ok {
		code := int(n)
		ev.ExitCode = &code
	}
	switch {
	case state == stopped:
		ev.CallStatus = collector.CallInterrupted
	case state == endedBadly, strings.HasPrefix(strings.TrimSpace(body), failedStep):
		ev.CallStatus, ev.Error = collector.CallFailed, errorText(s.v)
		if strings.Contains(ev.Error, "permission check failed") || strings.Contains(ev.Error, "user denied") {
			ev.CallStatus = collector.CallDenied
		}
	case ev.ExitCode != nil && *ev.ExitCode != 0:
		ev.CallStatus = collector.CallFailed
	}
}

// failure takes an ERROR_MESSAGE: of a call that the harness could not read, which it then answers, or of the model's
// service. Only the text tells them apart.
func (d *decoder) failure(s *step) {
	text := errorText(s.v)
	if strings.Contains(strings.ToLower(text+jsonl.Str(s.v, "content")), "invalid tool call") {
		ev := s.event(collector.EventResult)
		ev.Call, ev.Ahead, ev.CallStatus, ev.Error = s.name, true, collector.CallFailed, text
		_, body := cutHeader(jsonl.Str(s.v, "content"))
		if body == "" {
			body = text
		}
		ev.Text, ev.ResultHash = jsonl.ClipString(body, d.limit), jsonl.HashString(body)
		if strings.Contains(text, "denied") {
			ev.CallStatus = collector.CallDenied
		}
		d.add(ev)
		return
	}
	ev := s.event(collector.EventMarker)
	ev.Key, ev.Marker, ev.MarkerStatus, ev.Name = s.name+" error", collector.MarkerError, collector.MarkerFailed, "error"
	ev.Text = jsonl.ClipString(text, d.limit)
	d.add(ev)
}

// header is what stands before the text of a tool's result, to the second.
type header struct{ created, completed int64 }

// cutHeader takes "Created At: …" and "Completed At: …" off the text of a step.
func cutHeader(text string) (h header, body string) {
	for {
		line, rest, _ := strings.Cut(text, "\n")
		if at, ok := strings.CutPrefix(line, "Created At: "); ok {
			h.created = unixMilli(at)
		} else if at, ok := strings.CutPrefix(line, "Completed At: "); ok {
			h.completed = unixMilli(at)
		} else {
			return h, strings.TrimPrefix(text, "\n")
		}
		text = rest
	}
}

func unixMilli(s string) int64 {
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return max(t.UnixMilli(), 0)
}

// exited is how a command's result begins, as 1.2.17 words it and as 1.1.x did.
var exited = regexp.MustCompile(`^\s*The command (?:exited with code|failed with exit code:) (-?\d{1,9})`)

func exitCode(body string) (int, bool) {
	m := exited.FindStringSubmatch(body[:min(len(body), 200)])
	if m == nil {
		if strings.HasPrefix(strings.TrimSpace(body[:min(len(body), 200)]), "The command completed successfully.") {
			return 0, true
		}
		return 0, false
	}
	code, err := strconv.Atoi(m[1])
	return code, err == nil
}

// output leaves out what stands before a command's output: its exit code is shown by itself.
func output(body string) string {
	if _, ok := exitCode(body); ok {
		if _, out, found := strings.Cut(body, "Output:\n"); found {
			return out
		}
	}
	return body
}

// changedLines counts the lines of the diff that an edit's result shows.
func changedLines(body string) (added, removed int) {
	_, diff, found := strings.Cut(body, "[diff_block_start]\n")
	diff, _, ended := strings.Cut(diff, "[diff_block_end]")
	if !found || !ended {
		return 0, 0
	}
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}
