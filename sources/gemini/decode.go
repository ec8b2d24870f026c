package gemini

import (
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder decodes one record.
type decoder struct {
	dst    []collector.Event
	stream *collector.Stream
	limit  int   // bytes of a text that are kept; 0 = all
	at     int64 // when the message was recorded, unix ms; 0 = it does not say
}

// add appends an event; the pointer is good until the next one.
func (d *decoder) add(kind collector.EventKind) *collector.Event {
	d.dst = append(d.dst, collector.Event{Kind: kind, Time: d.at})
	return &d.dst[len(d.dst)-1]
}

func (d *decoder) unknown(name string) { d.add(collector.EventUnknown).Name = name }

// record reads one line of a log, or the document of an older version, which is a head with all messages.
func (d *decoder) record(v *fastjson.Value) {
	d.at = 0
	switch {
	case v.Exists("$set"):
		d.set(v.Get("$set"))
	case v.Exists("$rewindTo"):
		d.rewind(v)
	case v.Exists("id") && v.Exists("type"):
		d.message(v)
	case v.Exists("sessionId") && v.Exists("projectHash"):
		d.head(v)
	default:
		d.unknown("line without a type")
	}
}

// head reads the first line, which is written again at each resume, or all of a document. A session without a prompt is
// none: the CLI begins a log whenever it starts, and deletes it at its next start if nothing was asked.
func (d *decoder) head(v *fastjson.Value) {
	parent, messages := parentOf(d.stream.Session), v.GetArray("messages")
	if parent != "" || len(messages) > 0 {
		d.add(collector.EventFacts).Facts = &collector.Facts{StartedAt: jsonl.Time(v, "startTime"), Parent: parent}
	}
	d.title(v)
	for _, m := range messages {
		d.message(m)
	}
}

// parentOf returns the root that a sub-agent's session belongs to.
func parentOf(id collector.SessionID) collector.SessionID {
	if root := id.Root(); root != id {
		return root
	}
	return ""
}

// title reads what the agent calls the session; a sub-agent writes its answer there.
func (d *decoder) title(v *fastjson.Value) {
	if title := jsonl.Str(v, "summary"); title != "" && parentOf(d.stream.Session) == "" {
		d.add(collector.EventFacts).Facts = &collector.Facts{Title: title, TitleRank: collector.TitleAuto}
	}
}

// settable are the fields of a session that are set while it goes on and say nothing here.
var settable = []string{
	"lastUpdated", "sessionId", "directories", "memoryScratchpad", "kind", "startTime", "projectHash", "activeExtensionName",
}

// set reads a change of the session's fields.
func (d *decoder) set(v *fastjson.Value) {
	o := v.GetObject()
	if o == nil {
		d.unknown("$set")
		return
	}
	d.title(v)
	o.Visit(func(key []byte, of *fastjson.Value) {
		switch name := string(key); {
		case name == "messages":
			d.at = jsonl.Time(v, "lastUpdated")
			d.list(of.GetArray())
			d.at = 0
		case name != "summary" && !slices.Contains(settable, name):
			d.unknown("$set." + name)
		}
	})
}

// list reads a history that replaces the one so far. Its messages were recorded before, and better: after a resume they
// lack what was thought, what was consumed and how calls ended, and bear the time of the resume; those that a compaction
// kept bear new ids. One that was not recorded (from a checkpoint of another session) did not happen here. What the list
// tells is where the history goes on: prompts behind its last one were taken back.
func (d *decoder) list(messages []*fastjson.Value) {
	at, last := d.at, ""
	for _, m := range messages {
		if jsonl.Str(m, "type") != "user" {
			continue
		}
		switch what, said := d.sent(m.Get("content")); what {
		case sentSnapshot:
			d.at = at
			d.compaction(m, said)
		case sentPrompt:
			last = jsonl.Str(m, "id")
		}
	}
	d.at = at
	if last != "" {
		e := d.add(collector.EventRewind)
		e.Key, e.After = last, true
	}
}

// rewind reads that the user went back to before a message. If that is no prompt, the list that follows tells where to.
func (d *decoder) rewind(v *fastjson.Value) {
	d.add(collector.EventRewind).Key = jsonl.Str(v, "$rewindTo")
}
