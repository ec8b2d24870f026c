package antigravity

import (
	"encoding/hex"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a protobuf message of which no schema is published: its fields go by number.
type message []byte

// fromHex takes what SQLite's hex() wrote; what is no hex is an empty message.
func fromHex(s string) message {
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}

// find calls fn with the last field of that number and kind; of a damaged message, what stands before the damage counts.
func (m message) find(number protowire.Number, kind protowire.Type) (value []byte, found bool) {
	for b := []byte(m); len(b) > 0; {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			break
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			break
		}
		if num == number && typ == kind {
			value, found = b[n:n+size], true
		}
		b = b[n+size:]
	}
	return value, found
}

// at returns the message at a path of field numbers.
func (m message) at(path ...protowire.Number) message {
	for _, number := range path {
		raw, found := m.find(number, protowire.BytesType)
		if !found {
			return nil
		}
		m, _ = protowire.ConsumeBytes(raw)
	}
	return m
}

// number returns the varint of that number.
func (m message) number(field protowire.Number) (int64, bool) {
	raw, found := m.find(field, protowire.VarintType)
	if !found {
		return 0, false
	}
	n, size := protowire.ConsumeVarint(raw)
	if size < 0 || int64(n) < 0 {
		return 0, false
	}
	return int64(n), true
}

// text returns the string at a path of field numbers, "" if there is none or it is no text.
func (m message) text(path ...protowire.Number) string {
	if b := m.at(path...); utf8.Valid(b) {
		return string(b)
	}
	return ""
}
