package muse

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// position is how far a log was read.
type position struct {
	offset int64
	number int64 // sequence of the last record of the log's own stream
}

// lost is what stands for records that are missing: Read puts it before the line behind the gap.
const lost = `{"turnwatch_lost":%d}`

// maxLost bounds how many lost records are counted at one gap.
const maxLost = 1000

// readLog yields the lines of a log. Records of the session's own stream are numbered without gaps, so that a gap shows
// lost lines. Nothing is known about the numbers before the place where reading goes on after a restart.
func (s *Source) readLog(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		own := []byte(`"id":"` + st.Session.Own() + `"`)
		s.mu.Lock()
		at := s.last[st.ID]
		s.mu.Unlock()
		if at.offset != cp.Offset {
			at = position{}
		}
		defer func() {
			s.mu.Lock()
			s.last[st.ID] = at
			s.mu.Unlock()
		}()
		for r, err := range follow.Lines(ctx, st, cp) {
			if err != nil {
				yield(r, err)
				return
			}
			first, last := numbers(r.Data, own)
			if missing := first - at.number - 1; first > 0 && at.number > 0 && missing > 0 {
				r.Data = append(fmt.Appendf(nil, lost, min(missing, maxLost)), r.Data...)
			}
			at = position{offset: cp.Offset, number: max(at.number, last)}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// headBytes is how far into a line its stream and number stand.
const headBytes = 400

// numbers returns the sequence of the first and the last record that a line holds of the log's own stream, 0 if there is
// none. It looks at the beginning of a line only: lines with a system prompt are long, and most of them say nothing.
func numbers(line, own []byte) (first, last int64) {
	if bytes.HasPrefix(line, []byte(`{"retained_frame"`)) {
		jsonl.Object(line, func(v *fastjson.Value) {
			for _, child := range v.GetArray("children") {
				f, l := numbers(child.GetStringBytes("record_json"), own)
				if first == 0 {
					first = f
				}
				last = max(last, l)
			}
		})
		return first, last
	}
	head := line[:min(len(line), headBytes)]
	if !bytes.Contains(bytes.ReplaceAll(head, []byte(`": `), []byte(`":`)), own) {
		return 0, 0
	}
	_, rest, found := bytes.Cut(head, []byte(`"sequence":`))
	rest = bytes.TrimLeft(rest, " ")
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if !found || end <= 0 {
		return 0, 0
	}
	n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if err != nil {
		return 0, 0
	}
	return n, n
}
