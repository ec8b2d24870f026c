package completion

import (
	"fmt"
	"strings"
)

// fish writes a line per flag and command.
func fish(name string, all []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# fish completion of %[1]s: %[1]s completion fish | source\ncomplete -c %[1]s -f\n", name)
	for _, c := range all {
		when := condition(c)
		for _, s := range c.subs {
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s -d %s\n", name, quoteFish(when), last(s.path), quoteFish(s.help))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c %s -n %s -l %s", name, quoteFish(when), f.name)
			if f.short != "" {
				fmt.Fprintf(&b, " -s %s", f.short)
			}
			switch {
			case len(f.values) > 0:
				fmt.Fprintf(&b, " -x -a %s", quoteFish(strings.Join(f.values, " ")))
			case f.dir, f.file:
				b.WriteString(" -r -F")
			case f.takes:
				b.WriteString(" -x")
			}
			fmt.Fprintf(&b, " -d %s\n", quoteFish(f.help))
		}
		if c.ids {
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s\n", name, quoteFish(when), quoteFish("("+name+" "+listIDs+")"))
		}
	}
	return b.String()
}

// condition says when a command is the one that is being typed.
func condition(c command) string {
	if c.path == "" {
		return "__fish_use_subcommand"
	}
	var parts []string
	for word := range strings.FieldsSeq(c.path) {
		parts = append(parts, "__fish_seen_subcommand_from "+word)
	}
	if len(c.subs) > 0 {
		names := make([]string, 0, len(c.subs))
		for _, s := range c.subs {
			names = append(names, last(s.path))
		}
		parts = append(parts, "not __fish_seen_subcommand_from "+strings.Join(names, " "))
	}
	return strings.Join(parts, "; and ")
}

func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
