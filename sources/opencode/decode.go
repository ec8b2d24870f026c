package opencode

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder decodes one record.
type decoder struct {
	dst     []collector.Event
	limit   int
	session collector.SessionID
	root    collector.SessionID
	turn    string // the prompt's message
	message string
	at      int64 // when the message was made, unix ms
}

func decodeRecord(dst []collector.Event, r collector.Record) []collector.Event {
	d := decoder{dst: dst, limit: r.TextLimit}
	for _, why := range jsonl.Each(r.Data, d.record) {
		d.malformed(why)
	}
	return d.dst
}

// add appends an event of the message and returns it to be filled in.
func (d *decoder) add(kind collector.EventKind) *collector.Event {
	d.dst = append(d.dst, collector.Event{Kind: kind, Session: d.session, Time: d.at, Turn: d.turn})
	return &d.dst[len(d.dst)-1]
}

func (d *decoder) unknown(name string) {
	d.dst = append(d.dst, collector.Event{Kind: collector.EventUnknown, Session: d.session, Time: d.at, Name: name})
}

func (d *decoder) malformed(why string) {
	d.dst = append(d.dst, collector.Event{Kind: collector.EventMalformed, Session: d.session, Text: jsonl.ClipString(why, d.limit)})
}

func (d *decoder) record(v *fastjson.Value) {
	d.session, d.root, d.turn, d.message, d.at = "", "", "", "", 0
	typ := jsonl.Str(v, "type")
	if typ != "message" && typ != "session" {
		d.unknown(typ)
		return
	}
	m := v.Get("message")
	role := jsonl.Str(m, "role")
	if !d.facts(v.Get("session"), jsonl.Str(m, "agent")) || typ == "session" {
		return
	}
	if m == nil || m.Type() != fastjson.TypeObject {
		d.malformed("a message that is no JSON object")
		return
	}
	d.message = jsonl.Str(v, "id")
	d.at = jsonl.Time(m, "time", "created")
	switch role {
	case "user":
		d.user(v.GetArray("parts"))
	case "assistant":
		d.assistant(m, v.GetArray("parts"))
	default:
		d.unknown("message of " + role)
	}
}

// facts states what the session's row says; it reports whether that names a session.
func (d *decoder) facts(s *fastjson.Value, role string) bool {
	own, parent, root := jsonl.Str(s, "id"), jsonl.Str(s, "parent"), jsonl.Str(s, "root")
	if own == "" {
		d.malformed("a record without a session")
		return false
	}
	f := &collector.Facts{
		Cwd: jsonl.Str(s, "directory"), Version: jsonl.Str(s, "version"), StartedAt: jsonl.Time(s, "created"),
	}
	if title := jsonl.Str(s, "title"); !standIn(title) {
		f.Title, f.TitleRank = title, collector.TitleAuto
	}
	d.session = collector.NewSessionID(agent, own)
	d.root = d.session
	if parent != "" {
		if root == "" {
			root = parent
		}
		d.root = collector.NewSessionID(agent, root)
		d.session = d.root.Child(own)
		f.Parent, f.Role = d.relative(parent), role
	}
	d.dst = append(d.dst, collector.Event{Kind: collector.EventFacts, Session: d.session, Facts: f})
	return true
}

// relative returns the id of another session of the tree.
func (d *decoder) relative(own string) collector.SessionID {
	if id := collector.NewSessionID(agent, own); id == d.root {
		return id
	}
	return d.root.Child(own)
}

// standIn reports whether a title only fills the place until a model has made one.
func standIn(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}
