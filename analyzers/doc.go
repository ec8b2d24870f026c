// Package analyzers looks for anomalies in a turn: what failed, was tried again, went round in circles, ran in parallel,
// was lost to a compaction, or took too long. Each analyzer is a pure function of one turn in a file of its own; together
// they run in time linear in the turn's size, so that a turn can be flagged again at every record that it grows by.
//
// Analyzers refuse to guess: they read what fold concluded, never a log, and say nothing about copied history. A number in
// a reason is the number on screen: 1-based, of its session.
package analyzers

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Config is what the user may set.
type Config struct {
	ThrashRoundTrips int // a turn of so many round trips is flagged; 0 = DefaultThrashRoundTrips
}

// DefaultThrashRoundTrips is the number of round trips from which on a turn counts as thrashing.
const DefaultThrashRoundTrips = 8

// All returns every analyzer, in the order in which their flags are shown.
func All(cfg Config) []collector.Analyzer {
	if cfg.ThrashRoundTrips <= 0 {
		cfg.ThrashRoundTrips = DefaultThrashRoundTrips
	}
	return []collector.Analyzer{failAnalyzer(), retryAnalyzer(), loopAnalyzer(), fanoutAnalyzer(), compactionLossAnalyzer(), thrashAnalyzer(cfg.ThrashRoundTrips)}
}

// Flags runs the analyzers on a turn and returns what they found, never nil. A copied turn has no flags: they stand in
// the session that it was copied from.
func Flags(all []collector.Analyzer, t *collector.Turn) []collector.Flag {
	flags := []collector.Flag{}
	if t.Inherited {
		return flags
	}
	for _, a := range all {
		flags = append(flags, a.Run(t)...)
	}
	return flags
}

// ownCalls returns the turn's calls without copied ones: those that are inherited, and those of a round trip that another
// session owns.
func ownCalls(t *collector.Turn) []*collector.ToolCall {
	copied := map[int]bool{}
	for _, r := range t.RoundTrips {
		if !r.Counts() {
			copied[r.Seq] = true
		}
	}
	skip := func(c *collector.ToolCall) bool { return c.Inherited || copied[c.RoundTrip] }
	if t.Inherited {
		return nil
	}
	if !slices.ContainsFunc(t.ToolCalls, skip) {
		return t.ToolCalls
	}
	own := make([]*collector.ToolCall, 0, len(t.ToolCalls))
	for _, c := range t.ToolCalls {
		if !skip(c) {
			own = append(own, c)
		}
	}
	return own
}
