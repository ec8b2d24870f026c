package opencode

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// message is a message of a page, or, without an id, only its session.
type message struct {
	row     int64
	id      string
	data    []byte
	parts   []part
	session session
	updated int64 // unix ms: newest change of it or a part
}

type part struct {
	id   string
	data []byte
}

type session struct {
	ID        string `json:"id"`
	Parent    string `json:"parent,omitempty"`
	Root      string `json:"root,omitempty"` // the session at the root of the tree, if it is another one
	Title     string `json:"title,omitempty"`
	Directory string `json:"directory,omitempty"`
	Version   string `json:"version,omitempty"`
	Created   int64  `json:"created,omitempty"` // unix ms
}

// messages reads the messages of a page with their parts.
func (r *reader) messages(query string, args ...any) ([]*message, error) {
	var all []*message
	err := r.rows(query, args, func(v *fastjson.Value) error {
		data := []byte(jsonl.Str(v, "data"))
		updated, _ := jsonl.Int(v, "updated")
		if nth, _ := jsonl.Int(v, "nth"); nth == 0 {
			m := &message{id: jsonl.Str(v, "id"), data: data, updated: updated}
			m.row, _ = jsonl.Int(v, "row")
			created, _ := jsonl.Int(v, "created")
			m.session = session{
				ID: jsonl.Str(v, "session"), Parent: jsonl.Str(v, "parent"), Root: jsonl.Str(v, "root"), Title: jsonl.Str(v, "title"),
				Directory: jsonl.Str(v, "directory"), Version: jsonl.Str(v, "version"), Created: created,
			}
			all = append(all, m)
			return nil
		}
		if len(all) > 0 {
			m := all[len(all)-1]
			m.parts = append(m.parts, part{jsonl.Str(v, "id"), data})
			m.updated = max(m.updated, updated)
		}
		return nil
	})
	return all, err
}

// record writes the message as one JSON object:
//
//	{"type":"message","id":"msg_…","message":{…},"parts":[{"id":"prt_…","part":{…}}],"session":{…}}
//	{"type":"session","session":{…}}
func (m *message) record() []byte {
	s, err := json.Marshal(m.session)
	if err != nil {
		s = []byte("{}") // strings and numbers always encode
	}
	if m.id == "" {
		return append(append([]byte(`{"type":"session","session":`), s...), '}')
	}
	b := appendObject([]byte(`{"type":"message","id":`), m.id, "message", m.data)
	b = append(b, `,"parts":[`...)
	for i, p := range m.parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendObject(append(b, `{"id":`...), p.id, "part", p.data), '}')
	}
	return append(append(append(b, `],"session":`...), s...), '}')
}

// appendObject appends an id, and what is stored under it. What is no JSON becomes a string, which Decode reports.
func appendObject(dst []byte, id, name string, data []byte) []byte {
	quoted, _ := json.Marshal(id) // strings always encode
	dst = append(dst, quoted...)
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	if !json.Valid(data) || bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) > maxDepth && !parses(data) {
		return strconv.AppendQuoteToASCII(dst, "not readable")
	}
	return append(dst, data...)
}

// maxDepth is fewer levels than the parser takes.
const maxDepth = 200

// parses reports whether the parser takes data three levels down in a record: it would refuse the record as a whole.
func parses(data []byte) bool {
	_, err := fastjson.ParseBytes(slices.Concat([]byte("[[["), data, []byte("]]]")))
	return err == nil
}
