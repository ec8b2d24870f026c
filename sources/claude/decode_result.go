package claude

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// headBytes is how much of a result is looked at to tell how the call went, whatever is kept of it.
const headBytes = 300

// endedHead begins the results that resuming makes up for the calls that a killed session left unanswered.
const endedHead = "[Tool call interrupted: the session ended"

// result decodes a tool_result block. Its text stands in the block and again, structured, in toolUseResult; the structured
// one is asked for single facts only and never copied.
func (d *decoder) result(b *fastjson.Value) {
	content := b.Get("content")
	id := text(b.Get("tool_use_id"))
	head := ""
	failed := truth(b.Get("is_error"))
	ev := d.add(collector.EventResult)
	ev.Call = id
	ev.ResultHash = jsonl.Hash(content)
	ev.Text = resultText(content, d.limit)
	if failed || d.denial != nil {
		head = resultText(content, headBytes).Preview
	}
	ev.CallStatus = d.callStatus(failed, head)
	if ev.CallStatus == collector.CallFailed {
		ev.ExitCode = exitCode(head)
	}
	if ev.CallStatus != collector.CallOK {
		ev.Error = errorText(head, ev.ExitCode)
	}
	d.structured(ev)
	if d.toolResult == nil && ev.CallStatus == collector.CallOK && d.launched(ev.Text.Preview, content) {
		ev.Background, ev.CallStatus = true, collector.CallPending
	}
	ended := strings.HasPrefix(head, endedHead)
	ev.Late = ended
	if ended { // written when the session was resumed; the turn died with its process
		end := d.add(collector.EventTurnEnd)
		end.TurnStatus, end.Late = collector.TurnAbandoned, true
	}
	d.asked(id, head)
	d.spawned(id, content)
}

// callStatus says how a call went.
func (d *decoder) callStatus(failed bool, head string) collector.CallStatus {
	switch k := word(d.denial); string(k) {
	case "":
	case "interrupted", "cancelled":
		return collector.CallInterrupted
	default: // user-rejected, permission-rule
		return collector.CallDenied
	}
	switch {
	case d.toolResult != nil && truth(d.toolResult.Get("interrupted")):
		return collector.CallInterrupted
	case d.permission != nil && string(word(d.permission.Get("decision"))) == "reject":
		return collector.CallDenied
	case !failed:
		return collector.CallOK
	}
	// Versions before 2.1.3xx have no fields for it, only words.
	switch {
	case strings.HasPrefix(head, "[Tool call interrupted"), strings.HasPrefix(head, "[Request interrupted"):
		return collector.CallInterrupted
	case strings.HasPrefix(head, "The user doesn't want to"), strings.HasPrefix(head, "Permission to use "),
		strings.HasPrefix(head, "Claude requested permissions to"), strings.HasPrefix(head, "PreToolUse:") && strings.Contains(head, "hook error"):
		return collector.CallDenied
	}
	return collector.CallFailed
}

// structured takes single facts out of toolUseResult. A string there repeats the error; sub-agents' files have none.
func (d *decoder) structured(ev *collector.Event) {
	r := d.toolResult
	if r == nil || r.GetObject() == nil {
		return
	}
	for _, key := range []string{"durationMs", "totalDurationMs"} {
		if ms, ok := jsonl.Int(r, key); ok {
			ev.Duration = collector.Exact(ms)
		}
	}
	ev.LinesAdded, ev.LinesRemoved = changedLines(r)
	launched := truth(r.Get("isAsync")) || string(word(r.Get("status"))) == "async_launched" || len(word(r.Get("backgroundTaskId"))) > 0
	if launched && ev.CallStatus == collector.CallOK {
		ev.Background, ev.CallStatus = true, collector.CallPending
		ev.Duration = collector.Count{}
	}
}

// launched reports, by its words, whether a result only says that something was started. Sub-agents' files have nothing
// else to tell by.
func (d *decoder) launched(text string, content *fastjson.Value) bool {
	const enough = 40 // bytes
	if d.limit > 0 && d.limit < enough {
		text = resultText(content, enough).Preview
	}
	return strings.HasPrefix(text, "Async agent launched successfully") || strings.HasPrefix(text, "Command running in background with ID")
}

// changedLines counts the lines of a patch; a created file's are all new.
func changedLines(r *fastjson.Value) (added, removed int) {
	hunks := r.GetArray("structuredPatch")
	for _, h := range hunks {
		for _, l := range h.GetArray("lines") {
			switch b := l.GetStringBytes(); {
			case bytes.HasPrefix(b, []byte("+")):
				added++
			case bytes.HasPrefix(b, []byte("-")):
				removed++
			}
		}
	}
	if len(hunks) == 0 && string(word(r.Get("type"))) == "create" {
		if c := r.GetStringBytes("content"); len(c) > 0 {
			added = bytes.Count(c, []byte("\n"))
			if c[len(c)-1] != '\n' {
				added++
			}
		}
	}
	return added, removed
}

// asked marks that a human, or a hook, decided about a call. When a human was asked is not written, but for questions.
func (d *decoder) asked(id, head string) {
	source, decision := word(d.permission.Get("source")), word(d.permission.Get("decision"))
	rejected := string(word(d.denial)) == "user-rejected" && d.permission == nil // the dialog's answer; -p refuses by a rule
	answered := d.toolResult != nil && d.toolResult.GetObject() != nil &&
		(d.toolResult.Exists("answers") || d.toolResult.Exists("plan"))
	switch {
	case bytes.HasPrefix(source, []byte("user")), rejected, answered:
		ev := d.add(collector.EventMarker)
		ev.Marker, ev.Call, ev.Key, ev.MarkerStatus = collector.MarkerPermission, id, "wait:"+id, collector.MarkerOK
		ev.Name, ev.Source = string(decision), string(source)
		if rejected {
			ev.Name = "reject"
		}
	case string(source) == "hook" && string(decision) == "reject":
		ev := d.add(collector.EventMarker)
		ev.Marker, ev.Call, ev.MarkerStatus = collector.MarkerHook, id, collector.MarkerOK
		ev.Name, _, _ = strings.Cut(head, " ")
		ev.Text = jsonl.ClipString(head, d.limit)
	}
}

// spawned links a sub-agent to the call that started it: its id stands in the structured result and, as sub-agents'
// files have none, in the last words of the text.
func (d *decoder) spawned(id string, content *fastjson.Value) {
	own := ""
	if d.toolResult != nil && d.toolResult.Exists("status") { // a message to an agent names it too
		own = text(d.toolResult.Get("agentId"))
	}
	role := ""
	if own != "" {
		role = text(d.toolResult.Get("agentType"))
	} else if d.isChild() {
		for _, b := range content.GetArray() {
			own = agentNamed(b.GetStringBytes("text"))
		}
	}
	if own != "" {
		d.factsOf(d.session.Root().Child(own), collector.Facts{Parent: d.session, ParentCall: id, Role: role})
	}
}

// agentNamed returns the id in "agentId: <id> (…".
func agentNamed(t []byte) string {
	const mark = "agentId: "
	at := bytes.Index(t[:min(len(t), 2000)], []byte(mark))
	if at < 0 {
		return ""
	}
	own := t[at+len(mark):]
	end := 0
	for end < len(own) && isIDByte(own[end]) {
		end++
	}
	return string(own[:end])
}

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// resultText is the text of a result: a string, or blocks of which images count as nothing.
func resultText(content *fastjson.Value, limit int) collector.Text {
	blocks := content.GetArray()
	if len(blocks) == 0 { // not "== nil": of an empty array that depends on what was parsed before
		return jsonl.Clip(content, limit)
	}
	parts := make([]*fastjson.Value, 0, 4)
	for _, b := range blocks {
		if t := b.Get("text"); t != nil {
			parts = append(parts, t)
		}
	}
	return jsonl.Join(limit, parts...)
}

// exitCode reads "Exit code N".
func exitCode(head string) *int {
	rest, ok := strings.CutPrefix(head, "Exit code ")
	if !ok {
		return nil
	}
	digits := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '-' }); i >= 0 {
		digits = rest[:i]
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return &n
}

// errorText is what a failed result says, without what the harness puts round it: tags, and a first line with the exit code.
func errorText(head string, exit *int) string {
	head = strings.TrimPrefix(head, "<tool_use_error>")
	head, _, _ = strings.Cut(head, "</tool_use_error>")
	if _, said, more := strings.Cut(head, "\n"); exit != nil && more && said != "" {
		return said
	}
	return head
}
