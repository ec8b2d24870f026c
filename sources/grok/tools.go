package grok

import (
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// toolKind is what a tool's name tells.
type toolKind struct {
	category collector.Category
	effect   collector.Effect
}

// toolKinds holds the tools that 1.0.41 offers its model.
var toolKinds = map[string]toolKind{
	"run_terminal_command": {category: collector.CategoryShell},
	"monitor":              {category: collector.CategoryShell},

	"read_file":      {category: collector.CategoryFile},
	"list_dir":       {category: collector.CategoryFile},
	"search_replace": {collector.CategoryFile, collector.EffectEdit},
	"write":          {collector.CategoryFile, collector.EffectEdit},

	"grep":        {category: collector.CategorySearch},
	"search_tool": {category: collector.CategorySearch},

	"web_search": {category: collector.CategoryWeb},
	"web_fetch":  {category: collector.CategoryWeb},
	"x_search":   {category: collector.CategoryWeb},

	"spawn_subagent":                 {category: collector.CategoryAgent},
	"workflow":                       {category: collector.CategoryAgent},
	"kill_command_or_subagent":       {category: collector.CategoryAgent},
	"get_command_or_subagent_output": {collector.CategoryAgent, collector.EffectPoll},
	"scheduler_list":                 {collector.CategoryOther, collector.EffectPoll},
}

// setTool fills in what a call's name and arguments tell. The tools of MCP servers are called through use_tool.
func setTool(ev *collector.Event, update *fastjson.Value, limit int) {
	tool := jsonl.Str(update, "_meta", "x.ai/tool", "name")
	if tool == "" {
		tool = jsonl.Str(update, "title") // of a tool that does not exist
	}
	args := update.Get("rawInput")
	if inner := jsonl.Str(args, "tool_name"); tool == "use_tool" && inner != "" {
		tool, args = inner, args.Get("tool_input")
	}
	nameTool(ev, tool, args, limit)
}

func nameTool(ev *collector.Event, tool string, args *fastjson.Value, limit int) {
	k, known := toolKinds[tool]
	if !known {
		k.category = collector.CategoryOther
	}
	ev.Tool, ev.Category, ev.Effect = tool, k.category, k.effect
	if args == nil {
		return
	}
	ev.Args = jsonl.Clip(args, limit)
	// A command's description is worded anew for the same deed.
	ev.ArgsHash = jsonl.ArgsHash(args, "description", "timeout", "timeout_ms")
	if k.category == collector.CategoryShell && onlyVCS(jsonl.Str(args, "command")) {
		ev.Category = collector.CategoryVCS
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

// resultHash is of what a repeated call would give again.
func resultHash(text []*fastjson.Value, code *int) uint64 {
	var d xxhash.Digest
	d.Reset()
	for _, t := range text {
		_, _ = d.WriteString(strconv.FormatUint(jsonl.Hash(t), 36))
	}
	if code != nil {
		_, _ = d.WriteString("\x00" + strconv.Itoa(*code))
	}
	return max(d.Sum64(), 1)
}

// lines counts the lines that edits added and removed: those that the old and the new text do not share at their ends.
func lines(content []*fastjson.Value) (added, removed int) {
	for _, c := range content {
		if jsonl.Str(c, "type") != "diff" {
			continue
		}
		before, after := split(jsonl.Str(c, "oldText")), split(jsonl.Str(c, "newText"))
		for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
			before, after = before[1:], after[1:]
		}
		for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
			before, after = before[:len(before)-1], after[:len(after)-1]
		}
		added, removed = added+len(after), removed+len(before)
	}
	return added, removed
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
