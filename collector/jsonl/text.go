package jsonl

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/valyala/fastjson"
)

// maxPooledBuffer bounds what a buffer may grow to and still be kept.
const maxPooledBuffer = 1 << 20

var newline = []byte{'\n'}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// withRaw calls fn with v's JSON. A string in it is still escaped as it stands in the log. fastjson keeps
// that to itself once asked for a value's type, hence the copy.
func withRaw(v *fastjson.Value, fn func(raw []byte)) {
	p := buffers.Get().(*[]byte)
	b := v.MarshalTo((*p)[:0])
	fn(b)
	if cap(b) <= maxPooledBuffer {
		*p = b[:0]
		buffers.Put(p)
	}
}

// Clip returns the text of a JSON string, or any other value's JSON, cut to limit bytes at a character (0 = all). Bytes
// is the length of the whole text, unescaped, whatever the limit. A missing value and null are an empty text.
func Clip(v *fastjson.Value, limit int) collector.Text { return Join(limit, v) }

// ClipString is Clip for a string.
func ClipString(s string, limit int) collector.Text {
	cut := s
	if limit > 0 && len(s) > limit {
		cut = s[:runeStart([]byte(s[:limit+1]), limit)]
	}
	return collector.Text{Preview: valid(cut, limit), Bytes: int64(len(s))}
}

// Join is Clip for a text in several parts, joined by newlines. Empty parts are left out.
func Join(limit int, parts ...*fastjson.Value) collector.Text {
	var t collector.Text
	p := buffers.Get().(*[]byte)
	out := (*p)[:0]
	for _, v := range parts {
		if v == nil {
			continue
		}
		withRaw(v, func(raw []byte) {
			s, escaped, n := content(raw)
			if n == 0 {
				return
			}
			// Nothing may follow a part that was cut, even if there is room for a byte or two.
			whole := int64(len(out)) == t.Bytes
			if t.Bytes > 0 {
				t.Bytes++
				if whole {
					out = appendText(out, newline, false, limit)
				}
			}
			if whole {
				out = appendText(out, s, escaped, limit)
			}
			t.Bytes += int64(n)
		})
	}
	t.Preview = valid(string(out), limit)
	if cap(out) <= maxPooledBuffer {
		*p = out[:0]
		buffers.Put(p)
	}
	return t
}

// content returns the text in raw JSON, still escaped if it has to be unescaped, and its length unescaped; none for null.
func content(raw []byte) (s []byte, escaped bool, n int) {
	if raw[0] == '"' {
		s = raw[1 : len(raw)-1]
		if bytes.IndexByte(s, '\\') < 0 {
			return s, false, len(s)
		}
		return s, true, unescapedLen(s)
	}
	if string(raw) == "null" {
		return nil, false, 0
	}
	return raw, false, len(raw)
}

// appendText appends text to dst until dst is limit bytes long (0 = no limit), cut at a character.
func appendText(dst, s []byte, escaped bool, limit int) []byte {
	if escaped {
		return appendUnescaped(dst, s, limit)
	}
	if limit > 0 && len(s) > limit-len(dst) {
		s = s[:runeStart(s, max(limit-len(dst), 0))]
	}
	return append(dst, s...)
}

// runeStart returns the last place up to at where a character begins in s, at being within s.
func runeStart(s []byte, at int) int {
	for i := 0; i < utf8.UTFMax && at-i >= 0; i++ {
		if utf8.RuneStart(s[at-i]) {
			return at - i
		}
	}
	return at // no UTF-8
}

// valid replaces bytes that are no UTF-8, so that the text is the same wherever it is stored and shown.
func valid(s string, limit int) string {
	if utf8.ValidString(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if limit > 0 && len(s) > limit {
		s = s[:runeStart([]byte(s), limit)]
	}
	return s
}
