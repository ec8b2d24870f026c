package settings

import (
	"fmt"
	"strings"
)

// Markdown writes settings as a table.
func Markdown(all []Setting) string {
	var b strings.Builder
	b.WriteString("| in the file | on the command line | in the environment | default | what it sets | for |\n|---|---|---|---|---|---|\n")
	for _, s := range all {
		file := "`" + s.Name + "`"
		if s.Name == configName {
			file = "–"
		}
		commands := "all commands"
		if len(s.Commands) > 0 {
			commands = "`" + strings.Join(s.Commands, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| %s | `--%s` | `%s` | %s | %s | %s |\n", file, s.Name, s.Env, code(s.generalDefault()), s.Doc, commands)
	}
	return b.String()
}

// configName is the one setting that the file cannot hold: its own place.
const configName = "config"

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// generalDefault is the default without what depends on the machine.
func (s Setting) generalDefault() string {
	switch {
	case strings.Contains(s.flag.OrigHelp, "${data_dir}"):
		return "~/.local/share/turnwatch"
	case strings.Contains(s.flag.OrigHelp, "${config_file}"):
		return "~/.config/turnwatch/config.toml"
	case strings.Contains(s.flag.OrigHelp, "${prices_file}"):
		return "prices.json in the data directory"
	}
	return s.Default
}

// Example writes a configuration file in which everything is commented out.
func Example(all []Setting) string {
	var b strings.Builder
	b.WriteString("# Settings of Turnwatch. Flags and environment variables go before what stands here.\n")
	for _, s := range all {
		if s.Name == configName {
			continue
		}
		value := s.Default
		if !s.bare() {
			value = fmt.Sprintf("%q", value)
		}
		if s.flag.IsSlice() {
			value = "[]"
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", s.Doc, s.Name, value)
	}
	return b.String()
}

// bare reports whether the value stands without quotes in TOML.
func (s Setting) bare() bool {
	if s.flag.IsBool() {
		return true
	}
	return strings.Trim(s.Default, "0123456789") == "" && s.Default != ""
}
