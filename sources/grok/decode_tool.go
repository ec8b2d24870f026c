package grok

import (
	"path"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// call is a call that a response asked for. What a response read and wrote in all stands beside it.
func (d *decoder) call(r *record) {
	ev := r.event(collector.EventCall)
	if ev.Call = jsonl.Str(r.update, "toolCallId"); ev.Call == "" {
		return
	}
	ev.RoundTrip = r.roundTrip()
	setTool(&ev, r.update, d.limit)
	d.add(ev)
	if n, known := jsonl.Int(r.meta, "totalTokens"); known && n > 0 {
		u := r.event(collector.EventUsage)
		u.RoundTrip = ev.RoundTrip
		u.Usage = &collector.Usage{Context: collector.Exact(n)}
		if u.RoundTrip != "" {
			d.add(u)
		}
	}
}

// result answers a call. An update without a status only decorates it. "completed" says that a tool ran: a command that
// exits with 3 is completed.
func (d *decoder) result(r *record) {
	status := jsonl.Str(r.update, "status")
	if status != "completed" && status != "failed" {
		return
	}
	raw := r.update.Get("rawOutput")
	ev := r.event(collector.EventResult)
	if ev.Call = jsonl.Str(r.update, "toolCallId"); ev.Call == "" {
		return
	}
	text := resultText(r.update.GetArray("content"), raw)
	ev.Text = jsonl.Join(d.limit, text...)
	ev.CallStatus = collector.CallOK
	// Searches have an exit code too, which is 1 if they found nothing.
	if code, ran := jsonl.Int(raw, "exit_code"); ran && code >= 0 && jsonl.Str(raw, "type") == "Bash" {
		n := int(code)
		ev.ExitCode = &n
		if n != 0 {
			ev.CallStatus = collector.CallFailed
		}
	}
	if jsonl.Str(raw, "signal") != "" || jsonl.Bool(raw, "timed_out") || status == "failed" {
		ev.CallStatus = collector.CallFailed
	}
	head := jsonl.Join(collector.PreviewBytes, text...).Preview
	if refused(head) && status == "failed" {
		ev.CallStatus = collector.CallDenied
	}
	if ev.CallStatus != collector.CallOK {
		ev.Error = head
		if s := jsonl.Str(raw, "signal"); s != "" && head == "" {
			ev.Error = "killed by " + s
		}
	}
	ev.ResultHash = resultHash(text, ev.ExitCode)
	ev.Background = jsonl.Str(raw, "type") == "BackgroundTaskStarted" || strings.HasPrefix(head, "Subagent started in background")
	ev.LinesAdded, ev.LinesRemoved = lines(r.update.GetArray("content"))
	d.add(ev)
	d.child(r, ev.Call, raw, head)
}

// refused reports whether somebody said no to a call.
func refused(head string) bool {
	return strings.HasPrefix(head, "User cancelled the execution") || strings.HasPrefix(head, "User rejected") ||
		strings.HasPrefix(head, "Permission denied") || strings.HasPrefix(head, "Blocked by hook")
}

// child says which call spawned a sub-agent: only the call's answer does.
func (d *decoder) child(r *record, call string, raw *fastjson.Value, head string) {
	own := jsonl.Str(raw, "subagent_id")
	if _, after, found := strings.Cut(head, "subagent_id: "); own == "" && found && strings.HasPrefix(head, "Subagent started") {
		own, _, _ = strings.Cut(after, "\n")
	}
	if own == "" {
		return
	}
	ev := r.event(collector.EventFacts)
	ev.Session = d.stream.Session.Root().Child(own)
	ev.Facts = &collector.Facts{Parent: d.stream.Session, ParentCall: call}
	d.add(ev)
}

// resultText returns what a tool said: its content, or where that has no text (listings, todo lists, edits, output of
// background tasks), what was made of it for the model.
func resultText(content []*fastjson.Value, raw *fastjson.Value) []*fastjson.Value {
	var out []*fastjson.Value
	for _, c := range content {
		if t := c.Get("content", "text"); t != nil {
			out = append(out, t)
		}
	}
	if len(out) > 0 || raw == nil || raw.Type() != fastjson.TypeObject {
		return out
	}
	keys := []string{"output_for_prompt", "text", "message", "content", "tool_output_for_prompt", "summary_for_prompt", "output"}
	pick := func(v *fastjson.Value) {
		for _, key := range keys {
			if t := v.Get(key); len(out) == 0 && t != nil && t.Type() == fastjson.TypeString {
				out = append(out, t)
			}
		}
	}
	pick(raw)
	raw.GetObject().Visit(func(_ []byte, v *fastjson.Value) {
		if v.Type() == fastjson.TypeObject {
			pick(v)
		}
	})
	return out
}

// taskCompleted tells how a command that went on in the background ended. Its output is in a file named after the call.
func (d *decoder) taskCompleted(r *record) {
	task := r.update.Get("task_snapshot")
	call, isLog := strings.CutSuffix(path.Base(strings.ReplaceAll(jsonl.Str(task, "output_file"), `\`, "/")), ".log")
	code, ended := jsonl.Int(task, "exit_code")
	if !isLog || !ended {
		return
	}
	n := int(code)
	ev := r.event(collector.EventResult)
	ev.Call, ev.Enriches, ev.ExitCode, ev.CallStatus = call, true, &n, collector.CallOK
	if n != 0 {
		ev.CallStatus = collector.CallFailed
	}
	from, to := moment(task.Get("start_time")), moment(task.Get("end_time"))
	if from > 0 && to >= from {
		ev.Duration = collector.Exact(to - from)
	}
	d.add(ev)
}

// moment reads a time that is written as seconds and nanoseconds, in ms.
func moment(v *fastjson.Value) int64 {
	s, _ := jsonl.Int(v, "secs_since_epoch")
	ns, _ := jsonl.Int(v, "nanos_since_epoch")
	return s*1000 + ns/1_000_000
}
