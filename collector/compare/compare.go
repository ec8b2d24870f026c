// Package compare says how two sessions, two turns, or two groups of sessions differ, in numbers and in a sentence. It is
// pure. It never subtracts what cannot be: numbers that are not exact, or units of billing that differ.
package compare

import (
	"github.com/turnwatch/turnwatch/collector"
)

// Kind is what is compared.
type Kind string

// The kinds of comparisons.
const (
	Sessions Kind = "sessions"
	Turns    Kind = "turns"
	Groups   Kind = "groups"
)

// Comparison is how B differs from A.
type Comparison struct {
	Kind     Kind          `json:"kind" enum:"sessions,turns,groups"`
	Sentence string        `json:"sentence" doc:"The result in plain words"`
	A        Side          `json:"a"`
	B        Side          `json:"b"`
	Metrics  []MetricDelta `json:"metrics"`
	Tools    []ToolDelta   `json:"tools"`
	Sequence []Step        `json:"sequence" doc:"The calls of two turns side by side"`
	Prompts  *Prompts      `json:"prompts,omitempty" doc:"Of two turns"`
}

// Side is one of the two that are compared.
type Side struct {
	Label    string       `json:"label"`
	Sessions []SessionRef `json:"sessions"`
	Turn     *int         `json:"turn,omitempty" doc:"Index of the turn"`
}

// SessionRef names a session.
type SessionRef struct {
	ID        collector.SessionID `json:"id"`
	Agent     collector.Agent     `json:"agent"`
	Title     string              `json:"title"`
	Repo      string              `json:"repo"`
	Branch    string              `json:"branch"`
	Model     string              `json:"model"`
	StartedAt int64               `json:"startedAt"`
	Labels    []string            `json:"labels"`
	// Unverified says why the session's numbers may be wrong, as collector.Session does.
	Unverified string `json:"unverified,omitempty"`
}

// Prompts are what two turns were asked.
type Prompts struct {
	A PromptText `json:"a"`
	B PromptText `json:"b"`
}

// PromptText is a prompt, whole if its log can be read.
type PromptText struct {
	Text    string `json:"text"`
	Clipped bool   `json:"clipped"`
	Bytes   int64  `json:"bytes" doc:"Of the whole prompt"`
}

// Sample is one run of a side: a session with its sub-agents, or a turn.
type Sample struct {
	Session *collector.Session
	Turn    *collector.Turn // nil for a session
	Totals  collector.Totals
	Tools   []collector.ToolStat
}

// Two compares two sessions, or two turns.
func Two(a, b Sample) Comparison {
	c := Comparison{Kind: Sessions, A: sideOf(a), B: sideOf(b), Sequence: []Step{}}
	for _, m := range metrics {
		c.Metrics = append(c.Metrics, delta(m, a.Totals, b.Totals))
	}
	c.Tools = toolDeltas(a.Tools, b.Tools)
	c.Sentence = sentence(a.Totals, b.Totals, c.Metrics)
	if a.Turn != nil && b.Turn != nil {
		c.Kind = Turns
		c.A.Turn, c.B.Turn = &a.Turn.Index, &b.Turn.Index
		c.Sequence = Align(a.Turn.ToolCalls, b.Turn.ToolCalls)
		c.Prompts = &Prompts{promptOf(a.Turn), promptOf(b.Turn)}
	}
	return c
}

func promptOf(t *collector.Turn) PromptText {
	return PromptText{t.Prompt.Preview, t.Prompt.Clipped(), t.Prompt.Bytes}
}

func sideOf(samples ...Sample) Side {
	s := Side{Sessions: make([]SessionRef, 0, len(samples))}
	for _, sample := range samples {
		x := sample.Session
		labels := x.Labels
		if labels == nil {
			labels = []string{}
		}
		s.Sessions = append(s.Sessions, SessionRef{x.ID, x.Agent, x.Title, x.Repo, x.Branch, x.Model, x.StartedAt, labels, x.Unverified})
	}
	if len(samples) == 1 {
		s.Label = samples[0].Session.Title
	}
	return s
}
