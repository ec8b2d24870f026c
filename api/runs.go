package api

import (
	"context"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// Runs reads sessions by the thousand. What it returns belongs to the caller, who masks secrets in it.
type Runs interface {
	Runs(ctx context.Context, q collector.RunQuery) (collector.RunPage, error)
	// SetRollups keeps roll-ups that had to be made anew.
	SetRollups(ctx context.Context, bodies map[collector.SessionID][]byte) error
}

// selection says which runs are meant: the newest Limit of those that RunQuery and Filter take, and of these what Brush
// takes.
type selection struct {
	collector.RunQuery
	insights.Filter
	Brush insights.Filter
}

func (s *Server) runs(ctx context.Context, q selection) (collector.RunPage, error) {
	all := q.RunQuery
	if !q.Filter.Empty() {
		all.Limit = 0 // what is filtered here cannot be counted by the store
	}
	page, err := s.deps.Store.Runs(ctx, all)
	if err != nil {
		return page, err
	}
	if err := s.rollUp(ctx, page.Runs); err != nil {
		return page, err
	}
	if !q.Filter.Empty() {
		page.Runs = q.Filter.Select(page.Runs)
		page.Total = len(page.Runs)
		if q.Limit > 0 {
			page.Runs = page.Runs[:min(q.Limit, len(page.Runs))]
		}
	}
	page.Truncated = page.Total > len(page.Runs)
	if !q.Brush.Empty() {
		page.Runs = q.Brush.Select(page.Runs)
		page.Total = len(page.Runs)
	}
	return page, nil
}

// rollUp sees to it that each part has a roll-up: sessions that an older build stored may lack one.
func (s *Server) rollUp(ctx context.Context, runs []collector.Run) error {
	made := map[collector.SessionID][]byte{}
	for _, run := range runs {
		for i := range run.Parts {
			p := &run.Parts[i]
			if insights.Current(p.Rollup) {
				continue
			}
			turns, _, err := s.deps.Store.WholeTurns(ctx, p.ID, 0, 0)
			if err != nil {
				return err
			}
			p.Rollup = insights.Digest(turns, s.cost())
			made[p.ID] = p.Rollup
		}
	}
	if len(made) == 0 {
		return nil
	}
	return s.deps.Store.SetRollups(ctx, made)
}
