package flow

import "github.com/turnwatch/turnwatch/collector"

// add adds a node with the flags of its target and returns its id.
func (b *turnBuilder) add(n Node, at collector.Target) string {
	n.ID, n.Lane, n.RootTurn = laneID(b.lane, n.ID), b.lane, b.rootTurn
	n.Flags, n.FlagDetails = []collector.FlagKind{}, []collector.Flag{}
	seen := map[collector.FlagKind]bool{}
	for _, f := range b.flags[at] {
		if !seen[f.Kind] {
			seen[f.Kind] = true
			n.Flags = append(n.Flags, f.Kind)
		}
		n.FlagDetails = append(n.FlagDetails, f)
	}
	b.status[n.ID] = n.Status
	b.graph.Nodes = append(b.graph.Nodes, n)
	return n.ID
}

// sortFlags hands the turn's flags to the nodes that they point at, else to the prompt.
func (b *turnBuilder) sortFlags() {
	b.flags = map[collector.Target][]collector.Flag{}
	nodes := map[collector.Target]bool{}
	for _, r := range b.turn.RoundTrips {
		nodes[collector.Target{Kind: collector.TargetRoundTrip, Seq: r.Seq}] = true
	}
	for _, c := range b.turn.ToolCalls {
		nodes[collector.Target{Kind: collector.TargetCall, Seq: c.Seq}] = true
	}
	for _, m := range b.turn.Markers {
		if _, shown := markerKinds[m.Kind]; shown {
			nodes[collector.Target{Kind: collector.TargetMarker, Seq: m.Seq}] = true
		}
	}
	for _, f := range b.turn.Flags {
		at := f.At
		if !nodes[at] {
			at = collector.Target{Kind: collector.TargetTurn, Seq: b.turn.Index}
		}
		b.flags[at] = append(b.flags[at], f)
	}
}

func (b *turnBuilder) link(tails []string, target string) {
	for _, id := range tails {
		b.edge(id, target, EdgeNext, b.rootTurn)
	}
}

func (b *turnBuilder) edge(source, target string, kind EdgeKind, rootTurn int) {
	b.edgeIn(b.lane, source, target, kind, rootTurn)
}

func (b *turnBuilder) edgeIn(lane collector.SessionID, source, target string, kind EdgeKind, rootTurn int) {
	b.graph.Edges = append(b.graph.Edges, Edge{
		ID: string(kind) + ":" + source + ">" + target, Source: source, Target: target, Kind: kind,
		Dashed: kind == EdgeParallel, Lane: lane, RootTurn: rootTurn,
	})
}
