package compare

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// GroupDelta is how one number of two groups of runs differs.
type GroupDelta struct {
	A        Spread    `json:"a"`
	B        Spread    `json:"b"`
	Interval *Interval `json:"interval,omitempty" doc:"Left out if there are too few runs"`
	Told     bool      `json:"told" doc:"The interval leaves out 0"`
	Sentence string    `json:"sentence"`
}

// Spread is how the runs of a group spread. Runs whose number is not exact are left out.
type Spread struct {
	N       int        `json:"n"`
	Median  float64    `json:"median"`
	Q1      float64    `json:"q1"`
	Q3      float64    `json:"q3"`
	Min     float64    `json:"min"`
	Max     float64    `json:"max"`
	LeftOut int        `json:"leftOut" doc:"Runs whose number is not exact, or that have none"`
	Runs    []RunValue `json:"runs" doc:"A dot per run"`

	sorted []float64
}

// RunValue is one run's number.
type RunValue struct {
	Session collector.SessionID `json:"session"`
	Value   float64             `json:"value"`
}

// Interval is where the difference of the medians lies, with 95 % confidence.
type Interval struct {
	Low         float64  `json:"low"`
	High        float64  `json:"high"`
	LowPercent  *float64 `json:"lowPercent" doc:"Of A's median; null if it is 0"`
	HighPercent *float64 `json:"highPercent"`
}

// A bootstrap of fewer runs a side only looks exact: of three and three, even groups that do not overlap at all come
// about by chance once in ten times.
const (
	minRuns   = 4
	resamples = 2000
)

// Many compares two groups of sessions.
func Many(a, b []Sample) Comparison {
	c := Comparison{Kind: Groups, A: sideOf(a...), B: sideOf(b...), Sequence: []Step{}}
	unitsA, unitsB := unitsOf(a), unitsOf(b)
	for _, m := range metrics {
		c.Metrics = append(c.Metrics, groupDelta(m, a, b, unitsA, unitsB))
	}
	c.Tools = toolDeltas(sumTools(a), sumTools(b))
	c.Sentence = groupSentence(len(a), len(b), c.Metrics)
	return c
}

func groupDelta(m metric, a, b []Sample, unitsA, unitsB string) MetricDelta {
	sa, sb := spread(m, a), spread(m, b)
	d := MetricDelta{Key: m.key, Label: m.label, Unit: m.unit, Better: m.better, A: sa.measure(a, m), B: sb.measure(b, m), Verdict: VerdictUnknown}
	g := &GroupDelta{A: sa, B: sb}
	d.Group = g
	if d.Reason = whyNot(m, d.A, d.B, unitsA, unitsB); d.Reason != "" {
		g.Sentence = d.Reason
		return d
	}
	d.subtract()
	if sa.N < minRuns || sb.N < minRuns {
		d.Verdict = VerdictUnknown
		g.Sentence = tooFew(sa.N, sb.N)
		d.Reason = g.Sentence
		return d
	}
	g.Interval = bootstrap(sa, sb)
	g.Told = g.Interval.Low > 0 || g.Interval.High < 0 || sa.constant() && sb.constant() && *d.Delta != 0
	g.Sentence = told(m, d)
	if !g.Told && *d.Delta != 0 {
		d.Verdict = VerdictUnknown
		d.Reason = "the difference may be chance: its interval holds 0"
	}
	return d
}

// spread sorts the exact numbers of a group.
func spread(m metric, group []Sample) Spread {
	s := Spread{Runs: []RunValue{}}
	for _, sample := range group {
		v := m.value(&sample.Totals)
		if v == nil || v.Quality != collector.QualityExact {
			s.LeftOut++
			continue
		}
		s.Runs = append(s.Runs, RunValue{sample.Session.ID, v.Value})
		s.sorted = append(s.sorted, v.Value)
	}
	s.N = len(s.sorted)
	if s.N == 0 {
		return s
	}
	slices.Sort(s.sorted)
	s.Min, s.Max = s.sorted[0], s.sorted[s.N-1]
	s.Q1, s.Median, s.Q3 = quantile(s.sorted, 0.25), quantile(s.sorted, 0.5), quantile(s.sorted, 0.75)
	return s
}

func (s Spread) constant() bool { return s.Min == s.Max }

// measure is the group's median, exact if any run's number is; else it is as little known as the best known run's.
func (s Spread) measure(group []Sample, m metric) *collector.Amount {
	if s.N > 0 {
		return new(collector.Exact(s.Median))
	}
	var best *collector.Amount
	for _, sample := range group {
		if v := m.value(&sample.Totals); v != nil && (best == nil || v.Quality > best.Quality) {
			best = &collector.Amount{Value: v.Value, Quality: v.Quality}
		}
	}
	return best
}

// quantile interpolates between the sorted numbers.
func quantile(sorted []float64, q float64) float64 {
	pos := q * float64(len(sorted)-1)
	i := int(pos)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (pos-float64(i))*(sorted[i+1]-sorted[i])
}

// bootstrap draws both groups again and again from themselves and looks where the middle 95 % of the differences of
// their medians lie. The same runs give the same interval.
func bootstrap(a, b Spread) *Interval {
	rng := rand.New(rand.NewPCG(uint64(a.N), uint64(b.N)))
	drawA, drawB := newDraw(a.sorted), newDraw(b.sorted)
	diffs := make([]float64, resamples)
	for i := range diffs {
		diffs[i] = drawB.median(rng) - drawA.median(rng)
	}
	slices.Sort(diffs)
	iv := &Interval{Low: quantile(diffs, 0.025), High: quantile(diffs, 0.975)}
	if a.Median != 0 {
		iv.LowPercent, iv.HighPercent = new(100*iv.Low/a.Median), new(100*iv.High/a.Median)
	}
	return iv
}

// draw draws samples from sorted numbers by counting how often each is drawn, so that none has to be sorted.
type draw struct {
	sorted []float64
	times  []int
}

func newDraw(sorted []float64) *draw { return &draw{sorted, make([]int, len(sorted))} }

func (d *draw) median(rng *rand.Rand) float64 {
	clear(d.times)
	n := len(d.sorted)
	for range n {
		d.times[rng.IntN(n)]++
	}
	return (d.nth((n-1)/2) + d.nth(n/2)) / 2
}

// nth is the number at rank k of the sample.
func (d *draw) nth(k int) float64 {
	for i, t := range d.times {
		if k -= t; k < 0 {
			return d.sorted[i]
		}
	}
	return d.sorted[len(d.sorted)-1]
}

func tooFew(a, b int) string {
	if a == b {
		return fmt.Sprintf("no difference can be told from %s", plural(a, "run"))
	}
	return fmt.Sprintf("no difference can be told from %s against %d", plural(a, "run"), b)
}

// unitsOf names the units that a group's runs are billed in.
func unitsOf(group []Sample) string {
	sum := collector.ZeroTotals()
	for _, s := range group {
		sum = sum.Plus(s.Totals)
	}
	return billedIn(sum)
}

// sumTools adds up the tool tables of a group. Quantiles do not add up, so they are left out.
func sumTools(group []Sample) []collector.ToolStat {
	if len(group) == 1 {
		return group[0].Tools
	}
	byTool := map[string]*collector.ToolStat{}
	for _, s := range group {
		for _, t := range s.Tools {
			sum := byTool[t.Tool]
			if sum == nil {
				sum = &collector.ToolStat{Tool: t.Tool, Category: t.Category}
				byTool[t.Tool] = sum
			}
			sum.Calls += t.Calls
			sum.Failed += t.Failed
			sum.Retries += t.Retries
			sum.Timed += t.Timed
			sum.TotalMs += t.TotalMs
			sum.FailRate = float64(sum.Failed) / float64(max(sum.Calls, 1))
		}
	}
	all := make([]collector.ToolStat, 0, len(byTool))
	for _, t := range byTool {
		all = append(all, *t)
	}
	slices.SortFunc(all, func(x, y collector.ToolStat) int { return cmp.Or(y.Calls-x.Calls, cmp.Compare(x.Tool, y.Tool)) })
	return all
}
