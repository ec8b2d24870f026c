package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

type viewOutput struct{ Body collector.View }

func (s *Server) viewOperations() {
	operation(s, http.MethodGet, "/api/sessions/{id}/view", "getView", "The newest turns, small enough for a phone",
		func(ctx context.Context, in *SessionPath) (*viewOutput, error) {
			id, err := s.transcriptOf(ctx, *in, "")
			if err != nil {
				return nil, err
			}
			view, err := s.deps.Transcript.View(ctx, id)
			return &viewOutput{view}, err
		})
}

func viewOut(v *collector.View) {
	v.Turns = list(v.Turns)
	for i := range v.Turns {
		v.Turns[i].Rows = list(v.Turns[i].Rows)
		for j := range v.Turns[i].Rows {
			mask(&v.Turns[i].Rows[j].Text)
		}
	}
}
