package api_test

import (
	"context"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// price is a table of one model.
type price struct{}

func (price) Date() string { return "2026-01-02" }

func (price) Cost(model string, t collector.Tokens) collector.Amount {
	if model != "known" {
		return collector.Amount{}
	}
	return collector.Exact(float64(t.Output.Value))
}

// Runs knows acme:one and the odd one; the roll-up of the second is missing.
func (s *store) Runs(_ context.Context, q collector.RunQuery) (collector.RunPage, error) {
	s.rquery = q
	var page collector.RunPage
	for i, id := range []collector.SessionID{"acme:one", odd} {
		if len(q.IDs) > 0 && !slices.Contains(q.IDs, id) || q.Label == "none" {
			continue
		}
		x := s.session(id)
		run := collector.Run{Session: x, Parts: []collector.RunPart{{ID: id}}}
		if i == 0 {
			run.Parts[0].Rollup = insights.Digest([]*collector.Turn{s.turn(0, true)}, nil)
		}
		page.Runs = append(page.Runs, run)
	}
	page.Total = len(page.Runs)
	return page, nil
}

func (s *store) SetRollups(_ context.Context, bodies map[collector.SessionID][]byte) error {
	s.rollups = bodies
	return nil
}

func (s *store) Labels(context.Context, collector.SessionID) ([]string, error) { return s.labels, nil }

func (s *store) AddLabel(_ context.Context, _ collector.SessionID, label string) ([]string, error) {
	s.labels = append(s.labels, label)
	return s.labels, nil
}

func (s *store) RemoveLabel(_ context.Context, _ collector.SessionID, label string) ([]string, error) {
	i := slices.Index(s.labels, label)
	if i < 0 {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: "no such label"}
	}
	s.labels = slices.Delete(s.labels, i, i+1)
	return s.labels, nil
}

func (s *store) AllLabels(context.Context) ([]collector.LabelCount, error) { return nil, nil }

// analyst answers with the fake store's turns.
type analyst struct{ *store }

func (a analyst) Analysis(ctx context.Context, id collector.SessionID) (collector.Analysis, error) {
	session, err := a.Session(ctx, id)
	if err != nil {
		return collector.Analysis{}, err
	}
	return collector.Analysis{
		Session: session, Turns: []*collector.Turn{a.turn(0, true)}, Log: collector.AnalysedLog{Path: "log of " + string(id)},
		Differences: []string{"turn 1: title " + a.secret},
	}, nil
}
