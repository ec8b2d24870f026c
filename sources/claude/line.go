package claude

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
)

// line is one record of a transcript, its fields picked out in one pass.
type line struct {
	value *fastjson.Value

	typ, subtype, uuid, timestamp, sessionID, agentID *fastjson.Value
	parent, sidechain, meta, summary, synthetic       *fastjson.Value
	message, attachment, operation, content           *fastjson.Value
	cwd, branch, version, role                        *fastjson.Value
	origin, turnOrigin, promptSource                  *fastjson.Value
	toolResult, permission, denial                    *fastjson.Value
	sourceCall, requestSession, forkedFrom, aborted   *fastjson.Value
	thinkingMs                                        *fastjson.Value
}

// pick fills l from a record.
func (l *line) pick(v *fastjson.Value) {
	*l = line{value: v}
	v.GetObject().Visit(func(key []byte, v *fastjson.Value) {
		if dst := l.field(string(key)); dst != nil && *dst == nil {
			*dst = v
		}
	})
}

// field returns where the value of a key goes, nil for keys that only single record types have.
func (l *line) field(key string) **fastjson.Value {
	switch key {
	case "type":
		return &l.typ
	case "subtype":
		return &l.subtype
	case "uuid":
		return &l.uuid
	case "timestamp":
		return &l.timestamp
	case "sessionId":
		return &l.sessionID
	case "agentId":
		return &l.agentID
	case "parentUuid":
		return &l.parent
	case "isSidechain":
		return &l.sidechain
	case "isMeta":
		return &l.meta
	case "isCompactSummary":
		return &l.summary
	case "isApiErrorMessage":
		return &l.synthetic
	case "message":
		return &l.message
	case "attachment":
		return &l.attachment
	case "operation":
		return &l.operation
	case "content":
		return &l.content
	}
	return l.detail(key)
}

// detail is the part of field for what only some lines have.
func (l *line) detail(key string) **fastjson.Value {
	switch key {
	case "cwd":
		return &l.cwd
	case "gitBranch":
		return &l.branch
	case "version":
		return &l.version
	case "attributionAgent":
		return &l.role
	case "origin":
		return &l.origin
	case "turnOrigin":
		return &l.turnOrigin
	case "promptSource":
		return &l.promptSource
	case "toolUseResult":
		return &l.toolResult
	case "permissionDecision":
		return &l.permission
	case "toolDenialKind":
		return &l.denial
	case "sourceToolUseID":
		return &l.sourceCall
	case "requestSessionId":
		return &l.requestSession
	case "forkedFrom":
		return &l.forkedFrom
	case "isAbortedMidStream":
		return &l.aborted
	case "thinkingDurationMs":
		return &l.thinkingMs
	}
	return nil
}

// decoder turns the lines of one record into events.
type decoder struct {
	dst    []collector.Event
	stream collector.Stream
	limit  int
	line

	session collector.SessionID // whose line it is
	key     string              // the line's uuid
	at      int64               // unix ms
	copied  bool                // the line says that it was copied from another session
}

// add appends an event of the line. The pointer is good until the next one.
func (d *decoder) add(kind collector.EventKind) *collector.Event {
	d.dst = append(d.dst, collector.Event{Kind: kind, Time: d.at, Key: d.key, Inherited: d.copied})
	ev := &d.dst[len(d.dst)-1]
	if d.session != d.stream.Session {
		ev.Session = d.session
	}
	return ev
}

func (d *decoder) facts(f collector.Facts) {
	d.add(collector.EventFacts).Facts = &f
}

// factsOf states facts about another session.
func (d *decoder) factsOf(id collector.SessionID, f collector.Facts) {
	ev := d.add(collector.EventFacts)
	ev.Session = id
	ev.Facts = &f
}

func (d *decoder) unknown(name string) {
	d.add(collector.EventUnknown).Name = name
}

// place finds out whose line it is, from the stream or, in sub-agents' transcripts of the old layout and where sub-agents
// write into the main one, from the line. It reports whether there is an answer.
func (d *decoder) place() bool {
	own := text(d.agentID)
	switch {
	case d.stream.Session == "":
		sid := text(d.sessionID)
		if sid == "" {
			return false
		}
		if own == "" {
			own = strings.TrimPrefix(string(d.stream.ID), "claude/log/agent-")
		}
		d.session = collector.NewSessionID(agent, sid).Child(own)
	case own != "" && d.stream.Session == d.stream.Session.Root():
		d.session = d.stream.Session.Child(own)
	default:
		d.session = d.stream.Session
	}
	return true
}

// isChild reports whether the line is a sub-agent's.
func (d *decoder) isChild() bool { return strings.IndexByte(string(d.session), '~') >= 0 }

// rootOwn is the own id of the root session that the line belongs to, which its sessionId names.
func (d *decoder) rootOwn() string { return d.session.Root().Own() }

// text returns a copy of a short string value, such as an id.
func text(v *fastjson.Value) string {
	return strings.ToValidUTF8(string(word(v)), "\uFFFD")
}

// word returns a short string in place; it is valid as long as the value.
func word(v *fastjson.Value) []byte {
	if v == nil {
		return nil
	}
	return v.GetStringBytes()
}

func truth(v *fastjson.Value) bool { return v != nil && v.GetBool() }
