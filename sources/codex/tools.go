package codex

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// toolKind is what a tool's name tells.
type toolKind struct {
	category collector.Category
	effect   collector.Effect
}

var toolKinds = map[string]toolKind{
	"exec_command":     {category: collector.CategoryShell},
	"shell":            {category: collector.CategoryShell},
	"shell_command":    {category: collector.CategoryShell},
	"container.exec":   {category: collector.CategoryShell},
	"write_stdin":      {category: collector.CategoryShell},
	"apply_patch":      {collector.CategoryFile, collector.EffectEdit},
	"view_image":       {category: collector.CategoryFile},
	"read_file":        {category: collector.CategoryFile},
	"list_dir":         {category: collector.CategoryFile},
	"grep_files":       {category: collector.CategorySearch},
	"web_search":       {category: collector.CategoryWeb},
	"spawn_agent":      {category: collector.CategoryAgent},
	"send_input":       {category: collector.CategoryAgent},
	"send_message":     {category: collector.CategoryAgent},
	"resume_agent":     {category: collector.CategoryAgent},
	"close_agent":      {category: collector.CategoryAgent},
	"list_agents":      {category: collector.CategoryAgent},
	"wait_agent":       {collector.CategoryAgent, collector.EffectPoll},
	"wait":             {collector.CategoryAgent, collector.EffectPoll},
	"update_plan":      {category: collector.CategoryOther},
	"image_generation": {category: collector.CategoryOther},
}

// kindOf returns the kind of a tool. Tools of MCP servers can be anything, whatever they are called.
func kindOf(namespace, name string) toolKind {
	if strings.HasPrefix(namespace, "mcp__") {
		return toolKind{category: collector.CategoryOther}
	}
	if k, known := toolKinds[name]; known {
		return k
	}
	if strings.HasPrefix(namespace, "multi_agent") || namespace == "collaboration" {
		return toolKind{category: collector.CategoryAgent}
	}
	return toolKind{category: collector.CategoryOther}
}

// refine sets what the arguments tell beyond the tool's name.
func refine(e *collector.Event, name string, args *fastjson.Value) {
	switch {
	case name == "write_stdin":
		if jsonl.Str(args, "chars") == "" {
			e.Effect = collector.EffectPoll
		}
	case e.Category == collector.CategoryShell:
		command(e, commandOf(args))
	}
}

// commandOf returns the command line of a shell call: of an argument vector, what the shell is told to run.
func commandOf(args *fastjson.Value) string {
	for _, key := range []string{"cmd", "command"} {
		if argv := args.GetArray(key); len(argv) > 0 {
			if len(argv) == 3 && strings.HasPrefix(jsonl.Str(argv[1]), "-") {
				return jsonl.Str(argv[2])
			}
			words := make([]string, len(argv))
			for i, w := range argv {
				words[i] = jsonl.Str(w)
			}
			return strings.Join(words, " ")
		}
		if s := jsonl.Str(args, key); s != "" {
			return s
		}
	}
	return ""
}

// command sets category and effect of a shell command: a patch given to the shell edits files, and what only runs
// git is version control. Everything else stays a shell call, whatever its first word.
func command(e *collector.Event, cmd string) {
	switch {
	case strings.HasPrefix(cmd, "apply_patch") || strings.Contains(cmd, "apply_patch <<"):
		e.Category, e.Effect = collector.CategoryFile, collector.EffectEdit
	case onlyGit(cmd):
		e.Category = collector.CategoryVCS
	}
}

// onlyGit reports whether a command line runs git (or gh) and, beside it, only changes directory or filters.
func onlyGit(cmd string) bool {
	git := false
	for _, line := range strings.FieldsFunc(cmd, func(r rune) bool { return r == '\n' || r == ';' || r == '&' }) {
		first, _, _ := strings.Cut(line, "|")
		switch word, _, _ := strings.Cut(strings.TrimSpace(first), " "); word {
		case "git", "gh":
			git = true
		case "", "cd", "1", "2": // "2>&1" was cut at its ampersand
		default:
			return false
		}
	}
	return git
}
