package analyzers

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// How much is quoted, in characters: enough to recognise it, short enough for a tooltip.
const (
	quoteText    = 140
	quoteArgs    = 80
	quoteCommand = 60
)

// maxEvidence bounds the evidence of one flag: a turn may hold thousands of equal calls, and its flags are rewritten
// whenever it grows.
const maxEvidence = 100

// escapes are terminal control sequences, as tools write them into their output.
var escapes = regexp.MustCompile(`\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\))`)

// quote returns text found in a log as «…»: on one line, without terminal colours, cut after limit characters.
// It returns "" if nothing is left.
func quote(s string, limit int) string {
	if strings.IndexByte(s, '\x1b') >= 0 {
		s = escapes.ReplaceAllString(s, "")
	}
	var b strings.Builder
	n, gap := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = n > 0
			continue
		}
		if r == utf8.RuneError {
			continue
		}
		if n+1 > limit || gap && n+2 > limit {
			b.WriteString("…")
			break
		}
		if n == 0 {
			b.Grow(min(len(s), limit) + len("«…»"))
			b.WriteString("«")
		}
		if gap {
			b.WriteByte(' ')
			n++
			gap = false
		}
		b.WriteRune(r)
		n++
	}
	if n == 0 {
		return ""
	}
	b.WriteString("»")
	return b.String()
}

// failureText is what a log says about why a call failed.
func failureText(c *collector.ToolCall) string {
	if q := quote(c.Error, quoteText); q != "" {
		return q
	}
	return quote(c.Result.Preview, quoteText)
}

// callName names a call by its number on screen and its tool: "call 7 (Bash)".
func callName(c *collector.ToolCall) string {
	return "call " + strconv.Itoa(c.Seq+1) + " (" + c.Tool + ")"
}

// mainArguments are the names of the argument that says most, in order of preference.
var mainArguments = []string{
	"command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "prompt", "input", "skill", "name", "description",
	"target_file", "target_directory", "CommandLine", "AbsolutePath", "TargetFile", "DirectoryPath", "Query", "objective",
}

// mainArgument returns the argument that says most of a call's arguments, or all of them if none has a known name. The
// JSON may be cut off.
func mainArgument(args string) string {
	if !strings.HasPrefix(args, "{") {
		return args
	}
	for _, name := range mainArguments {
		_, rest, found := strings.Cut(args, `"`+name+`":`)
		if !found {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, "[") { // a command in words
			words, _, _ := strings.Cut(rest[1:], "]")
			return strings.ReplaceAll(strings.ReplaceAll(words, `","`, " "), `"`, "")
		}
		if !strings.HasPrefix(rest, `"`) {
			continue
		}
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if s, err := strconv.Unquote(rest[:min(end, len(rest))] + `"`); err == nil {
			return s
		}
	}
	return args
}

// callEvidence points at a call: its name, its arguments, and how it went.
func callEvidence(c *collector.ToolCall) collector.Evidence {
	return collector.Evidence{Text: callWithArgs(c) + ": " + outcome(c), At: callTarget(c)}
}

func callWithArgs(c *collector.ToolCall) string {
	if args := quote(mainArgument(c.Args.Preview), quoteArgs); args != "" {
		return callName(c) + " " + args
	}
	return callName(c)
}

// outcome says how a call went, in words.
func outcome(c *collector.ToolCall) string {
	switch c.Status {
	case collector.CallOK:
		return "ok"
	case collector.CallPending:
		return "no result yet"
	case collector.CallDenied:
		return "not allowed"
	case collector.CallLost:
		return "no result was written"
	case collector.CallFailed:
		s := "failed" + exit(c)
		if text := failureText(c); text != "" {
			s += ", " + text
		}
		return s
	}
	return string(c.Status)
}

func exit(c *collector.ToolCall) string {
	if c.ExitCode == nil || *c.ExitCode == 0 {
		return ""
	}
	return fmt.Sprintf(" with exit code %d", *c.ExitCode)
}

func callTarget(c *collector.ToolCall) collector.Target {
	return collector.Target{Kind: collector.TargetCall, Seq: c.Seq}
}

// evidence lists calls, at most maxEvidence of them: the first ones and the last ones.
func evidence(calls []*collector.ToolCall) []collector.Evidence {
	head := len(calls)
	if head > maxEvidence {
		head = maxEvidence / 2
	}
	list := make([]collector.Evidence, 0, min(len(calls), maxEvidence))
	for _, c := range calls[:head] {
		list = append(list, callEvidence(c))
	}
	for _, c := range calls[max(head, len(calls)-maxEvidence/2):] {
		list = append(list, callEvidence(c))
	}
	return list
}

// tools sums up calls as "Read ×3, Bash", in order of first use. Beyond five tools it counts the rest.
func tools(calls []*collector.ToolCall) string {
	const most = 5
	count := map[string]int{}
	var names []string
	for _, c := range calls {
		if count[c.Tool]++; count[c.Tool] == 1 {
			names = append(names, c.Tool)
		}
	}
	var parts []string
	for _, name := range names[:min(most, len(names))] {
		if n := count[name]; n > 1 {
			name = fmt.Sprintf("%s ×%d", name, n)
		}
		parts = append(parts, name)
	}
	s := strings.Join(parts, ", ")
	if rest := len(names) - most; rest > 0 {
		s += fmt.Sprintf(" and %s", plural(rest, "more tool"))
	}
	return s
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
