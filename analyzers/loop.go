package analyzers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// loopAnalyzer flags calls that a turn repeats although nothing changed: the same tool with effectively the same
// arguments, no edit in between, and the same result. Calls that failed the same way twice are a loop too (and the second
// is a retry). Looking whether something is ready is no loop.
func loopAnalyzer() collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagLoop,
		Doc:  "The same tool was called with the same arguments two or more times in one turn, with no edit in between and no change in the result. Polling is not a loop.",
		Run:  loop,
	}
}

// run is a row of calls that repeat one another.
type run struct {
	calls []*collector.ToolCall
	edits int // edits in the turn up to and including the latest call
}

func loop(t *collector.Turn) []collector.Flag {
	var flags []collector.Flag
	end := func(r *run) {
		if len(r.calls) > 1 {
			flags = append(flags, loopFlag(r.calls))
		}
	}
	edits := 0
	runs := map[argsKey]*run{}
	for _, c := range ownCalls(t) {
		before := edits
		if mayEdit(c) {
			edits++
		}
		if !repeatable(c) {
			continue
		}
		key := argsKey{c.Tool, c.ArgsHash}
		r := runs[key]
		if r == nil {
			r = &run{}
			runs[key] = r
		} else if r.edits != before || !sameResult(r.calls[len(r.calls)-1], c) {
			end(r)
			r.calls = nil
		}
		r.calls, r.edits = append(r.calls, c), edits
	}
	for _, r := range runs {
		end(r)
	}
	slices.SortFunc(flags, func(a, b collector.Flag) int { return cmp.Compare(a.At.Seq, b.At.Seq) })
	return flags
}

// mayEdit reports whether a call may have changed files: an edit that did not fail, or an agent at work.
func mayEdit(c *collector.ToolCall) bool {
	if c.Status == collector.CallFailed || c.Status == collector.CallDenied {
		return false
	}
	return c.Effect == collector.EffectEdit || c.Category == collector.CategoryAgent
}

// repeatable reports whether a call can be part of a loop: the model asked for it, its arguments are known, and it was
// answered, so that what it brought can be compared.
func repeatable(c *collector.ToolCall) bool {
	switch c.Status {
	case collector.CallOK, collector.CallFailed, collector.CallDenied:
		return c.RoundTrip >= 0 && c.ArgsHash != 0 && c.Effect != collector.EffectPoll
	}
	return false
}

// sameResult reports whether two calls brought the same, as far as is known.
func sameResult(a, b *collector.ToolCall) bool {
	return a.Status == b.Status && (a.ResultHash == 0 || b.ResultHash == 0 || a.ResultHash == b.ResultHash)
}

func loopFlag(calls []*collector.ToolCall) collector.Flag {
	first, last := calls[0], calls[len(calls)-1]
	same := "the same result"
	switch {
	case last.Status == collector.CallFailed:
		same = "the same failure"
	case last.Status == collector.CallDenied:
		same = "the same refusal"
	case first.ResultHash == 0 || last.ResultHash == 0:
		same = "no result to compare"
	}
	return collector.Flag{
		Kind:     collector.FlagLoop,
		Reason:   fmt.Sprintf("%s ×%d with the same arguments, no edit in between, and %s (calls %d to %d)", last.Tool, len(calls), same, first.Seq+1, last.Seq+1),
		At:       callTarget(last),
		Evidence: evidence(calls),
	}
}
