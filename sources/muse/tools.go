package muse

import (
	"cmp"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// categories holds the tools that 1.4.2 gives its model.
var categories = map[string]collector.Category{
	"bash": collector.CategoryShell, "bash_input": collector.CategoryShell, "monitor": collector.CategoryShell,

	"read_file": collector.CategoryFile, "write_file": collector.CategoryFile, "edit_file": collector.CategoryFile,

	"search": collector.CategorySearch,

	"web_fetch": collector.CategoryWeb, "web_search": collector.CategoryWeb,

	"subagent_spawn": collector.CategoryAgent, "subagent_status": collector.CategoryAgent, "subagent_send_message": collector.CategoryAgent,
	"subagent_wait": collector.CategoryAgent, "subagent_read_result": collector.CategoryAgent, "subagent_cancel": collector.CategoryAgent,
	"workflow": collector.CategoryAgent, "list_peer_sessions": collector.CategoryAgent, "send_session_message": collector.CategoryAgent,
	"work_stop": collector.CategoryAgent, "work_list": collector.CategoryAgent, "work_status": collector.CategoryAgent,
}

// editors change files.
var editors = map[string]bool{"write_file": true, "edit_file": true}

// pollers look whether something is ready; repeating them is normal.
var pollers = map[string]bool{
	"monitor": true, "subagent_status": true, "subagent_wait": true, "subagent_read_result": true, "work_list": true, "work_status": true,
}

// ignoredArgs are worded or guessed anew for the same deed.
var ignoredArgs = []string{"description", "timeout", "timeout_ms"}

// setTool fills in what the tool's name and arguments tell.
func setTool(ev *collector.Event, tool string, args *fastjson.Value, limit int) {
	ev.Tool = tool
	ev.Category = cmp.Or(categories[tool], collector.CategoryOther)
	switch {
	case tool == "bash" && onlyVCS(cmp.Or(jsonl.Str(args, "command"), jsonl.Str(args, "cmd"))):
		ev.Category = collector.CategoryVCS
	case editors[tool]:
		ev.Effect = collector.EffectEdit
	case pollers[tool], tool == "bash_input" && args != nil && jsonl.Str(args, "chars") == "":
		ev.Effect = collector.EffectPoll
	}
	if args != nil {
		ev.Args = jsonl.Clip(args, limit)
		ev.ArgsHash = jsonl.ArgsHash(args, ignoredArgs...)
	}
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
