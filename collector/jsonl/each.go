package jsonl

import (
	"bytes"
	"fmt"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
)

var parsers fastjson.ParserPool

// maxPooledLine is the longest line whose parser is kept; a longer one would pin its copy of the line.
const maxPooledLine = 4 << 20

var bom = []byte("\xef\xbb\xbf")

// Each calls fn with every JSON object (or array) of the line data and returns short reasons for what could not be
// read; it leaves data as it is. A value is valid inside fn only.
//
// A good line holds one object. What crashes leave is taken as far as possible: a byte order mark, CR and NUL bytes
// around records are skipped, several records glued together are taken one by one, and after a record that was cut off
// reading goes on at the records that follow it on the line. Reasons hold no text of the line.
func Each(data []byte, fn func(v *fastjson.Value)) (bad []string) {
	data = trim(data)
	if len(data) == 0 {
		return nil
	}
	p := parsers.Get()
	if len(data) <= maxPooledLine {
		defer parsers.Put(p)
	}
	if isRecordStart(data[0]) {
		if v, err := p.ParseBytes(data); err == nil {
			fn(v)
			return nil
		}
	}
	return eachDamaged(p, data, fn)
}

// Object calls fn with the JSON object that data is, and reports whether it is one, whole and alone. The value is valid
// inside fn only.
func Object(data []byte, fn func(v *fastjson.Value)) bool {
	p := parsers.Get()
	if len(data) <= maxPooledLine {
		defer parsers.Put(p)
	}
	v, err := p.ParseBytes(data)
	if err != nil || v.Type() != fastjson.TypeObject {
		return false
	}
	fn(v)
	return true
}

// eachDamaged reads a line that is not one record.
func eachDamaged(p *fastjson.Parser, data []byte, fn func(v *fastjson.Value)) (bad []string) {
	for len(data) > 0 {
		if end := recordEnd(data); end > 0 {
			if v, err := p.ParseBytes(data[:end]); err == nil {
				fn(v)
				data = trim(data[end:])
				continue
			}
		}
		starts := resync(data)
		lost := len(data)
		if len(starts) > 0 {
			lost = starts[0]
		}
		bad = append(bad, fmt.Sprintf("cut or broken record, %d bytes", lost))
		for i, start := range starts {
			end := len(data)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			v, err := p.ParseBytes(trim(data[start:end]))
			if err != nil {
				bad = append(bad, fmt.Sprintf("broken record, %d bytes", end-start))
				continue
			}
			fn(v)
		}
		return bad
	}
	return bad
}

func isRecordStart(c byte) bool { return c == '{' || c == '[' }

// trim drops what may stand around a record: white space, NUL bytes (blocks that a crash left unwritten), a byte order mark.
func trim(b []byte) []byte {
	for {
		for len(b) > 0 && isPadding(b[0]) {
			b = b[1:]
		}
		if !bytes.HasPrefix(b, bom) {
			break
		}
		b = b[len(bom):]
	}
	for len(b) > 0 && isPadding(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isPadding(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0 }

// Malformed adds an event for each reason why something could not be read, cut to limit.
func Malformed(dst []collector.Event, reasons []string, limit int) []collector.Event {
	for _, why := range reasons {
		dst = append(dst, collector.Event{Kind: collector.EventMalformed, Text: ClipString(why, limit)})
	}
	return dst
}
