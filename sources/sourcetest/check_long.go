package sourcetest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// longLine is the length of a line with a screenshot or two.
const longLine = 10 << 20

// checkLongLine: 10 MiB in a field that means nothing change nothing. One log per case is enough for so much memory.
func checkLongLine(s *subject) error {
	logs := s.jsonLogs()
	if len(logs) == 0 {
		return nil
	}
	st := logs[0]
	r := slices.MaxFunc(st.records, func(a, b record) int { return len(a.events) - len(b.events) })
	pad := bytes.Repeat([]byte("x"), longLine)
	front := slices.Concat([]byte(`{"zzPadding":"`), pad, []byte(`",`), r.data[1:], []byte{'\n'})
	back := slices.Concat(r.data[:len(r.data)-1], []byte(`,"zzPadding":"`), pad, []byte("\"}\n"))
	return st.mutate(func([]byte) error {
		if err := st.write(slices.Concat(front, back, r.data, []byte{'\n'})); err != nil {
			return err
		}
		got, err := s.readAgain(st)
		if err != nil {
			return err
		}
		if len(got) != 3 || got[0].Length < longLine || got[1].Length < longLine {
			return fmt.Errorf("%s: %d records, want two long ones and one more", st.ID, len(got))
		}
		for _, g := range got {
			want, err := decode(s.src, st.Stream, g.Ref, r.data, goldenTextLimit)
			if err != nil {
				return err
			}
			if d := diff(known(want), known(g.events)); d != "" {
				return fmt.Errorf("%s line %d with padding (-want +got):\n%s", st.ID, g.Line, d)
			}
		}
		return nil
	})
}

// known drops what a source says about the field that it does not know.
func known(events []collector.Event) []collector.Event {
	return slices.DeleteFunc(slices.Clone(events), func(ev collector.Event) bool { return ev.Kind == collector.EventUnknown })
}
