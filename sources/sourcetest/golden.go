package sourcetest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
)

var update = flag.Bool("update", false, "write the goldens instead of comparing with them")

// Golden compares got with the file at path, or writes it if the test runs with -update.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// eventsGolden returns every stream with the events of its records.
func (s *subject) eventsGolden() []byte {
	type event struct {
		At string
		collector.Event
	}
	type log struct {
		Stream  collector.StreamID
		Kind    collector.StreamKind
		Session collector.SessionID
		Tail    bool
		Records int
		Events  []event
	}
	var logs []log
	for _, st := range s.streams {
		l := log{Stream: st.ID, Kind: st.Kind, Session: st.Session, Tail: st.Tail, Records: len(st.records)}
		for _, r := range st.records {
			for _, ev := range r.events {
				l.Events = append(l.Events, event{place(r.Ref), ev})
			}
		}
		logs = append(logs, l)
	}
	return s.encode(logs)
}

// sessionsGolden returns the sessions that the case folds to.
func (s *subject) sessionsGolden() []byte { return s.sessions(s.streams, -1) }

// encode writes v compactly, with the home's path as "~".
func (s *subject) encode(v any) []byte {
	e := encoder{hashes: map[uint64]int{}}
	e.value(v)
	return append(bytes.ReplaceAll(e.buf.Bytes(), []byte(s.home), []byte("~")), '\n')
}
