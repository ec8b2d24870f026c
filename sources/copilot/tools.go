package copilot

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// categories holds the tools that the CLI brings along (names from recordings of 1.0.20 to 1.0.102 and its help).
var categories = map[string]collector.Category{
	"bash": collector.CategoryShell, "powershell": collector.CategoryShell, "shell": collector.CategoryShell,
	"local_shell": collector.CategoryShell, "write_bash": collector.CategoryShell, "read_bash": collector.CategoryShell,
	"stop_bash": collector.CategoryShell, "list_bash": collector.CategoryShell, "write_powershell": collector.CategoryShell,
	"read_powershell": collector.CategoryShell, "stop_powershell": collector.CategoryShell, "list_powershell": collector.CategoryShell,

	"view": collector.CategoryFile, "create": collector.CategoryFile, "edit": collector.CategoryFile, "str_replace": collector.CategoryFile,
	"str_replace_editor": collector.CategoryFile, "apply_patch": collector.CategoryFile, "insert": collector.CategoryFile,
	"undo_edit": collector.CategoryFile, "show_file": collector.CategoryFile,

	"grep": collector.CategorySearch, "glob": collector.CategorySearch, "rg": collector.CategorySearch, "search_code_subagent": collector.CategorySearch,
	"tool_search": collector.CategorySearch,

	"web_fetch": collector.CategoryWeb, "web_search": collector.CategoryWeb, "fetch_copilot_cli_documentation": collector.CategoryWeb,

	"task": collector.CategoryAgent, "read_agent": collector.CategoryAgent, "list_agents": collector.CategoryAgent,
	"write_agent": collector.CategoryAgent, "stop_agent": collector.CategoryAgent, "send_message": collector.CategoryAgent,
}

// editors change files.
var editors = map[string]bool{
	"create": true, "edit": true, "str_replace": true, "str_replace_editor": true, "apply_patch": true, "insert": true, "undo_edit": true,
}

// pollers look whether something is ready; repeating them is normal.
var pollers = map[string]bool{
	"read_bash": true, "read_powershell": true, "list_bash": true, "list_powershell": true, "read_agent": true, "list_agents": true,
}

// ignoredArgs are worded or guessed anew for the same deed.
var ignoredArgs = []string{"description", "timeout", "timeoutMs", "timeout_ms", "initial_wait", "initialWait", "delay", "intention"}

// setTool fills in what the tool's name and arguments tell.
func setTool(ev *collector.Event, tool, server string, args *fastjson.Value, limit int) {
	ev.Tool = tool
	ev.Category = category(tool, server, args)
	ev.Effect = effect(tool, args)
	if args != nil {
		ev.Args = jsonl.Clip(args, limit)
		ev.ArgsHash = jsonl.ArgsHash(args, ignoredArgs...)
	}
}

func category(tool, server string, args *fastjson.Value) collector.Category {
	switch {
	case server == "ide" || strings.HasPrefix(tool, "ide-"):
		return collector.CategoryIDE
	case strings.HasPrefix(server, "github") || strings.HasPrefix(tool, "github-"):
		return collector.CategoryVCS
	case server != "":
		return collector.CategoryOther
	}
	c, known := categories[tool]
	if !known {
		return collector.CategoryOther
	}
	if c == collector.CategoryShell && onlyVCS(jsonl.Str(args, "command")) {
		return collector.CategoryVCS
	}
	return c
}

func effect(tool string, args *fastjson.Value) collector.Effect {
	switch {
	case tool == "str_replace_editor" && jsonl.Str(args, "command") == "view":
		return collector.EffectUnknown
	case editors[tool]:
		return collector.EffectEdit
	case pollers[tool]:
		return collector.EffectPoll
	case (tool == "write_bash" || tool == "write_powershell") && jsonl.Str(args, "input") == "":
		return collector.EffectPoll
	}
	return collector.EffectUnknown
}

// onlyVCS reports whether every command of a shell line is git or gh; changing the directory first is allowed.
func onlyVCS(line string) bool {
	found := false
	for _, cmd := range strings.FieldsFunc(line, func(r rune) bool { return r == '&' || r == '|' || r == ';' || r == '\n' }) {
		word, _, _ := strings.Cut(strings.TrimSpace(cmd), " ")
		switch word {
		case "git", "gh":
			found = true
		case "cd", "":
		default:
			return false
		}
	}
	return found
}
