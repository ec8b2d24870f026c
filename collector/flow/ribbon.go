package flow

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Ribbon is a whole session for a canvas: numbers only, 5,000 calls in about 150 kB of JSON. Its lists of words say
// what the numbers are.
type Ribbon struct {
	TurnCount  int                    `json:"turnCount"`
	From       int                    `json:"from"`     // index of the first turn in it
	Revision   int64                  `json:"revision"` // of the session, or a later one
	Categories []collector.Category   `json:"categories"`
	Statuses   []collector.CallStatus `json:"statuses"`
	FlagKinds  []collector.FlagKind   `json:"flagKinds"`
	Tools      []string               `json:"tools"`
	Turns      []RibbonTurn           `json:"turns"`
	Calls      []RibbonCall           `json:"calls"`
	Arcs       []RibbonArc            `json:"arcs"`
}

// RibbonTurn is a turn of a Ribbon.
type RibbonTurn struct {
	Index       int                  `json:"index"`
	Status      collector.TurnStatus `json:"status"`
	StartedAt   int64                `json:"startedAt"` // unix ms; 0 = unknown
	EndedAt     int64                `json:"endedAt"`   // unix ms; 0 = unknown
	RoundTrips  int                  `json:"roundTrips"`
	Calls       []int                `json:"calls" doc:"per category, in the order of categories"`
	Failed      int                  `json:"failed"`
	Flags       int                  `json:"flags" doc:"bit i = flagKinds[i]"`
	Compactions int                  `json:"compactions"`
	At          int                  `json:"at" doc:"where its calls begin in calls"`
	N           int                  `json:"n" doc:"how many they are"`
	Inherited   bool                 `json:"inherited,omitempty"`
}

// RibbonCall is a call: seq, category, status, milliseconds since its turn's start (-1 = unknown), duration in
// milliseconds (-1 = unknown), flags as bits, tool.
type RibbonCall [7]int64

// RibbonArc leads from one call to another, both indexes into the calls; the third number is the kind of its flag.
type RibbonArc [3]int

var (
	categories = []collector.Category{
		collector.CategoryFile, collector.CategoryShell, collector.CategorySearch, collector.CategoryWeb,
		collector.CategoryAgent, collector.CategoryVCS, collector.CategoryIDE, collector.CategoryOther,
	}
	statuses = []collector.CallStatus{
		collector.CallPending, collector.CallOK, collector.CallFailed, collector.CallDenied, collector.CallInterrupted, collector.CallLost,
	}
	flagKinds = []collector.FlagKind{
		collector.FlagFail, collector.FlagRetry, collector.FlagLoop, collector.FlagFanout, collector.FlagCompactionLoss, collector.FlagThrash,
	}
)

// indexOf is where v stands in list; what is not in it counts as the last.
func indexOf[T comparable](list []T, v T) int {
	if i := slices.Index(list, v); i >= 0 {
		return i
	}
	return len(list) - 1
}

// NewRibbon draws turns with their calls; of a call it needs no texts. total is how many turns the session has.
func NewRibbon(turns []*collector.Turn, total int) Ribbon {
	r := Ribbon{
		TurnCount: total, Categories: categories, Statuses: statuses, FlagKinds: flagKinds, Tools: []string{},
		Turns: make([]RibbonTurn, 0, len(turns)), Calls: []RibbonCall{}, Arcs: []RibbonArc{},
	}
	if len(turns) > 0 {
		r.From = turns[0].Index
	}
	tools := map[string]int{}
	for _, t := range turns {
		r.add(t, tools)
	}
	return r
}

func (r *Ribbon) add(t *collector.Turn, tools map[string]int) {
	row := RibbonTurn{
		Index: t.Index, Status: t.Status, StartedAt: t.StartedAt, EndedAt: t.EndedAt, RoundTrips: t.Totals.RoundTrips,
		Failed: t.Totals.FailedCalls, Compactions: t.Totals.Compactions, Calls: make([]int, len(categories)),
		At: len(r.Calls), N: len(t.ToolCalls), Inherited: t.Inherited,
	}
	places := map[int]int{}
	for _, c := range t.ToolCalls {
		tool, known := tools[c.Tool]
		if !known {
			tool = len(r.Tools)
			tools[c.Tool] = tool
			r.Tools = append(r.Tools, c.Tool)
		}
		category := indexOf(categories, c.Category)
		row.Calls[category]++
		offset, duration := int64(-1), int64(-1)
		if c.StartedAt > 0 && t.StartedAt > 0 {
			offset = max(c.StartedAt-t.StartedAt, 0)
		}
		if c.DurationMs.Quality != collector.QualityUnknown {
			duration = c.DurationMs.Value
		}
		places[c.Seq] = len(r.Calls)
		r.Calls = append(r.Calls, RibbonCall{int64(c.Seq), int64(category), int64(indexOf(statuses, c.Status)), offset, duration, 0, int64(tool)})
	}
	for _, f := range t.Flags {
		row.Flags |= 1 << indexOf(flagKinds, f.Kind)
		r.flag(f, places)
	}
	r.Turns = append(r.Turns, row)
}

// flag marks the call that a flag points at, and draws arcs between the calls that a retry or a loop rests on.
func (r *Ribbon) flag(f collector.Flag, places map[int]int) {
	kind := indexOf(flagKinds, f.Kind)
	if i, here := places[f.At.Seq]; here && f.At.Kind == collector.TargetCall {
		r.Calls[i][5] |= 1 << kind
	}
	if f.Kind != collector.FlagRetry && f.Kind != collector.FlagLoop {
		return
	}
	previous := -1
	for _, e := range f.Evidence {
		i, here := places[e.At.Seq]
		if !here || e.At.Kind != collector.TargetCall || i == previous {
			continue
		}
		if previous >= 0 {
			r.Arcs = append(r.Arcs, RibbonArc{previous, i, kind})
		}
		previous = i
	}
}
