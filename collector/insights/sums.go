package insights

import (
	"cmp"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// sums is what roll-ups are added up in.
type sums struct {
	tools    map[string]*toolSums
	models   map[string]*modelUse
	flags    map[collector.FlagKind]*flagUse
	ofRun    map[string]int   // flags by kind of the run that is being added; nil = not asked for
	scratch  collector.Totals // kept because one per quarter of an hour was a third of all garbage
	quarters func(quarter int64, t *collector.Totals)
}

type modelUse struct {
	modelSums
	sessions int
}

type flagUse struct {
	flagSums
	sessions int
}

func newSums() *sums {
	return &sums{
		tools: map[string]*toolSums{}, models: map[string]*modelUse{},
		flags: map[collector.FlagKind]*flagUse{},
	}
}

// tool returns the sums of a tool; a name that agents share stands in the category of its first use.
func (s *sums) tool(name, category []byte) *toolSums {
	t := s.tools[string(name)]
	if t == nil {
		t = &toolSums{tool: string(name), category: collector.Category(category)}
		s.tools[t.tool] = t
	}
	return t
}

func (s *sums) model(name []byte) *modelUse {
	m := s.models[string(name)]
	if m == nil {
		m = &modelUse{modelSums: modelSums{model: string(name), tokens: collector.ZeroTokens()}}
		s.models[m.model] = m
	}
	return m
}

func (s *sums) flag(kind []byte) *flagUse {
	f := s.flags[collector.FlagKind(kind)]
	if f == nil {
		f = &flagUse{flagSums: flagSums{kind: collector.FlagKind(kind)}}
		s.flags[f.kind] = f
	}
	return f
}

func (s *sums) quarter(q int64, t *collector.Totals) {
	if s.quarters != nil {
		s.quarters(q, t)
	}
}

// toolStats returns the tools, most calls first.
func (s *sums) toolStats() []collector.ToolStat {
	stats := make([]collector.ToolStat, 0, len(s.tools))
	for _, t := range s.tools {
		stats = append(stats, collector.ToolStat{
			Tool: t.tool, Category: t.category, Calls: t.calls, Failed: t.failed, FailRate: float64(t.failed) / float64(max(t.calls, 1)),
			Retries: t.retries, Timed: t.times.n, P50Ms: t.times.quantile(0.5), P95Ms: t.times.quantile(0.95), TotalMs: t.totalMs,
		})
	}
	slices.SortFunc(stats, func(a, b collector.ToolStat) int {
		return cmp.Or(b.Calls-a.Calls, cmp.Compare(a.Tool, b.Tool))
	})
	return stats
}

// Tools sums up the tool calls of runs, most calls first.
func Tools(runs ...collector.Run) []collector.ToolStat {
	s := newSums()
	for _, run := range runs {
		for _, p := range run.Parts {
			s.add(p.Rollup)
		}
	}
	return s.toolStats()
}

// ToolsOf sums up the tool calls of turns, most calls first.
func ToolsOf(turns ...*collector.Turn) []collector.ToolStat {
	s := newSums()
	s.add(Digest(turns, nil))
	return s.toolStats()
}
