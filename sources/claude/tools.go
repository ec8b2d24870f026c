package claude

import (
	"bytes"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
)

// kind is what is known of a tool by its name.
type kind struct {
	name     string
	category collector.Category
	effect   collector.Effect
}

// known returns what is known of a built-in tool, of any version. The name is a constant, so that rows of millions of
// calls share it.
func known(name []byte) (kind, bool) {
	const (
		none = collector.EffectUnknown
		edit = collector.EffectEdit
		poll = collector.EffectPoll
	)
	switch string(name) {
	case "Bash":
		return kind{"Bash", collector.CategoryShell, none}, true
	case "Read":
		return kind{"Read", collector.CategoryFile, none}, true
	case "Edit":
		return kind{"Edit", collector.CategoryFile, edit}, true
	case "Write":
		return kind{"Write", collector.CategoryFile, edit}, true
	case "MultiEdit":
		return kind{"MultiEdit", collector.CategoryFile, edit}, true
	case "NotebookEdit":
		return kind{"NotebookEdit", collector.CategoryFile, edit}, true
	case "NotebookRead":
		return kind{"NotebookRead", collector.CategoryFile, none}, true
	case "Grep":
		return kind{"Grep", collector.CategorySearch, none}, true
	case "Glob":
		return kind{"Glob", collector.CategorySearch, none}, true
	case "LS":
		return kind{"LS", collector.CategorySearch, none}, true
	case "WebFetch", "WebSearch", "web_search", "web_fetch":
		return kind{string(name), collector.CategoryWeb, none}, true
	case "Task":
		return kind{"Task", collector.CategoryAgent, none}, true
	case "Agent":
		return kind{"Agent", collector.CategoryAgent, none}, true
	case "Workflow", "SendMessage", "TaskStop", "TeamCreate", "TeamDelete":
		return kind{string(name), collector.CategoryAgent, none}, true
	case "TaskOutput", "AgentOutputTool":
		return kind{string(name), collector.CategoryAgent, poll}, true
	case "BashOutput", "Monitor":
		return kind{string(name), collector.CategoryShell, poll}, true
	case "KillShell", "KillBash", "PowerShell":
		return kind{string(name), collector.CategoryShell, none}, true
	case "EnterWorktree", "ExitWorktree":
		return kind{string(name), collector.CategoryVCS, none}, true
	case "LSP":
		return kind{"LSP", collector.CategoryIDE, none}, true
	case "TodoWrite":
		return kind{"TodoWrite", collector.CategoryOther, none}, true
	case "TaskList", "TaskGet", "ScheduleWakeup":
		return kind{string(name), collector.CategoryOther, poll}, true
	}
	return kind{}, false
}

// classify says what a call touches and does, by its tool and, of shell commands, by what they run.
func classify(name []byte, input *fastjson.Value) (tool string, c collector.Category, e collector.Effect) {
	k, ok := known(name)
	switch {
	case ok && (k.name == "Bash" || k.name == "PowerShell"):
		k.category, k.effect = classifyCommand(input.GetStringBytes("command"))
	case ok:
	case bytes.HasPrefix(name, []byte("mcp__ide__")):
		k = kind{string(name), collector.CategoryIDE, collector.EffectUnknown}
	default: // MCP servers and plugins: mcp__<server>__<tool>
		k = kind{string(name), collector.CategoryOther, collector.EffectUnknown}
	}
	return k.name, k.category, k.effect
}

// classifyCommand looks at the first program that a command line runs, changing directories and waiting aside. A
// command that begins by waiting looks whether something is ready.
func classifyCommand(command []byte) (collector.Category, collector.Effect) {
	const looked = 500 // bytes; a script's head tells
	line := string(command[:min(len(command), looked)])
	effect := collector.EffectUnknown
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ';' || r == '&' || r == '|' || r == '\n' }) {
		switch program(part) {
		case "git", "gh", "glab", "hg", "jj", "svn":
			return collector.CategoryVCS, effect
		case "sleep", "until", "while", "wait":
			effect = collector.EffectPoll
		case "cd", "do", "":
		default:
			return collector.CategoryShell, effect
		}
	}
	return collector.CategoryShell, effect
}

// program returns the base name of the program that a simple command runs.
func program(command string) string {
	for _, w := range strings.Fields(command) {
		if strings.Contains(w, "=") || w == "sudo" || w == "time" || w == "command" || w == "env" {
			continue
		}
		return w[strings.LastIndexByte(w, '/')+1:]
	}
	return ""
}
