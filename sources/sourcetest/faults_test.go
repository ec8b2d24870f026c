package sourcetest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

type (
	decodeFunc = func([]collector.Event, collector.Stream, collector.Record) ([]collector.Event, error)
	readFunc   = func(context.Context, collector.Stream, *collector.Checkpoint) iter.Seq2[collector.Record, error]
)

// faults are what sources got wrong, or might.
var faults = []struct {
	check, fault string
	breakIt      func(*toy)
}{
	{"discovery", "no attributes", discovering(func(s *toy, yield func(collector.Stream, error) bool) {
		s.logs(func(st collector.Stream, err error) bool { st.Size = 0; return yield(st, err) })
	})},
	{"discovery", "twice", discovering(func(s *toy, yield func(collector.Stream, error) bool) { s.logs(yield); s.logs(yield) })},
	{"read only", "leaves a file", discovering(func(s *toy, yield func(collector.Stream, error) bool) {
		if err := os.WriteFile(filepath.Join(s.home, "toy", "index"), nil, 0o600); err == nil {
			s.logs(yield)
		}
	})},
	{"cancellation", "ignores the context", reading(func(_ context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
		return follow.Lines(context.Background(), st, cp)
	})},
	{"purity", "counts", func(s *toy) {
		n := int64(0)
		s.decode = func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
			n++
			return append(decodeToy(dst, r), collector.Event{Kind: collector.EventFacts, Time: n}), nil
		}
	}},
	{"purity", "keeps the reader's buffer", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		return append(dst, collector.Event{Kind: collector.EventUnknown, Name: unsafe.String(&r.Data[0], len(r.Data))}), nil
	})},
	{"purity", "drops what was in dst", decoding(func(_ []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		return decodeToy(nil, r), nil
	})},
	{"stream order", "both streams tell the same session's turns", func(s *toy) {
		s.discover = func(yield func(collector.Stream, error) bool) {
			s.logs(func(st collector.Stream, err error) bool {
				again := st
				again.ID += "-again"
				return yield(st, err) && (st.Kind == collector.StreamDirectory || yield(again, err))
			})
		}
		s.decode = func(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
			for _, ev := range decodeToy(nil, r) {
				if ev.Kind == collector.EventPrompt {
					ev.Text.Preview, ev.Key = string(st.ID), ""
				}
				dst = append(dst, ev)
			}
			return dst, nil
		}
	}},
	{"text limit", "ignored", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		r.TextLimit = 0
		return decodeToy(dst, r), nil
	})},
	{"padding", "plain JSON only", decoding(plainJSON)},
	{"two records on a line", "plain JSON only", decoding(plainJSON)},
	{"cut record", "plain JSON only", decoding(plainJSON)},
	{"line separator", "ends a line", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		for part := range bytes.SplitSeq(r.Data, []byte("\u2028")) {
			dst = decodeToy(dst, collector.Record{Ref: r.Ref, Data: part, TextLimit: r.TextLimit})
		}
		return dst, nil
	})},
	{"garbage", "is an error", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		if len(r.Data) > 0 && !json.Valid(r.Data) {
			return dst, errors.New("no JSON")
		}
		return decodeToy(dst, r), nil
	})},
	{"garbage", "is dropped", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		for _, ev := range decodeToy(nil, r) {
			if ev.Kind > collector.EventMalformed {
				dst = append(dst, ev)
			}
		}
		return dst, nil
	})},
	{"wrong types", "panic", decoding(func(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
		var m map[string]any
		if json.Unmarshal(r.Data, &m) == nil {
			_ = m["type"].(string)
		}
		return decodeToy(dst, r), nil
	})},
	{"long line", "bufio.Scanner", reading(sloppy(false))},
	{"read in two parts", "takes half a line", reading(sloppy(true))},
	{"truncated", "no fingerprint", reading(noFingerprint)},
	{"replaced", "no fingerprint", reading(noFingerprint)},
	{"rewritten in place", "no fingerprint", reading(noFingerprint)},
	{"NUL tail", "takes half a line", reading(sloppy(true))},
}

func discovering(fn func(*toy, func(collector.Stream, error) bool)) func(*toy) {
	return func(s *toy) { s.discover = func(yield func(collector.Stream, error) bool) { fn(s, yield) } }
}

func reading(fn readFunc) func(*toy) { return func(s *toy) { s.read = fn } }

func decoding(fn decodeFunc) func(*toy) { return func(s *toy) { s.decode = fn } }

func plainJSON(dst []collector.Event, _ collector.Stream, r collector.Record) ([]collector.Event, error) {
	if !json.Valid(r.Data) {
		return append(dst, collector.Event{Kind: collector.EventMalformed}), nil
	}
	return decodeToy(dst, r), nil
}

// sloppy reads with a bufio.Scanner and its limit; half takes the unfinished last line too.
func sloppy(half bool) readFunc {
	return func(_ context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
		return func(yield func(collector.Record, error) bool) {
			f, err := os.Open(st.Path)
			if err != nil {
				yield(collector.Record{}, err)
				return
			}
			defer f.Close()
			if _, err := f.Seek(cp.Offset, io.SeekStart); err != nil {
				yield(collector.Record{}, err)
				return
			}
			sc := bufio.NewScanner(f)
			for sc.Scan() {
				n := int64(len(sc.Bytes()))
				if !half && cp.Offset+n == st.Size {
					break
				}
				cp.Line++
				r := collector.Record{Ref: collector.Ref{Offset: cp.Offset, Length: n, Line: cp.Line}, Data: sc.Bytes()}
				cp.Offset += n + 1
				if !yield(r, nil) {
					return
				}
			}
			if err := sc.Err(); err != nil {
				yield(collector.Record{}, err)
			}
		}
	}
}

func noFingerprint(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	cp.HeadLen, cp.TailLen = 0, 0
	cp.Offset = min(cp.Offset, st.Size)
	return follow.Lines(ctx, st, cp)
}
