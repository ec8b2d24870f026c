package gemini

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// shellTool is the tool that runs commands.
const shellTool = "run_shell_command"

// What stands around a command's output: tags that the agent's later versions put there, and lines that say how it went.
const (
	untrusted    = "<untrusted_context>\n"
	untrustedEnd = "\n</untrusted_context>"
	outputWord   = "Output: "
)

// shell reads the text of a shell call:
//
//	Output: …
//	Error: …
//	Exit Code: 3
//	Signal: 15
//	Background PIDs: 12, 13
//	Process Group PGID: 12
//
// with only those lines that say something (older versions: all, with "(none)" for nothing). Process numbers are other
// ones each time, so that they are no part of what tells results apart.
func (d *decoder) shell(e *collector.Event, output *fastjson.Value) {
	e.Text = jsonl.Clip(output, d.limit)
	text := strings.TrimSuffix(strings.TrimPrefix(jsonl.Str(output), untrusted), untrustedEnd)
	if text == "" {
		return
	}
	body, exit, signalled := outcome(text)
	body = said(body)
	e.ResultHash = jsonl.HashString(body)
	switch {
	case strings.HasPrefix(text, "Command moved to background"):
		e.Background = true
	case strings.HasPrefix(text, "Command was cancelled by user"):
		e.CallStatus = collector.CallInterrupted
	case strings.HasPrefix(text, "Command was automatically cancelled"), signalled:
		e.CallStatus = collector.CallFailed
	}
	if exit == nil {
		if strings.HasPrefix(text, outputWord) && !signalled {
			exit = new(int) // it is said only if it is not 0
		}
		e.ExitCode = exit
		return
	}
	e.ExitCode = exit
	if *exit != 0 {
		e.CallStatus = collector.CallFailed
		e.Error = jsonl.ClipString(body, errorBytes).Preview
	}
}

// outcome takes the lines off a text's end that say how a command went, and reads them. A command can print such lines
// itself; those at the end are the agent's.
func outcome(text string) (body string, exit *int, signalled bool) {
	for text != "" {
		at := strings.LastIndexByte(text, '\n') + 1
		word, value, found := strings.Cut(text[at:], ": ")
		if !found {
			break
		}
		switch word {
		case "Exit Code":
			if n, err := strconv.Atoi(value); err == nil {
				exit = &n
			}
		case "Signal":
			signalled = value != "(none)"
		case "Background PIDs", "Process Group PGID", "Error":
		default:
			return text, exit, signalled
		}
		if at == 0 {
			break
		}
		text = text[:at-1]
	}
	return text, exit, signalled
}

// said returns what the command itself printed. Older versions repeat the command and its directory before it.
func said(body string) string {
	if strings.HasPrefix(body, "Command: ") {
		for _, word := range []string{"\nOutput: ", "\nStdout: "} {
			if _, output, found := strings.Cut(body, word); found {
				return output
			}
		}
	}
	return strings.TrimPrefix(body, outputWord)
}

// typed returns the command as the user typed it, and what came of it: the model is told both in a sentence.
func typed(text string) string {
	command, then, found := strings.Cut(strings.TrimPrefix(text, typedShell+"\n```sh\n"), "\n```\n")
	if !found || command == text {
		return text
	}
	return "!" + command + "\n" + then
}
