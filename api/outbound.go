package api

import (
	"fmt"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
	"github.com/turnwatch/turnwatch/collector/redact"
)

// outbound is what every answer passes on its way out: secrets in texts are masked, lists and maps are never null. An
// answer of a type that it does not know is refused, so that no new operation can forget it.
func outbound(_ huma.Context, _ string, v any) (any, error) {
	switch v := v.(type) {
	case *huma.ErrorModel:
		return fromHuma(v), nil
	case *Problem, FlagList, Series, flow.Ribbon, Revealed: // without secrets, and what was asked for with them
		return v, nil
	case collector.SessionPage:
		v.Sessions = sessionsOut(v.Sessions)
		return v, nil
	case SessionList:
		v.Sessions = sessionsOut(v.Sessions)
		return v, nil
	case interface{ outbound() any }:
		return v.outbound(), nil
	case collector.Analysis:
		analysisOut(&v)
		return v, nil
	case *collector.Session:
		sessionOut(v)
		return v, nil
	case collector.TurnPage:
		v.Turns = list(v.Turns)
		each(v.Turns, turnOut)
		return v, nil
	case *collector.Turn:
		turnOut(v)
		return v, nil
	case *collector.ToolCall:
		callOut(v)
		return v, nil
	case MessageList:
		v.Messages = list(v.Messages)
		for i := range v.Messages {
			mask(&v.Messages[i].Text, &v.Messages[i].Thinking)
		}
		return v, nil
	case TranscriptList:
		transcriptsOut(&v)
		return v, nil
	case flow.Graph:
		graphOut(&v)
		return v, nil
	case collector.Conversation:
		conversationOut(&v)
		return v, nil
	case collector.View:
		viewOut(&v)
		return v, nil
	case collector.RawLog:
		mask(&v.Text, &v.Path)
		return v, nil
	case Health:
		healthOut(&v)
		return v, nil
	case collector.RunningTools:
		return runningOut(v), nil
	case collector.Focus:
		v.AutoAttach.Candidates = list(v.AutoAttach.Candidates)
		return v, nil
	}
	return nil, fmt.Errorf("outbound: %T is not known", v)
}

// messageOut masks what a message tells beside names.
func messageOut(m collector.Message) collector.Message {
	if r, ok := m.Data.(collector.RunningTools); ok {
		m.Data = runningOut(r)
	}
	return m
}

func sessionsOut(sessions []*collector.Session) []*collector.Session {
	each(sessions, sessionOut)
	return list(sessions)
}

// sessionOut masks the title, which may be a prompt's beginning, what the session waits for, which may be a command, and
// where it works: the address of a repository may hold a password.
func sessionOut(s *collector.Session) {
	mask(&s.Title, &s.WaitingFor, &s.Role, &s.Cwd, &s.Repo, &s.Branch, &s.Path, &s.Unverified)
	s.Children = sessionsOut(s.Children)
	s.Labels = list(s.Labels)
}

func healthOut(h *Health) {
	h.AutoAttach.Candidates = list(h.AutoAttach.Candidates)
	// Copies: the pipeline goes on with its own.
	h.Unknown, h.Warnings, h.Roots = list(slices.Clone(h.Unknown)), list(slices.Clone(h.Warnings)), list(slices.Clone(h.Roots))
	h.Unverified = unverifiedOut(h.Unverified)
	h.RunningUnknown = list(slices.Clone(h.RunningUnknown))
	for i := range h.RunningUnknown {
		mask(&h.RunningUnknown[i].Why)
	}
	for i := range h.Unknown {
		mask(&h.Unknown[i].Type, &h.Unknown[i].Version)
	}
	for i := range h.Warnings {
		mask(&h.Warnings[i].Message, &h.Warnings[i].Path)
	}
	for i := range h.Roots {
		mask(&h.Roots[i].Path)
	}
}

func unverifiedOut(agents []collector.UnverifiedAgent) []collector.UnverifiedAgent {
	agents = list(slices.Clone(agents))
	for i := range agents {
		mask(&agents[i].Why)
	}
	return agents
}

func turnOut(t *collector.Turn) {
	maskTexts(&t.Prompt, &t.Reply)
	mask(&t.Error)
	if t.Calls == nil {
		t.Calls = map[collector.Category]int{}
	}
	t.Flags = list(t.Flags)
	flagsOut(t.Flags)
	each(t.RoundTrips, func(r *collector.RoundTrip) { maskTexts(&r.Text, &r.Thinking) })
	each(t.ToolCalls, callOut)
	each(t.Markers, func(m *collector.Marker) {
		maskTexts(&m.Text)
		mask(&m.Name)
	})
}

func flagsOut(flags []collector.Flag) {
	for i := range flags {
		f := &flags[i]
		mask(&f.Reason)
		f.Evidence = list(f.Evidence)
		for j := range f.Evidence {
			mask(&f.Evidence[j].Text)
		}
	}
}

func callOut(c *collector.ToolCall) {
	maskTexts(&c.Args, &c.Result)
	mask(&c.Error)
}

// maskTexts masks previews, which stay as much of their texts as they were.
func maskTexts(texts ...*collector.Text) {
	for _, t := range texts {
		before := len(t.Preview)
		mask(&t.Preview)
		t.Masked += int64(before - len(t.Preview))
	}
}

func mask(texts ...*string) {
	for _, t := range texts {
		*t = redact.Text(*t)
	}
}

func each[T any](items []T, do func(T)) {
	for _, item := range items {
		do(item)
	}
}

// list returns items, never nil: JSON's null is no list.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
