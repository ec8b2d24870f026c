package opencode

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// invalid is the tool that answers for calls of unknown tools.
const invalid = "invalid"

// categories holds the tools that the program brings along (1.18.33 and its documentation).
var categories = map[string]collector.Category{
	"bash": collector.CategoryShell, "shell": collector.CategoryShell,

	"read": collector.CategoryFile, "write": collector.CategoryFile, "edit": collector.CategoryFile, "multiedit": collector.CategoryFile,
	"patch": collector.CategoryFile, "apply_patch": collector.CategoryFile, "list": collector.CategoryFile,

	"grep": collector.CategorySearch, "glob": collector.CategorySearch, "codesearch": collector.CategorySearch,

	"webfetch": collector.CategoryWeb, "websearch": collector.CategoryWeb,

	"task": collector.CategoryAgent, "lsp": collector.CategoryIDE,
}

// effects says which tools change files.
var effects = map[string]collector.Effect{
	"write": collector.EffectEdit, "edit": collector.EffectEdit, "multiedit": collector.EffectEdit, "patch": collector.EffectEdit,
	"apply_patch": collector.EffectEdit,
}

// ignoredArgs are worded or guessed anew for the same deed.
var ignoredArgs = []string{"description", "timeout"}

func category(tool string, args *fastjson.Value) collector.Category {
	c, known := categories[tool]
	if !known {
		return collector.CategoryOther // of an MCP server, which the record does not tell from others
	}
	if c == collector.CategoryShell && onlyVCS(jsonl.Str(args, "command")) {
		return collector.CategoryVCS
	}
	return c
}

// onlyVCS reports whether every command of a shell line is git or gh; changing the directory first is allowed.
func onlyVCS(line string) bool {
	found := false
	for _, cmd := range strings.FieldsFunc(line, func(r rune) bool { return r == '&' || r == '|' || r == ';' || r == '\n' }) {
		switch word, _, _ := strings.Cut(strings.TrimSpace(cmd), " "); word {
		case "git", "gh":
			found = true
		case "cd", "":
		default:
			return false
		}
	}
	return found
}
