package fold

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

type span struct{ from, to int64 }

// disorder is by how much records of one moment may stand in the wrong order: several threads write a log.
const disorder = 1000 // ms

// took is how long something took from one record's time to another's. If the clock was set back in between, nobody knows.
func took(from, to int64) collector.Count {
	if to < from-disorder {
		return collector.Count{}
	}
	return collector.Exact(max(0, to-from))
}

// clocks splits the time of a turn. Spans that overlap count once.
func clocks(t *collector.Turn) collector.Clocks {
	var tools, models, waits []span
	for _, c := range t.ToolCalls {
		if c.DurationMs.Quality == collector.QualityUnknown || c.StartedAt == 0 || c.Inherited {
			continue
		}
		from, to := c.StartedAt, c.StartedAt+c.DurationMs.Value
		if c.WaitMs > 0 {
			from = min(to, from+c.WaitMs)
		}
		tools = append(tools, span{from, to})
	}
	for _, r := range t.RoundTrips {
		if r.StartedAt != 0 && r.Counts() {
			models = append(models, span{r.StartedAt, r.EndedAt})
		}
	}
	for _, m := range t.Markers {
		if m.Kind == collector.MarkerPermission && m.At != 0 && !m.Inherited {
			waits = append(waits, span{m.At, m.At + m.DurationMs.Value})
		}
	}
	return collector.Clocks{
		WallMs:  max(0, t.EndedAt-t.StartedAt),
		ModelMs: union(models),
		ToolMs:  union(tools),
		WaitMs:  union(waits),
	}
}

// union is the total length of the spans, overlaps counted once.
func union(spans []span) int64 {
	byStart := func(a, b span) int { return int(max(-1, min(1, a.from-b.from))) }
	if !slices.IsSortedFunc(spans, byStart) {
		slices.SortFunc(spans, byStart)
	}
	var sum, end int64
	for _, s := range spans {
		from := max(s.from, end)
		if s.to > from {
			sum += s.to - from
			end = s.to
		}
	}
	return sum
}
