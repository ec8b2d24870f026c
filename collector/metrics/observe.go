package metrics

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Observe counts what a commit changed. One goroutine may call it at a time.
func (m *Metrics) Observe(c *collector.Commit) {
	w := m.window()
	for i := range c.Changes {
		s := &subject{m: m, window: w, Change: &c.Changes[i], agent: m.labels.agent(c.Changes[i].Session.ID.Agent())}
		for j, t := range s.Changed {
			s.turn(t, s.Before[j])
		}
		for _, r := range s.RoundTrips {
			s.trip(r)
		}
		for _, call := range s.Calls {
			s.call(call)
		}
	}
	for i := range c.Reads {
		if r := &c.Reads[i]; r.At == 0 || w.has(r.At) {
			m.read(r, c.At)
		}
	}
}

// window is the time in which things count, in unix ms.
type window struct{ from, to int64 }

// skew is how far a record's clock may be ahead of ours.
const skew = time.Minute

// window returns the time since the start. Where the clock was set meanwhile, the start moves with it.
func (m *Metrics) window() window {
	now := m.cfg.Now()
	return window{now.Add(-now.Sub(m.started)).UnixMilli(), now.Add(skew).UnixMilli()}
}

func (w window) has(at int64) bool { return at >= w.from && at <= w.to }

// subject is the session that is looked at.
type subject struct {
	*collector.Change
	m      *Metrics
	window window
	agent  string
}

// countedTurn is what was counted of a turn.
type countedTurn struct {
	ended bool
	whole countedTrip
	flags map[collector.FlagKind]int
}

func (s *subject) turn(t *collector.Turn, before []collector.Flag) {
	if t.Inherited || !s.window.has(t.EndedAt) {
		return
	}
	if t.Status == collector.TurnOpen && len(t.Flags) == 0 {
		return
	}
	c := s.m.turns.of(nameOf(string(s.Session.ID), turnName(t)), t.EndedAt)
	if c == nil {
		return
	}
	s.flagged(t, before, c)
	s.whole(t, &c.whole)
	if t.Status == collector.TurnOpen || c.ended {
		return
	}
	c.ended = true
	s.m.count.turns.WithLabelValues(s.agent, string(t.Status)).Inc()
	for _, r := range t.RoundTrips { // nothing more will be said of them
		s.trip(r)
	}
}

// flagged counts the flags that are new, by kind: what a flag points at moves while a loop or a turn grows.
func (s *subject) flagged(t *collector.Turn, before []collector.Flag, c *countedTurn) {
	if len(t.Flags) == 0 {
		return
	}
	had, has, recent := map[collector.FlagKind]int{}, map[collector.FlagKind]int{}, map[collector.FlagKind]int{}
	for i := range before {
		had[before[i].Kind]++
	}
	for i := range t.Flags {
		f := &t.Flags[i]
		has[f.Kind]++
		if s.window.has(happened(t, f.At)) {
			recent[f.Kind]++
		}
	}
	for kind, n := range has {
		if more := min(n-had[kind], recent[kind]-c.flags[kind]); more > 0 {
			if c.flags == nil {
				c.flags = map[collector.FlagKind]int{}
			}
			c.flags[kind] += more
			s.m.count.flags.WithLabelValues(s.agent, string(kind)).Add(float64(more))
		}
	}
}

// happened returns when the flagged part of a turn happened.
func happened(t *collector.Turn, at collector.Target) int64 {
	switch at.Kind {
	case collector.TargetCall:
		if c := bySeq(t.ToolCalls, at.Seq, func(c *collector.ToolCall) int { return c.Seq }); c != nil {
			return cmp.Or(c.EndedAt, c.StartedAt)
		}
	case collector.TargetRoundTrip:
		if r := bySeq(t.RoundTrips, at.Seq, func(r *collector.RoundTrip) int { return r.Seq }); r != nil {
			return r.EndedAt
		}
	case collector.TargetMarker:
		if m := bySeq(t.Markers, at.Seq, func(m *collector.Marker) int { return m.Seq }); m != nil {
			return m.At
		}
	}
	return t.EndedAt
}

func bySeq[T any](all []*T, seq int, of func(*T) int) *T {
	if i, found := slices.BinarySearchFunc(all, seq, func(e *T, seq int) int { return of(e) - seq }); found {
		return all[i]
	}
	return nil
}

// turnName names a turn of its session for good: as the agent does, else by when it began.
func turnName(t *collector.Turn) string {
	if t.Key == "" || strings.HasPrefix(t.Key, "@") { // by its place in the log, which a rewrite changes
		return "@" + strconv.FormatInt(t.StartedAt, 10) + "#" + strconv.Itoa(t.Index)
	}
	return t.Key
}

// read counts a record.
func (m *Metrics) read(r *collector.Read, committed int64) {
	agent := m.labels.agent(r.Agent)
	m.count.readBytes.WithLabelValues(agent, string(r.Kind)).Add(float64(r.Bytes))
	m.count.records.WithLabelValues(agent, string(r.Result)).Inc()
	if r.Result == collector.ReadSkipped {
		m.count.unknown.WithLabelValues(agent, m.labels.version(r.Agent, r.Version)).Inc()
	}
	if r.At != 0 && r.Kind == collector.StreamLog {
		m.count.lag.WithLabelValues(agent).Observe(float64(max(0, committed-r.At)) / 1000)
	}
}

// HookSeen counts a hook event that was received. Any goroutine may call it.
func (m *Metrics) HookSeen(agent, event string, result collector.HookResult) {
	m.count.hookEvents.WithLabelValues(m.labels.agent(collector.Agent(agent)), m.labels.event(event), string(result)).Inc()
}
