package flow

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Build draws turns, which have all their parts, and the lanes that their calls spawned. total is how many turns the
// session has.
func Build(turns []*collector.Turn, lanes []Lane, total int) Graph {
	g := Graph{Nodes: []Node{}, Edges: []Edge{}, TurnCount: total}
	if len(turns) > 0 {
		g.From = turns[0].Index
	}
	b := builder{graph: &g, root: -1, status: map[string]Status{}}
	b.session(turns, lanes)
	for i := range g.Edges {
		e := &g.Edges[i]
		e.Animated = e.Kind == EdgeRequestedBy && b.status[e.Target] == StatusPending
	}
	return g
}

// builder draws one session; the one of a lane has the lane's name and the turn under which it stands.
type builder struct {
	graph  *Graph
	lane   collector.SessionID
	root   int // turn under which a lane stands; -1 = the session's own
	status map[string]Status
}

// session draws turns one after another and returns the nodes that end the last.
func (b builder) session(turns []*collector.Turn, lanes []Lane) []string {
	byCall := map[string][]Lane{}
	for _, l := range lanes {
		byCall[l.ParentCall] = append(byCall[l.ParentCall], l)
	}
	var tails []string
	for _, t := range turns {
		tb := turnBuilder{builder: b, turn: t, lanes: byCall, rootTurn: t.Index}
		if b.root >= 0 {
			tb.rootTurn = b.root
		}
		tails = tb.draw(tails, t.Index-1)
	}
	return tails
}

// turnBuilder draws one turn.
type turnBuilder struct {
	builder
	turn     *collector.Turn
	lanes    map[string][]Lane
	rootTurn int
	flags    map[collector.Target][]collector.Flag
	parts    parts
	joins    []join
}

// join is a lane that ends while the turn goes on: it leads to the first step behind the result of its call, or, if
// nobody waited for it, to the first that began after its end.
type join struct {
	tails  []string
	offset int64 // of the call's result; 0 = nobody waits
	at     int64 // unix ms of the lane's end; 0 = it has none
}

func (j join) over(it item) bool {
	if j.offset > 0 {
		return it.ref.Offset >= j.offset
	}
	return j.at > 0 && it.at >= j.at
}

func (b *turnBuilder) draw(before []string, previous int) []string {
	t := b.turn
	b.sortFlags()
	b.parts = sortParts(t)
	prompt := b.add(promptNode(t), collector.Target{Kind: collector.TargetTurn, Seq: t.Index})
	from := b.rootTurn
	if b.lane == "" {
		from = previous
	}
	for _, id := range before {
		b.edge(id, prompt, EdgeNext, from)
	}
	tails := []string{prompt}
	b.unplaced(prompt)
	for _, it := range b.parts.items {
		tails = append(tails, b.joined(it)...)
		tails = b.step(it, tails)
	}
	return tails
}

// step draws an item behind tails and returns what the next one stands behind.
func (b *turnBuilder) step(it item, tails []string) []string {
	switch {
	case it.trip != nil:
		r := it.trip
		calls := b.parts.ofTrip[r.Seq]
		last := r == b.turn.RoundTrips[len(b.turn.RoundTrips)-1]
		running := b.turn.Status == collector.TurnOpen && last && len(calls) == 0 && r.StopReason == ""
		id := b.add(tripNode(r, running), collector.Target{Kind: collector.TargetRoundTrip, Seq: r.Seq})
		b.link(tails, id)
		return b.fan(id, calls)
	case it.call != nil:
		id, ends := b.call(it.call)
		b.link(tails, id)
		return ends
	}
	id := b.add(markerNode(it.marker), collector.Target{Kind: collector.TargetMarker, Seq: it.marker.Seq})
	b.link(tails, id)
	return []string{id}
}

// fan draws the calls of the response id.
func (b *turnBuilder) fan(id string, calls []*collector.ToolCall) []string {
	if len(calls) == 0 {
		return []string{id}
	}
	var tails []string
	previous := ""
	for _, c := range calls {
		call, ends := b.call(c)
		b.edge(id, call, EdgeRequestedBy, b.rootTurn)
		if previous != "" {
			b.edge(previous, call, EdgeParallel, b.rootTurn)
		}
		previous = call
		tails = append(tails, ends...)
	}
	return tails
}

// call draws a call with the calls, hooks and lanes below it, and returns what follows it.
func (b *turnBuilder) call(c *collector.ToolCall) (id string, ends []string) {
	id = b.add(callNode(c), collector.Target{Kind: collector.TargetCall, Seq: c.Seq})
	ends = []string{id}
	if c.Key == "" {
		return id, ends
	}
	for _, m := range b.parts.hooks[c.Key] {
		b.edge(id, b.add(markerNode(m), collector.Target{Kind: collector.TargetMarker, Seq: m.Seq}), EdgeRequestedBy, b.rootTurn)
	}
	for _, inner := range b.parts.inner[c.Key] {
		innerID, _ := b.call(inner)
		b.edge(id, innerID, EdgeRequestedBy, b.rootTurn)
	}
	for _, l := range b.lanes[c.Key] {
		j := join{tails: b.fork(id, l), at: endOf(l)}
		if !c.Background {
			j.offset = c.Result.Ref.Offset
		}
		b.joins = append(b.joins, j)
	}
	return id, ends
}

// fork draws a lane from the node id on and returns the nodes that end it.
func (b *turnBuilder) fork(id string, l Lane) []string {
	if len(l.Turns) == 0 {
		return nil
	}
	lane := builder{graph: b.graph, lane: l.Session, root: b.rootTurn, status: b.status}
	tails := lane.session(l.Turns, l.Lanes)
	b.edgeIn(l.Session, id, laneID(l.Session, promptNode(l.Turns[0]).ID), EdgeRequestedBy, b.rootTurn)
	return tails
}

// unplaced draws the lanes whose call the log does not name, from the prompt of the turn in which they began.
func (b *turnBuilder) unplaced(prompt string) {
	for _, l := range b.lanes[""] {
		if l.StartedAt >= b.turn.StartedAt && l.StartedAt <= max(b.turn.EndedAt, b.turn.StartedAt) {
			b.joins = append(b.joins, join{tails: b.fork(prompt, l), at: endOf(l)})
		}
	}
}

// endOf is when a lane ended; 0 = it has not.
func endOf(l Lane) int64 {
	if len(l.Turns) == 0 || l.Turns[len(l.Turns)-1].Status == collector.TurnOpen {
		return 0
	}
	return l.Turns[len(l.Turns)-1].EndedAt
}

// joined takes the lanes that lead to it.
func (b *turnBuilder) joined(it item) []string {
	var tails []string
	b.joins = slices.DeleteFunc(b.joins, func(j join) bool {
		if j.over(it) {
			tails = append(tails, j.tails...)
		}
		return j.over(it)
	})
	return tails
}
