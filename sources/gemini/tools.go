package gemini

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

// toolKinds holds the tools of 0.61.0, and names that earlier versions had for them.
var toolKinds = map[string]toolKind{
	"read_file":       {category: collector.CategoryFile},
	"read_many_files": {category: collector.CategoryFile},
	"list_directory":  {category: collector.CategoryFile},
	"write_file":      {collector.CategoryFile, collector.EffectEdit},
	"replace":         {collector.CategoryFile, collector.EffectEdit},

	"glob":                {category: collector.CategorySearch},
	"grep_search":         {category: collector.CategorySearch},
	"search_file_content": {category: collector.CategorySearch},

	shellTool:                   {category: collector.CategoryShell},
	"list_background_processes": {collector.CategoryShell, collector.EffectPoll},
	"read_background_output":    {collector.CategoryShell, collector.EffectPoll},

	"web_fetch":         {category: collector.CategoryWeb},
	"google_web_search": {category: collector.CategoryWeb},

	"invoke_agent":          {category: collector.CategoryAgent},
	"codebase_investigator": {category: collector.CategoryAgent},
	"cli_help":              {category: collector.CategoryAgent},
	"generalist":            {category: collector.CategoryAgent},
}

// ignoredArgs are worded anew for the same deed.
var ignoredArgs = []string{"description", "instruction"}

// setTool fills in what the tool's name and arguments tell.
func setTool(e *collector.Event, tool string, args *fastjson.Value, limit int) {
	kind, known := toolKinds[tool]
	if !known {
		kind.category = collector.CategoryOther
	}
	e.Tool, e.Category, e.Effect = tool, kind.category, kind.effect
	if args == nil {
		return
	}
	e.Args, e.ArgsHash = jsonl.Clip(args, limit), jsonl.ArgsHash(args, ignoredArgs...)
	if tool == shellTool && onlyGit(jsonl.Str(args, "command")) {
		e.Category = collector.CategoryVCS
	}
}

// onlyGit reports whether every command of a shell line is git or gh; changing the directory first is allowed.
func onlyGit(line string) bool {
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
