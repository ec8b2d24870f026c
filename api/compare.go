package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
	"github.com/turnwatch/turnwatch/collector/insights"
)

type compareInput struct {
	A      string   `query:"a" doc:"session A"`
	B      string   `query:"b" doc:"session B; for turns it may be left out, then it is A"`
	TurnA  int      `query:"turnA" default:"-1" minimum:"-1" doc:"index of the turn in A; -1 = the whole session"`
	TurnB  int      `query:"turnB" default:"-1" minimum:"-1"`
	GroupA []string `query:"groupA" doc:"session ids, or filters that must all hold: repo:, branch:, label:, agent:, model:, from:, to: (days)"`
	GroupB []string `query:"groupB"`
	TZ     string   `query:"tz" default:"UTC" doc:"IANA time zone of from: and to:"`
}

// Comparison is how B differs from A.
type Comparison struct{ compare.Comparison }

type compareOutput struct{ Body Comparison }

func (s *Server) compareOperations() {
	operation(s, http.MethodGet, "/api/compare", "compare", "How two sessions, two turns or two groups of sessions differ",
		func(ctx context.Context, in *compareInput) (*compareOutput, error) {
			c, err := s.compare(ctx, in)
			return &compareOutput{Comparison{c}}, err
		})
}

func (s *Server) compare(ctx context.Context, in *compareInput) (compare.Comparison, error) {
	groups, turns := len(in.GroupA)+len(in.GroupB) > 0, in.TurnA >= 0 || in.TurnB >= 0
	switch {
	case groups && (in.A != "" || in.B != "" || turns || len(in.GroupA) == 0 || len(in.GroupB) == 0):
		return compare.Comparison{}, invalid("groups are compared with groups: give groupA and groupB, and nothing else")
	case groups:
		return s.compareGroups(ctx, in)
	case turns && in.B == "":
		in.B = in.A
	}
	if in.A == "" || in.B == "" || turns && (in.TurnA < 0 || in.TurnB < 0) {
		return compare.Comparison{}, invalid("two sessions (a, b), two turns (a, b, turnA, turnB) or two groups (groupA, groupB) are needed")
	}
	sample := s.sessionSample
	if turns {
		sample = s.turnSample
	}
	a, err := sample(ctx, in.A, in.TurnA)
	if err != nil {
		return compare.Comparison{}, err
	}
	b, err := sample(ctx, in.B, in.TurnB)
	if err != nil {
		return compare.Comparison{}, err
	}
	return compare.Two(a, b), nil
}

// sessionSample is a session with its sub-agents.
func (s *Server) sessionSample(ctx context.Context, id string, _ int) (compare.Sample, error) {
	session, err := s.session(ctx, collector.SessionID(id))
	if err != nil {
		return compare.Sample{}, err
	}
	page, err := s.runs(ctx, selection{RunQuery: collector.RunQuery{IDs: []collector.SessionID{session.ID}, Limit: 1}})
	if err != nil {
		return compare.Sample{}, err
	}
	return compare.Sample{Session: session, Totals: session.TreeTotals, Tools: insights.Tools(page.Runs...)}, nil
}

func (s *Server) turnSample(ctx context.Context, id string, index int) (compare.Sample, error) {
	session, err := s.session(ctx, collector.SessionID(id))
	if err != nil {
		return compare.Sample{}, err
	}
	turn, err := s.deps.Transcript.Turn(ctx, session.ID, index)
	if err != nil { // the log may be gone: the store's previews are next best, and say whether there is such a turn
		if turn, err = s.deps.Store.Turn(ctx, session.ID, index); err != nil {
			return compare.Sample{}, err
		}
	}
	for _, c := range turn.ToolCalls {
		c.Args.Preview = clip(c.Args.Preview, collector.PreviewBytes)
	}
	return compare.Sample{Session: session, Turn: turn, Totals: turn.Totals, Tools: insights.ToolsOf(turn)}, nil
}

func (c Comparison) outbound() any {
	mask(&c.A.Label, &c.B.Label)
	for _, side := range []*compare.Side{&c.A, &c.B} {
		for i := range side.Sessions {
			x := &side.Sessions[i]
			mask(&x.Title, &x.Repo, &x.Branch, &x.Unverified)
			x.Labels = list(x.Labels)
		}
	}
	for _, step := range c.Sequence {
		for _, call := range []*compare.StepCall{step.A, step.B} {
			if call != nil {
				mask(&call.Args)
			}
		}
	}
	if c.Prompts != nil {
		mask(&c.Prompts.A.Text, &c.Prompts.B.Text)
	}
	return c
}
