package sourcetest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/turnwatch/turnwatch/collector"
)

var sentinel = collector.Event{Name: "sentinel"}

// checkPurity: another source, asked in reverse order, says the same of every record, and appends it.
func checkPurity(s *subject) error {
	other := s.newSource(s.home)
	for _, st := range slices.Backward(s.streams) {
		for _, r := range slices.Backward(st.records) {
			data := slices.Clone(r.data)
			got, err := other.Decode([]collector.Event{sentinel}, st.Stream, collector.Record{Ref: r.Ref, Data: data, TextLimit: goldenTextLimit})
			if err != nil {
				return fmt.Errorf("%s line %d: decode again: %w", st.ID, r.Line, err)
			}
			if d := diff(append([]collector.Event{sentinel}, r.events...), got); d != "" {
				return fmt.Errorf("%s line %d: decoding again in another order differs (-first +again):\n%s", st.ID, r.Line, d)
			}
		}
	}
	return nil
}

// checkTextLimit: with another limit only previews differ, and the shorter one is a prefix.
func checkTextLimit(s *subject) error {
	for _, st := range s.streams {
		for _, r := range st.records {
			whole, err := decode(s.src, st.Stream, r.Ref, r.data, 0)
			if err != nil {
				return err
			}
			if len(whole) != len(r.events) {
				return fmt.Errorf("%s line %d: %d events without a limit, %d with one", st.ID, r.Line, len(whole), len(r.events))
			}
			for i, w := range whole {
				cut := r.events[i]
				for _, t := range [][2]*collector.Text{{&cut.Text, &w.Text}, {&cut.Args, &w.Args}} {
					if !strings.HasPrefix(t[1].Preview, t[0].Preview) || t[0].Bytes != t[1].Bytes || len(t[0].Preview) > goldenTextLimit || t[1].Clipped() {
						return fmt.Errorf("%s line %d: text cut at %d bytes is %q of %d, the whole is %d of %d",
							st.ID, r.Line, goldenTextLimit, t[0].Preview, t[0].Bytes, len(t[1].Preview), t[1].Bytes)
					}
					*t[0], *t[1] = collector.Text{}, collector.Text{}
				}
				if d := cmp.Diff(cut, w); d != "" {
					return fmt.Errorf("%s line %d: more than texts depends on the limit (-cut +whole):\n%s", st.ID, r.Line, d)
				}
			}
		}
	}
	return nil
}

// diff compares events; none is none.
func diff(want, got []collector.Event) string {
	if reflect.DeepEqual(want, got) {
		return "" // 20 times faster, and nearly always so
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// same compares the events of data, put in the place of r, with r's own.
func (s *subject) same(st *stream, r record, data []byte, want []collector.Event) error {
	got, err := decode(s.src, st.Stream, r.Ref, data, goldenTextLimit)
	if err != nil {
		return err
	}
	if d := diff(want, got); d != "" {
		return fmt.Errorf("%s line %d (-want +got):\n%s", st.ID, r.Line, d)
	}
	return nil
}

// checkPadding: a CR, NUL bytes and a byte order mark around a record say nothing.
func checkPadding(s *subject) error {
	for _, st := range s.jsonLogs() {
		for _, r := range st.records {
			for _, p := range [][2]string{{"", "\r"}, {"\xef\xbb\xbf", ""}, {"\x00\x00\x00\x00", "\x00\x00"}} {
				if err := s.same(st, r, slices.Concat([]byte(p[0]), r.data, []byte(p[1])), r.events); err != nil {
					return fmt.Errorf("with %q and %q around it: %w", p[0], p[1], err)
				}
			}
		}
	}
	return nil
}

// checkGlued: two records without a newline between them say what they say on two lines.
func checkGlued(s *subject) error {
	for _, st := range s.jsonLogs() {
		for i, r := range st.records[1:] {
			first := st.records[i]
			second, err := decode(s.src, st.Stream, first.Ref, r.data, goldenTextLimit)
			if err != nil {
				return err
			}
			if err := s.same(st, first, slices.Concat(first.data, r.data), slices.Concat(first.events, second)); err != nil {
				return fmt.Errorf("with the next record glued to it: %w", err)
			}
		}
	}
	return nil
}

// checkLineSeparator: U+2028 and its like within strings end no record.
func checkLineSeparator(s *subject) error {
	for _, st := range s.jsonLogs() {
		err := st.mutate(func(file []byte) error {
			if err := st.write(spacesInStrings(file, "\u2028")); err != nil {
				return err
			}
			got, err := s.readAgain(st)
			if err != nil {
				return err
			}
			if len(got) != len(st.records) {
				return fmt.Errorf("%s: %d records with U+2028 in their strings, %d with spaces", st.ID, len(got), len(st.records))
			}
			for i, r := range got {
				if malformed(r.events) > malformed(st.records[i].events) {
					return fmt.Errorf("%s line %d: malformed with U+2028 in its strings", st.ID, r.Line)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// spacesInStrings replaces the spaces within JSON strings.
func spacesInStrings(file []byte, by string) []byte {
	var out bytes.Buffer
	within := false
	for i := 0; i < len(file); i++ {
		switch c := file[i]; {
		case c == '\\' && within:
			out.Write(file[i : i+2])
			i++
			continue
		case c == '"':
			within = !within
		case c == ' ' && within:
			out.WriteString(by)
			continue
		}
		out.WriteByte(file[i])
	}
	return out.Bytes()
}

func malformed(events []collector.Event) int {
	n := 0
	for _, ev := range events {
		if ev.Kind == collector.EventMalformed {
			n++
		}
	}
	return n
}
