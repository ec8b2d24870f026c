package transcript

import (
	"cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// usage adds what a response consumed. That of a response which has said nothing yet waits for its first part: a call. If
// nothing names the response, as in old logs, it is left to the turn.
func (b *builder) usage(ev *collector.Event, ref collector.Ref) {
	i, known := b.trips[ev.RoundTrip]
	if !known {
		i, known = b.open, b.open >= 0
	}
	if ev.Kind == collector.EventRoundTripEnd {
		b.open = -1
	}
	u := ev.Usage
	if u == nil || u.Unattributed || u.Rank == collector.UsageTable {
		return
	}
	if !known {
		if ev.RoundTrip != "" {
			b.early[ev.RoundTrip] = *ev
		}
		return
	}
	m := &b.messages[i]
	m.Model = cmp.Or(ev.Model, m.Model)
	m.last = max(m.last, ref.Line)
	if !u.Tokens.Known() {
		return // it only says how full the window is
	}
	tokens := u.Tokens
	switch rank := b.ranks[m.ID]; {
	case m.Usage == nil || u.Rank > rank:
		m.Usage, b.ranks[m.ID] = &tokens, u.Rank
	case u.Rank == rank:
		tokens = m.Usage.Max(tokens)
		m.Usage = &tokens
	}
}
