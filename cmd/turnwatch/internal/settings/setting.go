// Package settings reads the configuration file and knows where each setting's value comes from: the command line goes
// before the environment, that before the file, and that before the default. Settings are the flags that have an
// environment variable; the file knows them by the flag's name. Nothing is listed twice: the flags are the list.
package settings

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Setting is something that the user may set for good.
type Setting struct {
	Name     string   `json:"name"` // as in the file; the flag is --Name
	Env      string   `json:"env"`
	Doc      string   `json:"doc"`
	Default  string   `json:"default"`
	Commands []string `json:"commands"` // that it matters to; empty = all
	Secret   bool     `json:"secret,omitempty"`

	flag *kong.Flag
}

// All lists the settings of an application, those of all commands first, then by the order of the commands.
func All(app *kong.Application) []Setting {
	var all []Setting
	add := func(command string, flags []*kong.Flag) {
		for _, f := range flags {
			if len(f.Envs) == 0 || f.Hidden {
				continue
			}
			i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == f.Name })
			if i < 0 {
				i = len(all)
				all = append(all, Setting{
					Name: f.Name, Env: f.Envs[0], Doc: docOf(f), Default: defaultOf(f), Secret: f.Tag.Has("secret"), flag: f, Commands: []string{},
				})
			}
			if command != "" {
				all[i].Commands = append(all[i].Commands, command)
			}
		}
	}
	add("", app.Flags)
	for _, leaf := range app.Leaves(true) {
		add(strings.TrimPrefix(leaf.FullPath(), app.Name+" "), leaf.Flags)
	}
	return all
}

// ForgetEmpty takes empty variables out of the environment: they say nothing, while an empty path would name the
// working directory.
func ForgetEmpty(app *kong.Application) {
	for _, s := range All(app) {
		if v, ok := os.LookupEnv(s.Env); ok && v == "" {
			_ = os.Unsetenv(s.Env)
		}
	}
}

// docOf is a flag's help without what the table says anyway.
func docOf(f *kong.Flag) string {
	doc, _, _ := strings.Cut(f.OrigHelp, " (default:")
	if !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return doc
}

// defaultOf is a flag's default; one that depends on the system stands in its help.
func defaultOf(f *kong.Flag) string {
	if f.HasDefault {
		return f.Default
	}
	if _, rest, found := strings.Cut(f.Help, "(default: "); found {
		text, _, _ := strings.Cut(rest, ")")
		text, _, _ = strings.Cut(text, ", if it is there")
		return text
	}
	if f.IsBool() {
		return "false"
	}
	return ""
}

// From says where a value comes from.
type From string

// The places that values come from, the strongest first.
const (
	FromFlag    From = "flag"
	FromEnv     From = "env"
	FromFile    From = "file"
	FromDefault From = "default"
)

// Value is a setting as it stands.
type Value struct {
	Setting
	Value string `json:"value"`
	From  From   `json:"from"`
}

// hidden stands for the value of a secret.
const hidden = "(set)"

// Values says how each setting stands, for a command line that was parsed.
func Values(ctx *kong.Context, file *File) []Value {
	given := map[string]*kong.Flag{}
	for _, p := range ctx.Path {
		if p.Flag != nil && !p.Resolved {
			given[p.Flag.Name] = p.Flag
		}
	}
	var all []Value
	for _, s := range All(ctx.Model) {
		v := Value{s, s.Default, FromDefault}
		env, inEnv := os.LookupEnv(s.Env)
		switch f := given[s.Name]; {
		case f != nil:
			v.Value, v.From = fmt.Sprint(ctx.FlagValue(f)), FromFlag
		case inEnv:
			v.Value, v.From = env, FromEnv
		case file.has(s.Name):
			v.Value, v.From = file.values[s.Name], FromFile
		}
		if s.Secret && v.Value != "" {
			v.Value = hidden
		}
		all = append(all, v)
	}
	return all
}
