package gemini

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// message reads a message: a prompt, a response, results on their way to the model, or what the agent told its user.
func (d *decoder) message(v *fastjson.Value) {
	d.at = jsonl.Time(v, "timestamp")
	switch kind := jsonl.Str(v, "type"); kind {
	case "user":
		d.user(v)
	case "gemini":
		d.response(v)
	case "info", "warning", "error":
		d.told(v, kind)
	default:
		d.unknown("message " + kind)
	}
}

// parts returns the parts of a content, which is a text, a part, or a list of either.
func parts(content *fastjson.Value) []*fastjson.Value {
	if content == nil {
		return nil
	}
	switch content.Type() {
	case fastjson.TypeArray:
		return content.GetArray()
	case fastjson.TypeString, fastjson.TypeObject:
		return []*fastjson.Value{content}
	}
	return nil
}

// textOf returns the text of a part, nil if it has none.
func textOf(part *fastjson.Value) *fastjson.Value {
	if part.Type() == fastjson.TypeObject {
		part = part.Get("text")
	}
	if part == nil || part.Type() != fastjson.TypeString {
		return nil
	}
	return part
}

// What the agent itself writes as if the user had.
const (
	contextTag  = "<session_context>" // where it works: the first message of every session
	snapshotTag = "<state_snapshot>"  // what a compaction left of the history
	typedShell  = "I ran the following shell command:"
	goOn        = "Please continue."
)

// beginning is how much of a text is looked at to tell what it is. Before a snapshot the model may have thought aloud.
const beginning = 4 << 10

// sent is what a message to the model is.
type sent uint8

const (
	sentPrompt   sent = iota
	sentResults       // of calls, which their response's record tells too
	sentContext       // where the agent works
	sentSnapshot      // the summary that a compaction left
	sentShell         // a command that the user typed: the model is told of it, and not asked
	sentGoOn          // the agent has the model go on
)

// sent tells what a message to the model is, and returns its texts.
func (d *decoder) sent(content *fastjson.Value) (sent, []*fastjson.Value) {
	var said []*fastjson.Value
	for _, p := range parts(content) {
		if p.Exists("functionResponse") {
			return sentResults, nil
		}
		if t := textOf(p); t != nil {
			said = append(said, t)
		}
	}
	start := jsonl.Join(beginning, said...).Preview
	switch {
	case strings.HasPrefix(strings.TrimSpace(start), contextTag):
		return sentContext, said
	case strings.Contains(start, snapshotTag):
		return sentSnapshot, said
	case strings.HasPrefix(start, typedShell):
		return sentShell, said
	case strings.TrimPrefix(start, "System: ") == goOn:
		return sentGoOn, said
	}
	return sentPrompt, said
}

// user reads what was sent to the model.
func (d *decoder) user(v *fastjson.Value) {
	what, said := d.sent(v.Get("content"))
	switch what {
	case sentContext:
		return
	case sentSnapshot:
		d.compaction(v, said)
		return
	case sentPrompt, sentShell, sentGoOn:
		if shown := texts(v.Get("displayContent")); len(shown) > 0 {
			said = shown // as the user typed it, before files that it mentions were put in
		}
		e := d.add(collector.EventPrompt)
		e.Key, e.Tentative = jsonl.Str(v, "id"), what == sentShell
		if e.Text = jsonl.Join(d.limit, said...); e.Tentative {
			e.Text = jsonl.ClipString(typed(jsonl.Join(0, said...).Preview), d.limit)
		}
		if what == sentGoOn {
			e.Origin, e.Joins = collector.PromptAuto, true
		}
	}
	d.add(collector.EventRoundTripStart) // with a prompt or with results, the model is asked now
}

// compaction reads the summary that a compaction put in the place of the history. What it took to write it the log does
// not say.
func (d *decoder) compaction(v *fastjson.Value, texts []*fastjson.Value) {
	e := d.add(collector.EventMarker)
	e.Marker, e.MarkerStatus, e.Name = collector.MarkerCompaction, collector.MarkerOK, "state_snapshot"
	e.Key = "compaction/" + jsonl.Str(v, "id")
	e.Text = jsonl.Join(d.limit, texts...)
}

// told reads what the agent told its user in the terminal. Up to the next prompt an error of the API, or the user's Esc,
// is the turn's end.
func (d *decoder) told(v *fastjson.Value, kind string) {
	text := jsonl.Join(d.limit, texts(v.Get("content"))...)
	start := jsonl.Join(beginning, texts(v.Get("content"))...).Preview
	if text.Bytes == 0 {
		return // binary results, on their way to the model
	}
	cancelled := strings.HasPrefix(start, "Request cancelled")
	e := d.add(collector.EventMarker)
	e.Key, e.Text = "told/"+jsonl.Str(v, "id"), text
	e.Marker, e.MarkerStatus, e.Name = collector.MarkerNotice, collector.MarkerOK, kind
	switch {
	case cancelled:
		e.Marker = collector.MarkerAbort
	case kind == "error":
		e.Marker, e.MarkerStatus = collector.MarkerError, collector.MarkerFailed
	}
	switch {
	case cancelled:
		d.add(collector.EventTurnEnd).TurnStatus = collector.TurnInterrupted
	case kind == "error" && strings.HasPrefix(start, "[API Error"):
		end := d.add(collector.EventTurnEnd)
		end.TurnStatus = collector.TurnFailed
		end.Error = jsonl.ClipString(start, errorBytes).Preview
	}
}

func texts(content *fastjson.Value) []*fastjson.Value {
	var out []*fastjson.Value
	for _, p := range parts(content) {
		if t := textOf(p); t != nil {
			out = append(out, t)
		}
	}
	return out
}
