package fold

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// trip returns the round trip that the event belongs to, beginning one if needed. answer says that the event is part
// of the response itself, not its usage.
func (s *Session) trip(ev *collector.Event, answer bool) *collector.RoundTrip {
	if ev.RoundTrip != "" {
		if r := s.named(ev.RoundTrip); r != nil {
			return r
		}
		return s.begin(ev, s.working(ev))
	}
	t := s.working(ev)
	if r := s.openTrip(t); r != nil && (!s.cur.Fresh || s.cur.UsageFirst || !answer) {
		if answer && !s.cur.Fresh && r.UsageRank == collector.UsageCumulative {
			s.cur.UsageFirst = true // this agent writes a response's usage before its calls
		}
		return r
	}
	r := s.begin(ev, t)
	s.cur.Trip = r.Seq
	s.cur.UsageFirst = false
	return r
}

// named returns the round trip of that name. Agents may give names anew in each segment of a session.
func (s *Session) named(key string) *collector.RoundTrip {
	if i, known := s.tripByKey[key]; known && i >= s.cur.Segment {
		return s.trips[i]
	}
	return nil
}

// openTrip returns the open unnamed round trip if it belongs to t.
func (s *Session) openTrip(t *collector.Turn) *collector.RoundTrip {
	if s.cur.Trip < 0 || s.trips[s.cur.Trip].Turn != t.Index {
		return nil
	}
	return s.trips[s.cur.Trip]
}

func (s *Session) begin(ev *collector.Event, t *collector.Turn) *collector.RoundTrip {
	r := &collector.RoundTrip{
		Seq:       len(s.trips),
		Turn:      t.Index,
		Key:       ev.RoundTrip,
		Model:     cmp.Or(ev.Model, s.cur.Model),
		StartedAt: cmp.Or(s.cur.AskedAt, s.cur.Trigger, ev.Time),
		EndedAt:   ev.Time,
		Inherited: s.inherited(ev),
		Ref:       ev.Text.Ref,
		Changed:   true,
	}
	if r.StartedAt > r.EndedAt && ev.Time != 0 {
		r.StartedAt = ev.Time
	}
	s.cur.AskedAt = 0
	s.cur.Fresh = false
	s.cur.Texts = s.cur.Texts[:0]
	if r.Inherited && len(t.RoundTrips) == 0 {
		t.Inherited = true // its prompt did not say so
	}
	s.trips = append(s.trips, r)
	if r.Key != "" {
		s.tripByKey[r.Key] = r.Seq
	}
	if ev.Global && !r.Inherited {
		s.claims = append(s.claims, r)
	}
	t.RoundTrips = append(t.RoundTrips, r)
	if t.Status == collector.TurnOK && t == s.last() {
		t.Status = collector.TurnOpen // it went on
	}
	if row, waits := s.cur.TableOpen[r.Seq]; waits {
		delete(s.cur.TableOpen, r.Seq)
		s.applyRow(r, row)
	}
	s.touch(t, ev)
	return r
}

// text takes in a piece of a response.
func (s *Session) text(ev *collector.Event) {
	if s.said(ev) {
		return
	}
	if ev.RoundTrip == "" && s.cur.Fresh {
		s.cur.UsageFirst = false // texts stand first in a response; only calls may follow its usage
	}
	r := s.trip(ev, true)
	t := s.turns[r.Turn]
	switch {
	case ev.RoundTrip == "" && ev.Key != "":
		s.cur.Said = append(s.cur.Said, hash("", ev.Key))
	case ev.RoundTrip != "" && r.Seq != len(s.trips)-1:
		return // an old line written again: no other response begins within one
	case ev.Key != "" && len(s.cur.Texts) == maxTexts:
		return
	case ev.Key != "":
		s.cur.Texts = append(s.cur.Texts, hash(ev.RoundTrip, ev.Key))
	}
	if t != s.last() && ev.Turn == "" {
		return // an old line written again
	}
	r.Changed = true
	r.EndedAt = max(r.EndedAt, ev.Time)
	s.note(r, ev)
	if ev.Redacted {
		r.Redacted = true
	}
	switch {
	case ev.Text.Bytes == 0:
	case ev.Thinking:
		s.join(&r.Thinking, ev.Text)
	default:
		s.join(&r.Text, ev.Text)
		if !r.Compaction { // a summary of history answers nobody
			t.Reply = r.Text
		}
	}
	s.touch(t, ev)
	s.settleStop(t, r)
}

// maxTexts is how many texts of one response are taken in.
const maxTexts = 4096

// said reports whether a text is a copy of an earlier one. Where responses have names, a text's key is good within the
// response, and only the newest one gets texts; where they have none, a copy stands before the next prompt, result or end
// of a response.
func (s *Session) said(ev *collector.Event) bool {
	if ev.Key == "" {
		return false
	}
	if ev.RoundTrip != "" {
		return slices.Contains(s.cur.Texts, hash(ev.RoundTrip, ev.Key))
	}
	return slices.Contains(s.cur.Said, hash("", ev.Key))
}

// fresh notes that the next item of a response begins a new round trip.
func (s *Session) fresh() {
	s.cur.Fresh = true
	s.cur.Said = s.cur.Said[:0]
}

// note keeps what the event says about the response as a whole.
func (s *Session) note(r *collector.RoundTrip, ev *collector.Event) {
	if ev.StopReason != "" {
		r.StopReason = ev.StopReason
	}
	if ev.Model != "" {
		r.Model = ev.Model
	}
	if r.Model != "" && !r.Inherited && s.row.Model != r.Model {
		s.row.Model = r.Model
		s.changed = true
	}
	if t := s.turns[r.Turn]; r.Model != "" && t.Model != r.Model {
		t.Model = r.Model
		t.Changed = true
	}
}

// settleStop ends a turn softly when its newest response says that it was the last. A further response opens it again.
func (s *Session) settleStop(t *collector.Turn, r *collector.RoundTrip) {
	if r.StopReason == collector.StopEndTurn && t.Status == collector.TurnOpen && t == s.last() && !s.cur.Explicit && !s.pending(t) {
		t.Status = collector.TurnOK
	}
}

// join appends a text to what is there, up to the limit.
func (s *Session) join(dst *collector.Text, add collector.Text) {
	if dst.Bytes == 0 {
		*dst = add
		return
	}
	dst.Bytes += 1 + add.Bytes
	if s.textLimit == 0 || len(dst.Preview)+1+len(add.Preview) <= s.textLimit {
		dst.Preview += "\n" + add.Preview
	}
}

func hash(a, b string) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(a)
	_, _ = d.WriteString("\x00")
	_, _ = d.WriteString(b)
	return d.Sum64()
}
