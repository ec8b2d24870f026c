package copilot

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// toolRequested is a call that the user typed; tool.execution_start follows.
func (d *decoder) toolRequested(r *record) { d.call(r, true) }

// toolStart repeats a call that a response asked for, with the time at which it was taken up (before hooks and
// permission).
func (d *decoder) toolStart(r *record) { d.call(r, false) }

func (d *decoder) call(r *record, unasked bool) {
	ev := r.event(collector.EventCall)
	ev.Call = jsonl.Str(r.data, "toolCallId")
	ev.Unasked = unasked
	setTool(&ev, jsonl.Str(r.data, "toolName"), jsonl.Str(r.data, "mcpServerName"), r.data.Get("arguments"), d.limit)
	if ev.Call != "" {
		d.add(ev)
	}
}

// toolComplete answers a call. success is true for any shell command that ran, whatever its exit code.
func (d *decoder) toolComplete(r *record) {
	ev := r.event(collector.EventResult)
	if ev.Call = jsonl.Str(r.data, "toolCallId"); ev.Call == "" {
		return
	}
	content, detail := r.data.Get("result", "content"), r.data.Get("result", "detailedContent")
	// Texts come first: reading the trailer unescapes the content in place.
	ev.Text = firstText(d.limit, content, detail, r.data.Get("error", "message"))
	failure := firstText(errorBytes(d.limit), r.data.Get("errorMessage"), r.data.Get("error", "message"), plainError(r.data.Get("error")),
		r.data.Get("result", "error"), detail, content).Preview

	telemetry := r.data.Get("toolTelemetry")
	out, code, hasCode := trailer(content)
	if reported, ok := jsonl.Int(r.data, "shellExecution", "exitCode"); ok {
		code, hasCode = int(reported), true
	} else if telemetry.Exists("properties", "fileExtension") || telemetry.Exists("properties", "viewType") {
		hasCode = false // a file's text that ends like a shell's
	}
	ev.CallStatus = collector.CallOK
	if hasCode {
		ev.ExitCode = &code
		// The code is told by itself, and the shell's number says nothing.
		failure = strings.TrimRight(exitLine.ReplaceAllString(failure, ""), "\n")
		if code != 0 {
			ev.CallStatus = collector.CallFailed
		}
	}
	if !jsonl.Bool(r.data, "success") {
		ev.CallStatus = failureStatus(jsonl.Str(r.data, "error", "code"))
	}
	if ev.CallStatus != collector.CallOK {
		ev.Error = failure
	}
	ev.ResultHash = resultHash(out, ev.ExitCode, ev.Error)
	if jsonl.Str(r.data, "model") == "resumed" || jsonl.Str(r.data, "interactionId") == "resume" {
		// Made up when the session was resumed: the call had ended with its process, long before.
		ev.Late = true
		ev.CallStatus = collector.CallInterrupted
	}
	ev.LinesAdded = lines(telemetry, "linesAdded")
	ev.LinesRemoved = lines(telemetry, "linesRemoved")
	ev.Background = background(telemetry)
	d.add(ev)
}

func failureStatus(code string) collector.CallStatus {
	switch code {
	case "denied", "rejected":
		return collector.CallDenied
	case "interrupted", "cancelled", "aborted":
		return collector.CallInterrupted
	}
	return collector.CallFailed
}

// background reports whether the call was answered at once and goes on by itself: an agent or a shell that was sent off.
func background(telemetry *fastjson.Value) bool {
	switch jsonl.Str(telemetry, "properties", "execution_mode") {
	case "background":
		return true
	}
	switch jsonl.Str(telemetry, "properties", "executionMode") {
	case "async", "background":
		return true
	}
	return jsonl.Str(telemetry, "properties", "detached") == "true"
}

func lines(telemetry *fastjson.Value, metric string) int {
	n, _ := jsonl.Int(telemetry, "metrics", metric)
	return int(max(n, 0))
}

// firstText returns the first text that is not empty.
func firstText(limit int, values ...*fastjson.Value) collector.Text {
	for _, v := range values {
		if t := jsonl.Clip(v, limit); t.Bytes > 0 {
			return t
		}
	}
	return collector.Text{}
}

// plainError returns an error that is a text, not an object.
func plainError(v *fastjson.Value) *fastjson.Value {
	if v.Exists("message") || v.Exists("code") {
		return nil
	}
	return v
}

// trailerBytes is more than the longest last line that a shell's result has.
const trailerBytes = 160

// exitLine is how a shell's result ends: "<exited with exit code 3>" (1.0.20, 1.0.44) or "<shellId: 2 completed with exit code 3>".
var exitLine = regexp.MustCompile(`<(?:exited|shellId: [^<>]{1,64} completed) with exit code (-?\d{1,10})>\s*$`)

// trailer splits a shell's result into its output and its exit code.
func trailer(content *fastjson.Value) (out []byte, code int, ok bool) {
	if content == nil {
		return nil, 0, false
	}
	out = content.GetStringBytes()
	tail := out[max(0, len(out)-trailerBytes):]
	if !bytes.Contains(tail, []byte("exit code ")) {
		return out, 0, false
	}
	m := exitLine.FindSubmatchIndex(tail)
	if m == nil {
		return out, 0, false
	}
	code, err := strconv.Atoi(string(tail[m[2]:m[3]]))
	return out[:len(out)-len(tail)+m[0]], code, err == nil
}

// resultHash is of what a repeated call would give again: not of the number of the shell.
func resultHash(out []byte, code *int, failure string) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(out)
	if code != nil {
		_, _ = d.WriteString("\x00" + strconv.Itoa(*code))
	}
	if len(out) == 0 {
		_, _ = d.WriteString(failure)
	}
	return max(d.Sum64(), 1)
}
