package antigravity

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// categories holds the tools that 1.2.17 lists at its start, and what they touch; browser tools go by their prefix.
var categories = map[string]collector.Category{
	"run_command": collector.CategoryShell, "send_command_input": collector.CategoryShell, "command_status": collector.CategoryShell,
	"notebook_execution": collector.CategoryShell,

	"view_file": collector.CategoryFile, "write_to_file": collector.CategoryFile, "replace_file_content": collector.CategoryFile,
	"multi_replace_file_content": collector.CategoryFile, "sed_file": collector.CategoryFile, "notebook_edit": collector.CategoryFile,
	"list_dir": collector.CategoryFile,

	"grep_search": collector.CategorySearch, "find_by_name": collector.CategorySearch, "codebase_search": collector.CategorySearch,

	"search_web": collector.CategoryWeb, "read_url_content": collector.CategoryWeb, "open_browser_url": collector.CategoryWeb,
	"read_browser_page": collector.CategoryWeb, "list_browser_pages": collector.CategoryWeb, "execute_browser_javascript": collector.CategoryWeb,
	"click_browser_pixel": collector.CategoryWeb, "capture_browser_screenshot": collector.CategoryWeb,
	"capture_browser_console_logs": collector.CategoryWeb,

	"browser_subagent": collector.CategoryAgent, "invoke_subagent": collector.CategoryAgent, "define_subagent": collector.CategoryAgent,
	"manage_subagents": collector.CategoryAgent, "send_message": collector.CategoryAgent, "manage_inbox": collector.CategoryAgent,
	"run_workflow": collector.CategoryAgent,
}

// editors change files.
var editors = map[string]bool{
	"write_to_file": true, "replace_file_content": true, "multi_replace_file_content": true, "sed_file": true, "notebook_edit": true,
}

// pollers look whether something is ready; repeating them is normal.
var pollers = map[string]bool{
	"command_status": true, "wait": true, "wait_5_seconds": true, "manage_task": true, "manage_subagents": true, "manage_inbox": true,
}

// ignoredArgs are worded or guessed anew for the same deed.
var ignoredArgs = []string{"toolAction", "toolSummary", "WaitMsBeforeAsync", "Description", "Instruction"}

// plainArgs calls fn with a call's arguments as plain JSON. The shortened transcript holds each value as JSON in a
// string; a string that is no JSON (it was shortened) stays what it is.
func (d *decoder) plainArgs(args *fastjson.Value, fn func(*fastjson.Value)) {
	if d.full || args == nil || args.Type() != fastjson.TypeObject {
		fn(args)
		return
	}
	var arena fastjson.Arena
	plain := arena.NewObject()
	args.GetObject().Visit(func(key []byte, v *fastjson.Value) {
		if v.Type() == fastjson.TypeString {
			if value, err := fastjson.ParseBytes(v.GetStringBytes()); err == nil {
				v = value
			}
		}
		plain.Set(string(key), v)
	})
	fn(plain)
}

// setTool fills in what the tool's name and arguments tell. A tool of an MCP server is called by its own name behind the
// server's.
func setTool(ev *collector.Event, tool string, args *fastjson.Value, limit int) {
	ev.Tool = tool
	ev.Category = cmp.Or(categories[tool], collector.CategoryOther)
	switch {
	case tool == "call_mcp_tool":
		if name := jsonl.Str(args, "ToolName"); name != "" {
			ev.Tool = strings.TrimPrefix(jsonl.Str(args, "ServerName")+"."+name, ".")
			if inner := args.Get("Arguments"); inner != nil {
				args = inner
			}
		}
	case strings.HasPrefix(tool, "browser_") && ev.Category == collector.CategoryOther:
		ev.Category = collector.CategoryWeb
	case tool == "run_command" && onlyVCS(jsonl.Str(args, "CommandLine")):
		ev.Category = collector.CategoryVCS
	}
	switch {
	case editors[tool]:
		ev.Effect = collector.EffectEdit
	case pollers[tool]:
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
		switch filepath.Base(word) {
		case "git", "gh":
			found = true
		case "cd", ".":
		default:
			return false
		}
	}
	return found
}
