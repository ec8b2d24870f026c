package flow_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
)

func at(offset int64) collector.Ref { return collector.Ref{Offset: offset, Length: 1, Line: offset} }

func call(seq, turn, trip int, key string, start, end int64) *collector.ToolCall {
	c := &collector.ToolCall{
		Seq: seq, Turn: turn, RoundTrip: trip, Key: key, Tool: "Shell", Category: collector.CategoryShell, Status: collector.CallPending,
		Ref: at(start), StartedAt: start * 1000,
	}
	if end > 0 {
		c.Status, c.Result.Ref, c.EndedAt, c.DurationMs = collector.CallOK, at(end), end*1000, collector.Exact((end-start)*1000)
	}
	return c
}

func turn(index int, start int64, status collector.TurnStatus) *collector.Turn {
	return &collector.Turn{Index: index, Status: status, Ref: at(start), StartedAt: start * 1000, EndedAt: (start + 9) * 1000}
}

func trip(seq, turn int, start int64) *collector.RoundTrip {
	return &collector.RoundTrip{Seq: seq, Turn: turn, Ref: at(start), StartedAt: start * 1000, EndedAt: start * 1000, StopReason: "x"}
}

func edges(g flow.Graph) []string {
	var all []string
	for _, e := range g.Edges {
		s := fmt.Sprintf("%s %s %s", e.Source, e.Kind, e.Target)
		if e.Animated {
			s += " animated"
		}
		if e.Dashed {
			s += " dashed"
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func want(t *testing.T, g flow.Graph, wanted ...string) {
	t.Helper()
	checkGraph(t, g)
	slices.Sort(wanted)
	if d := cmp.Diff(wanted, edges(g)); d != "" {
		t.Errorf("edges (-want +got):\n%s", d)
	}
}

func TestParallelCallsWhileOneRuns(t *testing.T) {
	u := turn(0, 1, collector.TurnOpen)
	u.RoundTrips = []*collector.RoundTrip{trip(0, 0, 2)}
	u.ToolCalls = []*collector.ToolCall{call(0, 0, 0, "a", 3, 5), call(1, 0, 0, "b", 4, 0)}
	want(t, flow.Build([]*collector.Turn{u}, nil, 1),
		"t0 next r0", "r0 requested_by c0", "r0 requested_by c1 animated", "c0 parallel c1 dashed")
}

func TestStatuses(t *testing.T) {
	u := turn(0, 1, collector.TurnInterrupted)
	u.RoundTrips = []*collector.RoundTrip{trip(0, 0, 2)}
	words := []collector.CallStatus{collector.CallPending, collector.CallOK, collector.CallFailed, collector.CallDenied, collector.CallInterrupted, collector.CallLost}
	for i, s := range words {
		c := call(i, 0, 0, "", 3, 4)
		c.Status = s
		u.ToolCalls = append(u.ToolCalls, c)
	}
	u.Markers = []*collector.Marker{{Seq: 0, Kind: collector.MarkerAbort, Ref: at(8)}, {Seq: 1, Kind: collector.MarkerNotice, Ref: at(9)}}
	var got []string
	for _, n := range flow.Build([]*collector.Turn{u}, nil, 1).Nodes {
		got = append(got, fmt.Sprintf("%s %s %s", n.ID, n.Kind, n.Status))
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{
		"c0 tool pending", "c1 tool ok", "c2 tool fail", "c3 tool fail", "c4 tool fail", "c5 tool fail", "m0 abort fail", "r0 assistant ok", "t0 prompt fail",
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestScriptsAndTypedCalls(t *testing.T) {
	u := turn(0, 1, collector.TurnOK)
	u.RoundTrips = []*collector.RoundTrip{trip(0, 0, 2), trip(1, 0, 8)}
	inner := call(1, 0, 0, "in", 4, 5)
	inner.Within = "out"
	typed := call(2, 0, -1, "typed", 7, 7)
	ring := call(3, 0, 1, "ring", 9, 9)
	ring.Within = "ring"
	u.ToolCalls = []*collector.ToolCall{call(0, 0, 0, "out", 3, 6), inner, typed, ring}
	u.Markers = []*collector.Marker{{Seq: 0, Kind: collector.MarkerHook, Call: "out", Ref: at(6)}, {Seq: 1, Kind: collector.MarkerCompaction, Ref: at(10)}}
	want(t, flow.Build([]*collector.Turn{u}, nil, 1),
		"t0 next r0", "r0 requested_by c0", "c0 requested_by c1", "c0 requested_by m0", "c0 next c2", "c2 next r1", "r1 requested_by c3", "c3 next m1")
}

// TestLanes: a lane whose call waits for it joins behind the result, one in the background behind its own end, and one
// that still runs not at all.
func TestLanes(t *testing.T) {
	u := turn(0, 1, collector.TurnOK)
	background, running := call(1, 0, 0, "back", 3, 4), call(2, 0, 0, "run", 3, 4)
	background.Background, running.Background = true, true
	u.RoundTrips = []*collector.RoundTrip{trip(0, 0, 2), trip(1, 0, 6), trip(2, 0, 20)}
	u.ToolCalls = []*collector.ToolCall{call(0, 0, 0, "wait", 3, 5), background, running}
	lane := func(id collector.SessionID, key string, status collector.TurnStatus) flow.Lane {
		return flow.Lane{Session: id, ParentCall: key, StartedAt: 4000, Turns: []*collector.Turn{turn(0, 5, status)}}
	}
	g := flow.Build([]*collector.Turn{u}, []flow.Lane{
		lane("s~w", "wait", collector.TurnOK), lane("s~b", "back", collector.TurnOK), lane("s~r", "run", collector.TurnOpen), lane("s~u", "", collector.TurnOK),
	}, 1)
	want(t, g,
		"t0 next r0", "r0 requested_by c0", "r0 requested_by c1", "r0 requested_by c2", "c0 parallel c1 dashed", "c1 parallel c2 dashed",
		"c0 next r1", "c1 next r1", "c2 next r1", "r1 next r2",
		"c0 requested_by s~w/t0", "s~w/t0 next r1", "c1 requested_by s~b/t0", "s~b/t0 next r2", "c2 requested_by s~r/t0 animated",
		"t0 requested_by s~u/t0", "s~u/t0 next r2")
	for _, n := range g.Nodes {
		if strings.HasPrefix(n.ID, "s~") != (n.Lane != "") || n.RootTurn != 0 {
			t.Errorf("node %s in lane %q under turn %d", n.ID, n.Lane, n.RootTurn)
		}
	}
}

// TestLaterTurns: what is shown of a session that holds earlier turns keeps the numbers of the session.
func TestLaterTurns(t *testing.T) {
	var turns []*collector.Turn
	for i := range 5 {
		u := turn(i, int64(i*10+1), collector.TurnOK)
		u.Prompt.Preview = fmt.Sprintf("prompt %d", i)
		u.RoundTrips = []*collector.RoundTrip{trip(i+3, i, int64(i*10+2))}
		u.ToolCalls = []*collector.ToolCall{call(i+7, i, i+3, "", int64(i*10+3), int64(i*10+4))}
		turns = append(turns, u)
	}
	all := flow.Build(turns, nil, 5)
	for from := range turns {
		g := flow.Build(turns[from:], nil, 5)
		checkGraph(t, g)
		if g.From != from || g.TurnCount != 5 || g.Nodes[0].ID != fmt.Sprintf("t%d", from) || g.Nodes[0].Preview != fmt.Sprintf("prompt %d", from) {
			t.Errorf("from turn %d: %+v", from, g.Nodes[0])
		}
		// Replacing what stands under the turns from `from` on, as a page does, changes nothing.
		var nodes []flow.Node
		for _, n := range all.Nodes {
			if n.RootTurn < from {
				nodes = append(nodes, n)
			}
		}
		var kept []flow.Edge
		for _, e := range all.Edges {
			if e.RootTurn < from {
				kept = append(kept, e)
			}
		}
		if d := cmp.Diff(all.Nodes, append(nodes, g.Nodes...)); d != "" {
			t.Errorf("nodes from turn %d replaced (-before +after):\n%s", from, d)
		}
		if d := cmp.Diff(all.Edges, append(kept, g.Edges...)); d != "" {
			t.Errorf("edges from turn %d replaced (-before +after):\n%s", from, d)
		}
		if r := flow.NewRibbon(turns[from:], 5); r.From != from || r.Turns[0].Index != from || r.Calls[0][0] != int64(from+7) {
			t.Errorf("ribbon from turn %d: %+v", from, r.Turns[0])
		}
	}
}

func TestFlags(t *testing.T) {
	u := turn(0, 1, collector.TurnOK)
	u.RoundTrips = []*collector.RoundTrip{trip(0, 0, 2)}
	target := func(seq int) collector.Target { return collector.Target{Kind: collector.TargetCall, Seq: seq} }
	for i := range 4 {
		u.ToolCalls = append(u.ToolCalls, call(i+10, 0, 0, "", 3, 4))
	}
	u.Flags = []collector.Flag{
		{Kind: collector.FlagRetry, Reason: "again", At: target(12), Evidence: []collector.Evidence{{At: target(10)}, {At: target(12)}}},
		{Kind: collector.FlagRetry, Reason: "and again", At: target(12)},
		{Kind: collector.FlagThrash, At: collector.Target{Kind: collector.TargetTurn, Seq: 0}},
		{Kind: collector.FlagLoop, At: target(13), Evidence: []collector.Evidence{{At: target(11)}, {At: target(12)}, {At: target(13)}, {At: target(99)}}},
		{Kind: collector.FlagCompactionLoss, At: collector.Target{Kind: collector.TargetMarker, Seq: 7}},
	}
	got := map[string][]collector.FlagKind{}
	for _, n := range flow.Build([]*collector.Turn{u}, nil, 1).Nodes {
		if len(n.Flags) > 0 {
			got[n.ID] = n.Flags
		}
	}
	if d := cmp.Diff(map[string][]collector.FlagKind{
		"t0": {collector.FlagThrash, collector.FlagCompactionLoss}, "c12": {collector.FlagRetry}, "c13": {collector.FlagLoop},
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r := flow.NewRibbon([]*collector.Turn{u}, 1)
	if d := cmp.Diff([]flow.RibbonArc{{0, 2, 1}, {1, 2, 2}, {2, 3, 2}}, r.Arcs); d != "" {
		t.Errorf("arcs (-want +got):\n%s", d)
	}
	if r.Calls[2][5] != 1<<1 || r.Calls[3][5] != 1<<2 || r.Turns[0].Flags != 1<<1|1<<2|1<<4|1<<5 {
		t.Errorf("bits: %v, %b", r.Calls, r.Turns[0].Flags)
	}
}

func TestNothing(t *testing.T) {
	for _, v := range []any{flow.Build(nil, nil, 0), flow.NewRibbon(nil, 0)} {
		if b, err := json.Marshal(v); err != nil || strings.Contains(string(b), "null") {
			t.Errorf("%s, %v", b, err)
		}
	}
}
