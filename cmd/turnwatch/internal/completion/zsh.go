package completion

import (
	"fmt"
	"strings"
)

// zsh writes a function per command for _arguments.
func zsh(name string, all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %[1]s\n# zsh completion of %[1]s: source <(%[1]s completion zsh), behind compinit\n", name)
	fmt.Fprintf(&b, "_%[1]s_ids() {\n  local -a ids\n  ids=(${${(f)\"$(%[1]s %[2]s)\"}/$'\\t'/:})\n  _describe session ids\n}\n", name, listIDs)
	for _, c := range all {
		fmt.Fprintf(&b, "%s() {\n  local curcontext=$curcontext state line\n  _arguments -C", function(name, c.path))
		for _, f := range c.flags {
			value := zshValue(f)
			fmt.Fprintf(&b, " \\\n    %s", quote("--"+f.name+"["+bracket(f.help)+"]"+value))
			if f.short != "" {
				fmt.Fprintf(&b, " \\\n    %s", quote("-"+f.short+"["+bracket(f.help)+"]"+value))
			}
		}
		switch {
		case len(c.subs) > 0:
			b.WriteString(" \\\n    '1: :->command' '*::arg:->rest'\n  case $state in\n    command)\n      local -a commands\n      commands=(")
			for _, s := range c.subs {
				fmt.Fprintf(&b, "\n        %s", quote(last(s.path)+":"+s.help))
			}
			b.WriteString(")\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n")
			for _, s := range c.subs {
				fmt.Fprintf(&b, "        %s) %s ;;\n", last(s.path), function(name, s.path))
			}
			b.WriteString("      esac ;;\n  esac\n}\n")
		case c.ids:
			fmt.Fprintf(&b, " \\\n    '*:session:_%s_ids'\n}\n", name)
		default:
			b.WriteString("\n}\n")
		}
	}
	fmt.Fprintf(&b, "compdef _%[1]s %[1]s\n", name)
	return b.String()
}

func function(name, path string) string {
	f := "_" + name
	if path != "" {
		f += "_" + strings.ReplaceAll(path, " ", "_")
	}
	return strings.ReplaceAll(f, "-", "_")
}

func bracket(help string) string {
	return strings.NewReplacer("[", "(", "]", ")", ":", ",").Replace(help)
}

func zshValue(f flag) string {
	switch {
	case len(f.values) > 0:
		return ":value:(" + strings.Join(f.values, " ") + ")"
	case f.dir:
		return ":directory:_files -/"
	case f.file:
		return ":file:_files"
	case f.takes:
		return ":value: "
	}
	return ""
}
