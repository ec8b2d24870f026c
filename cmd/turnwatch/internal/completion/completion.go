// Package completion writes the scripts that complete the program's command line in a shell. They are made from the
// command line's own description and are static: completing runs nothing but the shell, but for session ids, which
// the program lists.
package completion

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Shell is a shell that can complete.
type Shell string

// The shells.
const (
	Bash Shell = "bash"
	Zsh  Shell = "zsh"
	Fish Shell = "fish"
)

// command is a command with what can follow it.
type command struct {
	path  string // "" = the program itself
	help  string
	flags []flag
	subs  []command
	ids   bool // it takes a session's id
}

type flag struct {
	name, short, help string
	values            []string
	takes             bool // a value
	file, dir         bool
}

// commands flattens the model, the program itself first.
func commands(app *kong.Application) []command {
	root := node(app.Node, "", nil)
	if d := app.DefaultCmd; d != nil { // its flags can stand without its name
		root.flags = append(root.flags, flagsOf(d.Flags)...)
	}
	return flat(root)
}

func flat(c command) []command {
	all := []command{c}
	for _, s := range c.subs {
		all = append(all, flat(s)...)
	}
	return all
}

func node(n *kong.Node, path string, above []flag) command {
	c := command{path: path, help: sentence(n.Help), flags: append(append([]flag{}, above...), flagsOf(n.Flags)...)}
	for _, p := range n.Positional {
		c.ids = c.ids || p.Name == "id" || p.Name == "a"
	}
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		c.subs = append(c.subs, node(child, strings.TrimSpace(path+" "+child.Name), c.flags))
	}
	return c
}

func flagsOf(all []*kong.Flag) []flag {
	var flags []flag
	for _, f := range all {
		if f.Hidden {
			continue
		}
		x := flag{name: f.Name, help: sentence(f.Help), takes: !f.IsBool(), dir: f.PlaceHolder == "DIR", file: f.PlaceHolder == "FILE"}
		if f.Short != 0 {
			x.short = string(f.Short)
		}
		if f.Enum != "" {
			for _, v := range f.EnumSlice() {
				if v != "" {
					x.values = append(x.values, v)
				}
			}
		}
		flags = append(flags, x)
		if f.Tag.Negatable != "" {
			flags = append(flags, flag{name: "no-" + f.Name, help: "Not: " + x.help})
		}
	}
	return flags
}

// sentence is the first sentence of a help, which fits on a line.
func sentence(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	return strings.TrimSuffix(first, ".")
}

// Script writes the script of a shell.
func Script(shell Shell, app *kong.Application) (string, error) {
	all := commands(app)
	switch shell {
	case Bash:
		return bash(app.Name, all), nil
	case Zsh:
		return zsh(app.Name, all), nil
	case Fish:
		return fish(app.Name, all), nil
	}
	return "", fmt.Errorf("shell %q: want bash, zsh or fish", shell)
}

// listIDs is how a script asks for sessions: one line each, the id, a tab and the title.
const listIDs = "completion ids 2>/dev/null"

// quote makes one word of a text for a POSIX shell, or fish.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
