package claude

import (
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// queued decodes what happens in the queue of prompts. Prompts come again when they are taken, as a user's line or an
// attachment. A notification is dated here when the task ended, which counts even if the model is never told.
func (d *decoder) queued() {
	if string(word(d.operation)) != "enqueue" {
		return
	}
	if t := d.content.GetStringBytes(); kindOfText(t) == textNotification {
		d.notification(string(t), false)
	}
}

// notification decodes the news that a background task ended: the end of the call that started it and, where it was
// given to the model as a prompt, a turn that nobody asked for.
func (d *decoder) notification(t string, prompt bool) {
	if prompt {
		d.prompt(readable(t)).Origin = collector.PromptAuto
	}
	call := between(t, "<tool-use-id>", "</tool-use-id>")
	if call == "" {
		return
	}
	summary := between(t, "<summary>", "</summary>")
	ev := d.add(collector.EventResult)
	ev.Call, ev.Enriches = call, true
	switch between(t, "<status>", "</status>") {
	case "completed":
		ev.CallStatus = collector.CallOK
	case "failed", "error":
		ev.CallStatus, ev.Error = collector.CallFailed, jsonl.ClipString(summary, errorBytes).Preview
	case "killed", "stopped", "cancelled":
		ev.CallStatus = collector.CallInterrupted
	default: // still running: it only says something
	}
	if _, after, ok := strings.Cut(summary, "exit code "); ok {
		digits, _, _ := strings.Cut(after, ")")
		if n, err := strconv.Atoi(strings.TrimSpace(digits)); err == nil {
			ev.ExitCode = &n
			if n != 0 && ev.CallStatus == collector.CallOK {
				ev.CallStatus = collector.CallFailed
			}
		}
	}
	if ms, err := strconv.ParseInt(between(t, "<duration_ms>", "</duration_ms>"), 10, 64); err == nil && ms >= 0 {
		ev.Duration = collector.Exact(ms)
	}
}

// readable is what a notification tells a person: what ended, and what came of it.
func readable(t string) string {
	summary, result := between(t, "<summary>", "</summary>"), between(t, "<result>", "</result>")
	switch {
	case summary == "":
		return t
	case result == "":
		return summary
	}
	return summary + "\n" + result
}
