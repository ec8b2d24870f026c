package hooks

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// agent is what differs between agents. A new one is a file with a value of it, and its line in agents.
type agent struct {
	name   collector.Agent
	home   func(Config) string // its folder
	user   string              // the file for all sessions, below home
	repo   string              // the file for one repository, below its root
	events []string
	// ours says that the file is named after us, so that what is in it and not ours is an accident.
	ours bool
	// top are members that a new file begins with.
	top jsontext.Members
	// element is what stands in an event's list.
	element func(event string) any
	// commands are the members of a handler that hold shell commands.
	commands []string
	// grouped says that a list holds groups, which hold the handlers as "hooks".
	grouped bool
	// posix says that its commands need a POSIX shell also on Windows, where it has none to run them with.
	posix bool
	// off is a member of the file that switches all hooks off; "" = there is none.
	off string
	// review looks whether the user agreed to the hooks of a file; nil where nobody asks.
	review func(Config, place, document) (Trust, []string)
}

// agents lists the agents with hooks.
func agents() []agent { return []agent{claude(), codex(), copilot(), gemini(), grok()} }

// pick returns the agent of that name, or all.
func pick(name collector.Agent) ([]agent, error) {
	all := agents()
	if name == "" {
		return all, nil
	}
	i := slices.IndexFunc(all, func(a agent) bool { return a.name == name })
	if i < 0 {
		names := make([]string, 0, len(all))
		for _, a := range all {
			names = append(names, string(a.name))
		}
		return nil, invalid("%q has no hooks that Turnwatch knows; those of %s are known", name, list(names))
	}
	return all[i : i+1], nil
}

// present reports whether the agent has its folder on this machine.
func (a agent) present(cfg Config) bool {
	info, err := os.Stat(a.home(cfg))
	return err == nil && info.IsDir()
}

// homeFrom returns the folder that an environment variable names, the first one of a list, or the default one.
func homeFrom(cfg Config, variable, fallback string) string {
	for _, part := range filepath.SplitList(cfg.Getenv(variable)) {
		if filepath.IsAbs(part) {
			return filepath.Clean(part)
		}
	}
	return filepath.Join(cfg.Home, fallback)
}

// commandHandler is how Claude Code and Codex write a handler down.
type commandHandler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // s
}

// commandGroup is a group without a matcher, which is for everything.
type commandGroup struct {
	Hooks []commandHandler `json:"hooks"`
}

func group(name collector.Agent, condition string) func(string) any {
	return func(event string) any {
		return commandGroup{[]commandHandler{{"command", bridge(name, event, condition), bridgeTimeout}}}
	}
}
