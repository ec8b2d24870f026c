package sourcetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// sessions returns the sessions that streams fold to when they are read in this order. If restoreAt is not
// negative, everything is settled, stored and restored after that many records.
func (s *subject) sessions(streams []*stream, restoreAt int) []byte {
	f := folder{sessions: map[collector.SessionID]*fold.Session{}, logs: map[collector.SessionID]bool{}}
	n := 0
	for _, st := range streams {
		for _, r := range st.records {
			if n == restoreAt {
				f.restore()
			}
			n++
			f.apply(st.Stream, r)
		}
	}
	type session struct {
		Session *collector.Session
		Turns   []*collector.Turn
	}
	var out []session
	for id, one := range f.sessions {
		if f.logs[id] {
			one.Settle(fold.Judges{})
			out = append(out, session{one.Row(), one.Turns()})
		}
	}
	slices.SortFunc(out, func(a, b session) int { return strings.Compare(string(a.Session.ID), string(b.Session.ID)) })
	return s.encode(out)
}

// folder feeds events to one fold per session, as the pipeline does.
type folder struct {
	sessions map[collector.SessionID]*fold.Session
	logs     map[collector.SessionID]bool // those that a log tells of; others are not shown
}

func (f *folder) apply(st collector.Stream, r record) {
	for _, ev := range r.events {
		id := ev.Session
		if id == "" {
			id = st.Session
		}
		one := f.sessions[id]
		if one == nil {
			one = fold.New(id)
			f.sessions[id] = one
		}
		if st.Kind == collector.StreamLog && (ev.Kind > collector.EventFacts || id == st.Session) {
			one.SawLog(st.Path)
			f.logs[id] = true
		}
		ref := r.Ref
		if st.Kind == collector.StreamFacts {
			ref = collector.Ref{} // as the pipeline does
		}
		one.Apply(&ev, ref)
	}
}

// restore puts a fold that knows only what is stored in the place of every one.
func (f *folder) restore() {
	for id, one := range f.sessions {
		stored := one.Settle(fold.Judges{})
		again, err := fold.Restore(one.Row(), one.Turns(), one.Cursor())
		if err != nil {
			panic(err) // the cursor was written a line above
		}
		again.RestoreMarkers(slices.DeleteFunc(stored.Markers, func(m *collector.Marker) bool { return m.Turn < len(one.Turns()) }))
		f.sessions[id] = again
	}
}

// maxOrders bounds the work on homes with many streams.
const maxOrders = 12

// checkOrder: in whatever order the streams are read, the sessions are the same.
func checkOrder(s *subject) error {
	want := s.sessions(s.streams, -1)
	other := slices.Clone(s.streams)
	slices.Reverse(other)
	for range min(len(other), maxOrders) {
		if d := diffLines(want, s.sessions(other, -1)); d != "" {
			return fmt.Errorf("sessions differ when %s is read first (-by name +in another order):\n%s", other[0].ID, d)
		}
		other = append(other[1:], other[0])
	}
	return nil
}

// checkRestored: a restart after any record changes nothing.
func checkRestored(s *subject) error {
	want := s.sessions(s.streams, -1)
	records := 0
	for _, st := range s.streams {
		records += len(st.records)
	}
	for at := 1; at < records; at += max(records/maxCuts, 1) {
		if d := diffLines(want, s.sessions(s.streams, at)); d != "" {
			return fmt.Errorf("sessions differ after a restart at record %d (-without +with):\n%s", at, d)
		}
	}
	return nil
}

func diffLines(want, got []byte) string {
	if string(want) == string(got) {
		return ""
	}
	return cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n"))
}
