package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
)

// Flows reads turns with what a drawing needs. What it returns belongs to the caller, who masks secrets in it.
type Flows interface {
	// WholeTurns returns limit turns (0 = all) from the turn with index from, with all their parts, and how many the session has.
	WholeTurns(ctx context.Context, id collector.SessionID, from, limit int) ([]*collector.Turn, int, error)
	// SketchTurns returns the turns from that index on with their calls, without texts.
	SketchTurns(ctx context.Context, id collector.SessionID, from int) ([]*collector.Turn, int, error)
}

type flowInput struct {
	SessionPath
	Turn  int  `query:"turn" default:"-1" minimum:"-1" doc:"this turn only; -1 = as from and limit say"`
	From  int  `query:"from" minimum:"0" doc:"index of the first turn"`
	Limit int  `query:"limit" minimum:"0" doc:"turns; 0 = all"`
	Lanes bool `query:"lanes" default:"true" doc:"with sub-agents"`
}

type flowOutput struct{ Body flow.Graph }

type ribbonInput struct {
	SessionPath
	From int `query:"from" minimum:"0" doc:"index of the first turn"`
}

type ribbonOutput struct{ Body flow.Ribbon }

func (s *Server) flowOperations() {
	operation(s, http.MethodGet, "/api/sessions/{id}/flow", "getFlow", "A session, or some turns of it, as a graph",
		func(ctx context.Context, in *flowInput) (*flowOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			from, limit := in.From, in.Limit
			if in.Turn >= 0 {
				from, limit = in.Turn, 1
			}
			graph, err := s.flow(ctx, id, from, limit, in.Lanes)
			return &flowOutput{graph}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/ribbon", "getRibbon", "A whole session as numbers, for a canvas",
		func(ctx context.Context, in *ribbonInput) (*ribbonOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			revision, err := s.deps.Store.Revision(ctx)
			if err != nil {
				return nil, err
			}
			turns, total, err := s.deps.Store.SketchTurns(ctx, id, in.From)
			if err != nil {
				return nil, err
			}
			ribbon := flow.NewRibbon(turns, total)
			ribbon.Revision = revision
			return &ribbonOutput{ribbon}, nil
		})
}

func (s *Server) flow(ctx context.Context, id collector.SessionID, from, limit int, withLanes bool) (flow.Graph, error) {
	turns, total, err := s.deps.Store.WholeTurns(ctx, id, from, limit)
	if err != nil || !withLanes {
		return flow.Build(turns, nil, total), err
	}
	session, err := s.deps.Store.Session(ctx, id)
	if err != nil {
		return flow.Graph{}, err
	}
	lanes, err := s.lanes(ctx, turns, session.Children)
	return flow.Build(turns, lanes, total), err
}

// lanes reads the children that turns spawned, and theirs.
func (s *Server) lanes(ctx context.Context, turns []*collector.Turn, children []*collector.Session) ([]flow.Lane, error) {
	if len(turns) == 0 {
		return nil, nil
	}
	spawned := map[collector.SessionID]bool{}
	for _, t := range turns {
		for _, c := range t.ToolCalls {
			spawned[c.Child] = true
		}
	}
	var lanes []flow.Lane
	for _, c := range children {
		if c.ParentCall != "" && !spawned[c.ID] {
			continue
		}
		if c.ParentCall == "" && (c.StartedAt < turns[0].StartedAt || c.StartedAt > turns[len(turns)-1].EndedAt) {
			continue
		}
		own, _, err := s.deps.Store.WholeTurns(ctx, c.ID, 0, 0)
		if err != nil {
			return nil, err
		}
		below, err := s.lanes(ctx, own, c.Children)
		if err != nil {
			return nil, err
		}
		lanes = append(lanes, flow.Lane{Session: c.ID, ParentCall: c.ParentCall, StartedAt: c.StartedAt, Turns: own, Lanes: below})
	}
	return lanes, nil
}

// graphOut masks what of the flow is text. Its lists are never null.
func graphOut(g *flow.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		mask(&n.Label, &n.Preview, &n.Result)
		flagsOut(n.FlagDetails)
	}
}
