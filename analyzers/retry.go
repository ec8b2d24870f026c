package analyzers

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// retryAnalyzer flags calls of a tool that had failed earlier in the turn. What counts is that the model saw the failure
// before it asked again, so calls of one round trip are no retries of one another. A failure is over once the tool
// worked again, except for the very arguments that failed: they are over when they worked.
func retryAnalyzer() collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagRetry,
		Doc:  "A tool was called again after it had failed in the same turn: with the same arguments, or with others. Of a shell that may be any command, so both are named.",
		Run:  retry,
	}
}

// argsKey is what makes two calls effectively the same.
type argsKey struct {
	tool string
	args uint64
}

// attempts follows the calls of one tool, or of one tool with the same arguments.
type attempts struct {
	trip   int                 // round trip of the latest call
	failed *collector.ToolCall // latest failure in that round trip
	worked bool                // a call of that round trip worked
	before *collector.ToolCall // latest failure in round trips before it that is not over
}

// ask notes that a round trip asks for a call, and returns the failure that it follows.
func (a *attempts) ask(c *collector.ToolCall) *collector.ToolCall {
	if c.RoundTrip != a.trip {
		if a.failed != nil {
			a.before = a.failed
		} else if a.worked {
			a.before = nil
		}
		a.trip, a.failed, a.worked = c.RoundTrip, nil, false
	}
	f := a.before
	if f != nil && f.Background && c.StartedAt > 0 && f.EndedAt > c.StartedAt {
		return nil // the background call was still running
	}
	return f
}

func (a *attempts) answer(c *collector.ToolCall) {
	switch c.Status {
	case collector.CallFailed:
		a.failed = c
	case collector.CallOK:
		a.worked = true
	}
}

func retry(t *collector.Turn) []collector.Flag {
	var flags []collector.Flag
	byTool := map[string]*attempts{}
	byArgs := map[argsKey]*attempts{} // only of what failed at least once
	for _, c := range ownCalls(t) {
		if c.RoundTrip < 0 {
			continue // typed by the user
		}
		tool := byTool[c.Tool]
		if tool == nil {
			tool = &attempts{trip: c.RoundTrip}
			byTool[c.Tool] = tool
		}
		earlier := tool.ask(c)
		key := argsKey{c.Tool, c.ArgsHash}
		same := byArgs[key]
		if same == nil && c.ArgsHash != 0 && c.Status == collector.CallFailed {
			same = &attempts{trip: c.RoundTrip}
			byArgs[key] = same
		}
		if same != nil {
			if f := same.ask(c); f != nil {
				earlier = f
			}
			same.answer(c)
		}
		tool.answer(c)
		if earlier != nil {
			flags = append(flags, retryFlag(c, earlier))
		}
	}
	return flags
}

func retryFlag(c, earlier *collector.ToolCall) collector.Flag {
	reason := fmt.Sprintf("%s was called again %s failed", c.Tool, again(c, earlier)) + exit(earlier)
	if text := failureText(earlier); text != "" {
		reason += ": " + text
	}
	return collector.Flag{
		Kind: collector.FlagRetry, Reason: reason, At: callTarget(c),
		Evidence: []collector.Evidence{callEvidence(earlier), callEvidence(c)},
	}
}

// again says with what c was called after the earlier call. A shell is one tool for all that it can do: whether its next
// command has to do with the one that failed, only who reads both can tell.
func again(c, earlier *collector.ToolCall) string {
	after := fmt.Sprintf("after call %d", earlier.Seq+1)
	switch {
	case c.ArgsHash == 0 || earlier.ArgsHash == 0:
		return "perhaps with other arguments " + after
	case c.ArgsHash == earlier.ArgsHash:
		return "with the same arguments " + after
	}
	now, before := quote(mainArgument(c.Args.Preview), quoteCommand), quote(mainArgument(earlier.Args.Preview), quoteCommand)
	if c.Category != collector.CategoryShell || now == "" || before == "" || now == before {
		return "with other arguments " + after
	}
	return fmt.Sprintf("with another command, %s, %s, %s,", now, after, before)
}
