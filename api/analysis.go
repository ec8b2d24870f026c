package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// Analyst reads sessions again from their logs. What it returns belongs to the caller, who masks secrets in it and leaves
// the parts of turns as they are.
type Analyst interface {
	Analysis(ctx context.Context, id collector.SessionID) (collector.Analysis, error)
}

type analysisOutput struct{ Body collector.Analysis }

func (s *Server) analysisOperations() {
	operation(s, http.MethodGet, "/api/analysis/{id}", "getAnalysis", "A session read again from its log, and where the store differs from it",
		func(ctx context.Context, in *SessionPath) (*analysisOutput, error) {
			id, err := s.resolve(ctx, *in)
			if err != nil {
				return nil, err
			}
			an, err := s.deps.Analyst.Analysis(ctx, id)
			if err != nil {
				return nil, err
			}
			s.tellUnverified(an.Session)
			an.Tools = insights.ToolsOf(an.Turns...)
			for _, t := range an.Turns {
				t.RoundTrips, t.ToolCalls, t.Markers = nil, nil, nil
			}
			return &analysisOutput{an}, nil
		})
}

func analysisOut(an *collector.Analysis) {
	mask(&an.Log.Path)
	sessionOut(an.Session)
	each(an.Turns, turnOut)
	an.Turns, an.Tools, an.Differences = list(an.Turns), list(an.Tools), list(an.Differences)
	for i := range an.Differences {
		mask(&an.Differences[i])
	}
}
