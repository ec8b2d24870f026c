package completion

import (
	"fmt"
	"strings"
)

// bash writes a function that finds the command among the words and offers what can follow.
func bash(name string, all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# bash completion of %[1]s: eval \"$(%[1]s completion bash)\"\n_%[1]s() {\n", name)
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path='' word i\n")
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    word=${COMP_WORDS[i]}\n    case \"$path $word\" in\n")
	for _, c := range all {
		if c.path != "" {
			fmt.Fprintf(&b, "      %s) path=%s ;;\n", quote(before(c.path)+" "+last(c.path)), quote(c.path))
		}
	}
	b.WriteString("    esac\n  done\n  case \"$path $prev\" in\n")
	for _, c := range all {
		for _, f := range c.flags {
			if action := bashValue(f); action != "" {
				pattern := quote(c.path + " --" + f.name)
				if f.short != "" {
					pattern += "|" + quote(c.path+" -"+f.short)
				}
				fmt.Fprintf(&b, "    %s) %s; return ;;\n", pattern, action)
			}
		}
	}
	b.WriteString("  esac\n  case \"$path\" in\n")
	for _, c := range all {
		var words []string
		for _, s := range c.subs {
			words = append(words, last(s.path))
		}
		for _, f := range c.flags {
			words = append(words, "--"+f.name)
		}
		ids := ""
		if c.ids {
			ids = fmt.Sprintf("; [[ $cur == -* ]] || COMPREPLY+=($(compgen -W \"$(%s %s | cut -f1)\" -- \"$cur\"))", name, listIDs)
		}
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W %s -- \"$cur\"))%s ;;\n", quote(c.path), quote(strings.Join(words, " ")), ids)
	}
	fmt.Fprintf(&b, "  esac\n}\ncomplete -F _%[1]s %[1]s\n", name)
	return b.String()
}

// bashValue completes a flag's value; "" = there is none.
func bashValue(f flag) string {
	switch {
	case len(f.values) > 0:
		return "COMPREPLY=($(compgen -W " + quote(strings.Join(f.values, " ")) + ` -- "$cur"))`
	case f.dir:
		return `COMPREPLY=($(compgen -d -- "$cur"))`
	case f.file:
		return `COMPREPLY=($(compgen -f -- "$cur"))`
	case f.takes:
		return "COMPREPLY=()"
	}
	return ""
}

func before(path string) string {
	i := strings.LastIndexByte(path, ' ')
	return path[:max(i, 0)]
}

func last(path string) string { return path[strings.LastIndexByte(path, ' ')+1:] }
