package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// maxGroup is how many sessions a group of a comparison may have.
const maxGroup = 200

// group is one side of a comparison: the sessions that all its filters select, and those that were picked.
type group struct {
	selection
	from, to string // days
	filters  []string
	picked   []collector.SessionID
}

// groupFilters are the filters by what stands before their colon.
var groupFilters = map[string]func(g *group, value string){
	"repo":   func(g *group, value string) { g.Repo = value },
	"branch": func(g *group, value string) { g.Branch = value },
	"label":  func(g *group, value string) { g.Label = value },
	"agent":  func(g *group, value string) { g.Agent = collector.Agent(value) },
	"model":  func(g *group, value string) { g.Model = value },
	"from":   func(g *group, value string) { g.from = value },
	"to":     func(g *group, value string) { g.to = value },
}

// IsGroupFilter reports whether a term of a group is a filter; else it is a session's id.
func IsGroupFilter(term string) bool {
	key, _, ok := strings.Cut(term, ":")
	return ok && groupFilters[key] != nil
}

func newGroup(terms []string, tz string) (group, error) {
	g := group{selection: selection{RunQuery: collector.RunQuery{Limit: maxGroup}}}
	for _, term := range terms {
		if !IsGroupFilter(term) {
			g.picked = append(g.picked, collector.SessionID(term))
			continue
		}
		key, value, _ := strings.Cut(term, ":")
		groupFilters[key](&g, value)
		g.filters = append(g.filters, term)
	}
	zone, err := zoneOf(tz)
	if err != nil {
		return g, err
	}
	g.From, g.To, err = daysOf(g.from, g.to, zone)
	return g, err
}

// label names a group by its filters; picked sessions are only counted.
func (g group) label() string {
	parts := g.filters
	if n := len(g.picked); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" picked")
	}
	return strings.Join(parts, ", ")
}

func (s *Server) compareGroups(ctx context.Context, in *compareInput) (compare.Comparison, error) {
	a, labelA, err := s.groupSamples(ctx, in.GroupA, in.TZ)
	if err != nil {
		return compare.Comparison{}, err
	}
	b, labelB, err := s.groupSamples(ctx, in.GroupB, in.TZ)
	if err != nil {
		return compare.Comparison{}, err
	}
	c := compare.Many(a, b)
	c.A.Label, c.B.Label = labelA, labelB
	return c, nil
}

// groupSamples reads a group's sessions, each once.
func (s *Server) groupSamples(ctx context.Context, terms []string, tz string) ([]compare.Sample, string, error) {
	g, err := newGroup(terms, tz)
	if err != nil {
		return nil, "", err
	}
	var runs []collector.Run
	if len(g.filters) > 0 {
		page, err := s.runs(ctx, g.selection)
		if err != nil {
			return nil, "", err
		}
		runs = page.Runs
	}
	for i, id := range g.picked {
		session, err := s.deps.Store.Session(ctx, id) // resolves bare ids, and says which one is not there
		if err != nil {
			return nil, "", err
		}
		g.picked[i] = session.ID
	}
	if len(g.picked) > 0 {
		page, err := s.runs(ctx, selection{RunQuery: collector.RunQuery{IDs: g.picked, Limit: maxGroup}})
		if err != nil {
			return nil, "", err
		}
		runs = append(runs, page.Runs...)
	}
	seen := map[collector.SessionID]bool{}
	var samples []compare.Sample
	for _, run := range runs {
		if !seen[run.Session.ID] && len(samples) < maxGroup {
			seen[run.Session.ID] = true
			s.tellUnverified(run.Session)
			samples = append(samples, compare.Sample{Session: run.Session, Totals: run.Session.TreeTotals, Tools: insights.Tools(run)})
		}
	}
	return samples, g.label(), nil
}
