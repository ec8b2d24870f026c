package report

import (
	"slices"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

// agent names a session's agent, with a mark if its numbers are unverified.
func agent(name collector.Agent, why string) string {
	if why != "" {
		return string(name) + "*"
	}
	return string(name)
}

// unverified says what the mark means, a line for each agent.
func unverified(s *screen.Screen, agents []collector.UnverifiedAgent) {
	for i, a := range agents {
		if i == 0 {
			s.Println("")
		}
		text := "* " + string(a.Agent) + ": unverified, not checked against the real program. " + screen.Line(a.Why)
		for _, line := range screen.Wrap(text, s.Width) {
			s.Println(s.In(screen.Dim, line))
		}
	}
}

func ofSessions(all []*collector.Session) (agents []collector.UnverifiedAgent) {
	for _, x := range all {
		agents = with(agents, x.Agent, x.Unverified)
	}
	return agents
}

func ofSides(sides ...compare.Side) (agents []collector.UnverifiedAgent) {
	for _, side := range sides {
		for _, x := range side.Sessions {
			agents = with(agents, x.Agent, x.Unverified)
		}
	}
	return agents
}

// with adds an agent once, if it is unverified.
func with(agents []collector.UnverifiedAgent, name collector.Agent, why string) []collector.UnverifiedAgent {
	u := collector.UnverifiedAgent{Agent: name, Why: why}
	if why == "" || slices.Contains(agents, u) {
		return agents
	}
	return append(agents, u)
}
