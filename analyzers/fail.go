package analyzers

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// failAnalyzer flags what went wrong: calls, hooks, aborts and errors, and turns that an error ended. A call that somebody
// denied, that was stopped, or whose result was never written did not fail.
func failAnalyzer() collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagFail,
		Doc:  "A tool call, hook, abort or error failed, or an error ended the turn. Quotes the text found in the log.",
		Run:  fail,
	}
}

func fail(t *collector.Turn) []collector.Flag {
	var flags []collector.Flag
	for _, c := range ownCalls(t) {
		if c.Status == collector.CallFailed {
			flags = append(flags, collector.Flag{
				Kind:     collector.FlagFail,
				Reason:   because(c.Tool+" failed"+exit(c), failureText(c)),
				At:       callTarget(c),
				Evidence: []collector.Evidence{{Text: callWithArgs(c), At: callTarget(c)}}, // the reason says the rest
			})
		}
	}
	told := false // a marker already says why the turn failed
	why := quote(t.Error, quoteText)
	for _, m := range t.Markers {
		if what := failedMarker(m); what != "" && !t.Inherited {
			text := quote(m.Text.Preview, quoteText)
			told = told || why != "" && text == why
			flags = append(flags, markerFlag(m, what, text))
		}
	}
	if t.Status == collector.TurnFailed && !t.Inherited && !told {
		at := collector.Target{Kind: collector.TargetTurn, Seq: t.Index}
		reason := because("The turn ended with an error", why)
		flags = append(flags, collector.Flag{
			Kind: collector.FlagFail, Reason: reason, At: at,
			Evidence: []collector.Evidence{{Text: because(fmt.Sprintf("turn %d failed", t.Index+1), why), At: at}},
		})
	}
	return flags
}

// failedMarker says in words what failed, or "" if nothing did or the marker is of a kind whose failure is no anomaly.
func failedMarker(m *collector.Marker) string {
	if m.Inherited || m.Status != collector.MarkerFailed {
		return ""
	}
	var what, named string
	switch m.Kind {
	case collector.MarkerHook:
		what, named = "A hook failed", "The hook %s failed"
	case collector.MarkerAbort:
		what, named = "The agent aborted", "The agent aborted (%s)"
	case collector.MarkerError:
		what, named = "An error occurred", "An error occurred (%s)"
	default:
		return ""
	}
	if m.Name == "" {
		return what
	}
	return fmt.Sprintf(named, m.Name)
}

func markerFlag(m *collector.Marker, what, text string) collector.Flag {
	at := collector.Target{Kind: collector.TargetMarker, Seq: m.Seq}
	reason := because(what, text)
	return collector.Flag{Kind: collector.FlagFail, Reason: reason, At: at, Evidence: []collector.Evidence{{Text: reason, At: at}}}
}

func because(what, text string) string {
	if text == "" {
		return what + "; the log does not say why"
	}
	return what + ": " + text
}
