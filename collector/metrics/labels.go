package metrics

import (
	"regexp"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// How many names a label takes. Those that somebody knows have room of their own, so that made-up ones cannot take it.
const (
	knownNames   = 80
	strangeNames = 20
	mcpServers   = 20
	maxVersions  = 20 // of each agent
)

const (
	other   = "other"   // instead of a name that there is no room for, or that is none
	nothing = "unknown" // instead of a name that the log does not say
)

// labels turns what logs say into label values.
type labels struct {
	agents   map[collector.Agent]bool
	tools    names
	models   names
	servers  names
	versions map[collector.Agent]*names
	events   map[string]bool
	cost     func(model string, t collector.Tokens) collector.Amount
}

func newLabels(cfg Config) labels {
	l := labels{
		cost: cfg.Cost, agents: map[collector.Agent]bool{}, events: map[string]bool{}, versions: map[collector.Agent]*names{},
		tools: newNames(knownNames, strangeNames), models: newNames(knownNames, strangeNames), servers: newNames(0, mcpServers),
	}
	for _, a := range cfg.Agents {
		versions := newNames(0, maxVersions)
		l.agents[a], l.versions[a] = true, &versions
	}
	for _, e := range cfg.Events {
		l.events[e] = true
	}
	return l
}

// names are the values that a label has so far.
type names struct {
	taken map[string]bool
	room  [2]int // for strange and for known ones
}

func strange() bool { return false }

func newNames(known, strange int) names { return names{map[string]bool{}, [2]int{strange, known}} }

// plausible is what a name looks like.
var plausible = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 _.:/@+()\[\]-]{0,79}$`)

// take returns the value for a name. The first ones that come are taken.
func (n *names) take(name string, known func() bool) string {
	if name == "" {
		return nothing
	}
	if n.taken[name] {
		return name
	}
	kind := 0
	if known() {
		kind = 1
	}
	if n.room[kind] <= 0 || !plausible.MatchString(name) {
		return other
	}
	n.room[kind]--
	name = strings.Clone(name)
	n.taken[name] = true
	return name
}

func (l *labels) agent(a collector.Agent) string {
	if l.agents[a] {
		return string(a)
	}
	return other
}

// tool names a tool: an MCP server's by its server. A source knows a tool when it knows what it touches.
func (l *labels) tool(c *collector.ToolCall) string {
	if rest, ok := strings.CutPrefix(c.Tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		server, _, _ = strings.Cut(server, "/")
		if server = l.servers.take(server, strange); server == other || server == nothing {
			return "mcp"
		}
		return "mcp/" + server
	}
	return l.tools.take(c.Tool, func() bool { return c.Category != collector.CategoryOther })
}

// model names a model; one that has a price is known.
func (l *labels) model(name string) string {
	return l.models.take(name, func() bool {
		return l.cost != nil && l.cost(name, collector.ZeroTokens()).Quality != collector.QualityUnknown
	})
}

func (l *labels) version(a collector.Agent, version string) string {
	n := l.versions[a]
	if n == nil {
		return other
	}
	return n.take(version, strange)
}

func (l *labels) event(name string) string {
	if l.events[name] {
		return name
	}
	return other
}
