package flow

import (
	"cmp"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// item is a step of a turn: a round trip, a call that no response asked for, or a marker.
type item struct {
	ref    collector.Ref
	at     int64
	trip   *collector.RoundTrip
	call   *collector.ToolCall
	marker *collector.Marker
}

// parts are a turn's parts by what they hang on.
type parts struct {
	items  []item                           // the steps, in the order of their records
	ofTrip map[int][]*collector.ToolCall    // the calls that a response asked for
	inner  map[string][]*collector.ToolCall // the calls that a call's script made
	hooks  map[string][]*collector.Marker   // what happened about a call
}

func sortParts(t *collector.Turn) parts {
	p := parts{ofTrip: map[int][]*collector.ToolCall{}, inner: map[string][]*collector.ToolCall{}, hooks: map[string][]*collector.Marker{}}
	trips := map[int]bool{}
	for _, r := range t.RoundTrips {
		trips[r.Seq] = true
		p.items = append(p.items, item{ref: r.Ref, at: r.StartedAt, trip: r})
	}
	calls := map[string]bool{} // those before the present one, so that no two calls hang on each other
	for _, c := range t.ToolCalls {
		switch {
		case c.Within != "" && calls[c.Within]:
			p.inner[c.Within] = append(p.inner[c.Within], c)
		case trips[c.RoundTrip]:
			p.ofTrip[c.RoundTrip] = append(p.ofTrip[c.RoundTrip], c)
		default:
			p.items = append(p.items, item{ref: c.Ref, at: c.StartedAt, call: c})
		}
		if c.Key != "" {
			calls[c.Key] = true
		}
	}
	for _, m := range t.Markers {
		switch _, shown := markerKinds[m.Kind]; {
		case !shown:
		case calls[m.Call]:
			p.hooks[m.Call] = append(p.hooks[m.Call], m)
		case m.Kind == collector.MarkerHook && during(t, m) != "":
			key := during(t, m)
			p.hooks[key] = append(p.hooks[key], m)
		default:
			p.items = append(p.items, item{ref: m.Ref, at: m.At, marker: m})
		}
	}
	slices.SortStableFunc(p.items, func(x, y item) int { return cmp.Compare(x.ref.Offset, y.ref.Offset) })
	return p
}

// during returns the key of the call that ran when the marker was written, "" if there was none or more than one.
func during(t *collector.Turn, m *collector.Marker) string {
	key := ""
	for _, c := range t.ToolCalls {
		if c.Background || c.Ref.Offset > m.Ref.Offset || m.Ref.Offset >= c.Result.Ref.Offset {
			continue
		}
		if key != "" {
			return ""
		}
		key = c.Key
	}
	return key
}
