package sourcetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// starts are how a record must begin to be found behind a cut one; jsonl.Each says why.
var starts = []string{`{"type":`, `{"parentUuid":`, `{"timestamp":`, `{"step_index":`, `{"schema_version":`}

// checkCutRecord: a record that was cut off costs itself, not the one glued to its stump.
func checkCutRecord(s *subject) error {
	for _, st := range s.jsonLogs() {
		for i, r := range st.records {
			stump := st.records[max(i-1, 0)].data
			stump = stump[:len(stump)/2]
			if !slices.ContainsFunc(starts, func(p string) bool { return bytes.HasPrefix(r.data, []byte(p)) }) {
				continue
			}
			got, err := decode(s.src, st.Stream, r.Ref, slices.Concat(stump, r.data), goldenTextLimit)
			if err != nil {
				return err
			}
			if malformed(got) == malformed(r.events) {
				return fmt.Errorf("%s line %d: the stump before it is not reported", st.ID, r.Line)
			}
			isMalformed := func(ev collector.Event) bool { return ev.Kind == collector.EventMalformed }
			got = slices.DeleteFunc(got, isMalformed)
			want := slices.DeleteFunc(slices.Clone(r.events), isMalformed)
			if len(want) == 0 && len(got) == 0 {
				continue // a record that is known and says nothing
			}
			if d := diff(want, got); d != "" {
				return fmt.Errorf("%s line %d behind a stump (-want +got):\n%s", st.ID, r.Line, d)
			}
		}
	}
	return nil
}

// garbage is what may stand on a line. All of it must be reported; none may end the stream.
var garbage = []string{
	"garbage", "\x01\x02\xff\xfe", "{", "}", "[1,2", `{"type":`, `"text"`, "123", `{"a":1`, `}{`,
	`{"type":"zz.never.seen","timestamp":"2026-11-30T10:00:00Z","payload":{"type":"zz"},"data":{"zz":1}}`,
}

func checkGarbage(s *subject) error {
	for _, st := range s.jsonLogs() {
		ref := st.records[0].Ref
		for _, g := range garbage {
			got, err := decode(s.src, st.Stream, ref, []byte(g), goldenTextLimit)
			if err != nil {
				return fmt.Errorf("%q: %w", g, err)
			}
			if !slices.ContainsFunc(got, func(ev collector.Event) bool { return ev.Kind <= collector.EventMalformed }) {
				return fmt.Errorf("%s: %q is neither unknown nor malformed but %d other events", st.ID, g, len(got))
			}
		}
	}
	for _, st := range s.streams {
		if st.Kind == collector.StreamDirectory {
			continue
		}
		for _, g := range append(garbage, "", "\r", "null", "{}", "[]", `{"type":null}`, `{"type":5}`, `{"type":{}}`) {
			if _, err := decode(s.src, st.Stream, collector.Ref{Length: int64(len(g)), Line: 1}, []byte(g), goldenTextLimit); err != nil {
				return fmt.Errorf("%q: %w", g, err)
			}
		}
		// A line that was too long to read has a place and no data.
		if _, err := decode(s.src, st.Stream, collector.Ref{Length: 100 << 20, Line: 1}, nil, goldenTextLimit); err != nil {
			return fmt.Errorf("a line without data: %w", err)
		}
	}
	return nil
}

// wrong are values of every type.
var wrong = []any{nil, true, -7.5, 1e300, "zz", "", []any{}, []any{"zz"}, map[string]any{}, map[string]any{"type": "zz"}}

// maxWrong bounds the work: records of one shape are alike.
const maxWrong = 20_000

// checkWrongTypes: whatever type a field turns out to have, and whatever field is missing, nothing breaks.
func checkWrongTypes(s *subject) error {
	tried := map[string]bool{}
	for _, st := range s.streams {
		for _, r := range st.records {
			var v any
			if len(r.data) > 64<<10 || json.Unmarshal(r.data, &v) != nil {
				continue
			}
			err := replaceEach(v, shape(v), 4, func(where string) error {
				if tried[where] || len(tried) > maxWrong {
					return nil
				}
				tried[where] = true
				data, err := json.Marshal(v)
				if err != nil {
					return err
				}
				if _, err := decode(s.src, st.Stream, r.Ref, data, goldenTextLimit); err != nil {
					return fmt.Errorf("with a wrong value at %s: %w", where, err)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// shape tells records of different kinds apart.
func shape(v any) string {
	m, _ := v.(map[string]any)
	s := fmt.Sprint(m["type"])
	for _, k := range []string{"payload", "data", "message"} {
		if inner, ok := m[k].(map[string]any); ok {
			s += fmt.Sprint(" ", inner["type"], inner["role"])
		}
	}
	return s
}

// replaceEach puts every wrong value at every place of v down to depth, calls fn, and puts back what was there.
func replaceEach(v any, where string, depth int, fn func(where string) error) error {
	if depth == 0 {
		return nil
	}
	visit := func(key string, get any, set func(any)) error {
		defer set(get)
		for i, w := range wrong {
			set(w)
			if err := fn(fmt.Sprintf("%s.%s=%d", where, key, i)); err != nil {
				return err
			}
		}
		set(get)
		return replaceEach(get, where+"."+key, depth-1, fn)
	}
	switch x := v.(type) {
	case map[string]any:
		for k, old := range x {
			if err := visit(k, old, func(n any) { x[k] = n }); err != nil {
				return err
			}
		}
	case []any:
		for i, old := range x[:min(len(x), 3)] {
			if err := visit("#", old, func(n any) { x[i] = n }); err != nil {
				return err
			}
		}
	}
	return nil
}
