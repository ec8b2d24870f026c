package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Running takes in what agents' hooks send, and knows which tools run. What it returns belongs to the caller.
type Running interface {
	// Receive returns whose program fired the hook, and what it told. It asks nobody else and returns at once.
	Receive(agent collector.Agent, event string, payload []byte) (collector.Agent, collector.HookKind, error)
	// Running returns what runs in a session and its sub-agents, or in all sessions if id is empty.
	Running(id collector.SessionID) []collector.RunningTool
	// Unknown counts the events that no source knows.
	Unknown() []collector.UnknownCount
}

type runningToolsOutput struct{ Body collector.RunningTools }

func (s *Server) runningOperations() {
	operation(s, http.MethodGet, "/api/running-tools", "listRunningTools", "Tool calls that run now, in all sessions",
		func(context.Context, *struct{}) (*runningToolsOutput, error) {
			return &runningToolsOutput{collector.RunningTools{Tools: s.running("")}}, nil
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/running-tools", "listSessionRunningTools", "Tool calls that run now in a session and its sub-agents",
		func(ctx context.Context, in *SessionPath) (*runningToolsOutput, error) {
			id, err := s.resolve(ctx, *in)
			if err != nil {
				return nil, err
			}
			return &runningToolsOutput{collector.RunningTools{Tools: s.running(id)}}, nil
		})
}

func (s *Server) running(id collector.SessionID) []collector.RunningTool {
	if s.deps.Running == nil {
		return nil
	}
	return s.deps.Running.Running(id)
}

// runningOut returns a copy that may leave: a message's is everybody's.
func runningOut(r collector.RunningTools) collector.RunningTools {
	r.Tools = list(slices.Clone(r.Tools))
	for i := range r.Tools {
		mask(&r.Tools[i].Args)
	}
	return r
}
