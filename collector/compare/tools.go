package compare

import (
	"cmp"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Presence says which side has something.
type Presence string

// The presences.
const (
	InBoth Presence = "both"
	InA    Presence = "a"
	InB    Presence = "b"
)

// ToolDelta is how the use of one tool differs.
type ToolDelta struct {
	Tool     string              `json:"tool"`
	Category collector.Category  `json:"category"`
	In       Presence            `json:"in" enum:"both,a,b"`
	A        *collector.ToolStat `json:"a,omitempty"`
	B        *collector.ToolStat `json:"b,omitempty"`
	Calls    int                 `json:"calls" doc:"B − A"`
	Failed   int                 `json:"failed" doc:"B − A"`
	FailRate *float64            `json:"failRate" doc:"B − A, −1…1; null unless both called it"`
	Verdict  Verdict             `json:"verdict" enum:"better,worse,same,neutral" doc:"By the rate of failures"`
}

// toolDeltas joins two tool tables, most calls of both first.
func toolDeltas(a, b []collector.ToolStat) []ToolDelta {
	byTool := map[string]*ToolDelta{}
	at := func(t *collector.ToolStat) *ToolDelta {
		d := byTool[t.Tool]
		if d == nil {
			d = &ToolDelta{Tool: t.Tool, Category: t.Category, Verdict: VerdictNeutral}
			byTool[t.Tool] = d
		}
		return d
	}
	for i := range a {
		d := at(&a[i])
		d.In, d.A = InA, &a[i]
		d.Calls, d.Failed = -a[i].Calls, -a[i].Failed
	}
	for i := range b {
		d := at(&b[i])
		d.In, d.B = InB, &b[i]
		d.Calls += b[i].Calls
		d.Failed += b[i].Failed
		if d.A != nil {
			d.In = InBoth
			diff := d.B.FailRate - d.A.FailRate
			d.FailRate = &diff
			d.Verdict = judge(Less, diff)
		}
	}
	all := make([]ToolDelta, 0, len(byTool))
	for _, d := range byTool {
		all = append(all, *d)
	}
	slices.SortFunc(all, func(x, y ToolDelta) int {
		return cmp.Or(callsOf(y)-callsOf(x), cmp.Compare(x.Tool, y.Tool))
	})
	return all
}

func callsOf(d ToolDelta) int {
	n := 0
	for _, t := range []*collector.ToolStat{d.A, d.B} {
		if t != nil {
			n += t.Calls
		}
	}
	return n
}
