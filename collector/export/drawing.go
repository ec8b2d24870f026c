package export

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector/flow"
)

// A turn's flow runs from left to right, and goes on below at the margin, so that it fits a page of paper.
const (
	columns    = 8
	columnStep = 112 // user units, as all of these
	rowStep    = 34
	boxWidth   = 92
	boxHeight  = 24
	bandGap    = 14
	margin     = 6
	labelRunes = 12
	maxNodes   = 300 // of a turn; more are no picture any more
)

// drawing is the flow of one turn.
type drawing struct {
	Width, Height int
	Boxes         []box
	Lines         []string // paths
	More          int      // nodes that are left out
}

// box is a node of a drawing.
type box struct {
	X, Y, Width, Height int
	Label, Full         string
	Class               string // of its colour: a kind of node or a category
	Failed, Pending     bool
	Lane                bool // of a sub-agent
	Flags               int
	Anchor              string // id of the text
}

// place is where a node stands: bands are filled with columns, columns with rows.
type place struct{ column, row int }

// draw lays out the nodes of a turn.
func draw(g flow.Graph, turn int) drawing {
	before := arrivals(g)
	nodes, at := arrange(g, turn, before)
	d := drawing{Width: 2*margin + (columns-1)*columnStep + boxWidth}
	shown := nodes
	if len(nodes) > maxNodes {
		shown, d.More = nodes[:maxNodes], len(nodes)-maxNodes
	}
	top := bands(shown, at)
	spot := map[string][2]int{}
	for _, n := range shown {
		p := at[n.ID]
		x, y := margin+p.column%columns*columnStep, top[p.column/columns]+p.row*rowStep
		spot[n.ID] = [2]int{x, y}
		d.Height = max(d.Height, y+boxHeight+margin)
		d.Boxes = append(d.Boxes, box{
			X: x, Y: y, Width: boxWidth, Height: boxHeight, Label: labelOf(n), Full: line(n.Label) + ": " + n.State + " " + line(n.Preview),
			Class: classOf(n), Failed: n.Status == flow.StatusFail, Pending: n.Status == flow.StatusPending, Lane: n.Lane != "", Flags: len(n.Flags),
			Anchor: n.ID,
		})
	}
	for _, n := range shown {
		for _, id := range before[n.ID] {
			if from, ok := spot[id]; ok {
				d.Lines = append(d.Lines, path(from, spot[n.ID]))
			}
		}
	}
	return d
}

// quiet reports whether a node is left out: a hook that did its work says nothing about the turn.
func quiet(n flow.Node) bool { return n.Kind == flow.KindHook && n.Status == flow.StatusOK }

// arrivals returns what each node follows, past what is left out.
func arrivals(g flow.Graph) map[string][]string {
	left := map[string]bool{}
	for _, n := range g.Nodes {
		left[n.ID] = quiet(n)
	}
	before := map[string][]string{}
	for _, e := range g.Edges {
		if e.Kind != flow.EdgeParallel {
			before[e.Target] = append(before[e.Target], e.Source)
		}
	}
	past := map[string][]string{}
	for _, n := range g.Nodes { // what a node follows stands before it
		var sources []string
		for _, id := range before[n.ID] {
			found := []string{id}
			if left[id] {
				found = past[id]
			}
			for _, f := range found {
				if !slices.Contains(sources, f) {
					sources = append(sources, f)
				}
			}
		}
		past[n.ID] = sources
	}
	return past
}

// arrange gives each node of a turn its place: one column behind what it follows, and below what stands there already.
func arrange(g flow.Graph, turn int, before map[string][]string) ([]flow.Node, map[string]place) {
	var nodes []flow.Node
	at := map[string]place{}
	filled := map[int]int{}
	for _, n := range g.Nodes {
		if n.RootTurn != turn || quiet(n) {
			continue
		}
		column := 0
		for _, id := range before[n.ID] {
			if p, ok := at[id]; ok {
				column = max(column, p.column+1)
			}
		}
		at[n.ID] = place{column, filled[column]}
		filled[column]++
		nodes = append(nodes, n)
	}
	return nodes, at
}

// bands returns where each band of columns begins.
func bands(nodes []flow.Node, at map[string]place) map[int]int {
	rows := map[int]int{}
	last := 0
	for _, n := range nodes {
		p := at[n.ID]
		rows[p.column/columns] = max(rows[p.column/columns], p.row+1)
		last = max(last, p.column/columns)
	}
	top := map[int]int{}
	y := margin
	for b := 0; b <= last; b++ {
		top[b] = y
		y += rows[b]*rowStep + bandGap
	}
	return top
}

// path leads from the right of one box to the left of another; if that begins a band, around the margin.
func path(from, to [2]int) string {
	x1, y1, x2, y2 := from[0]+boxWidth, from[1]+boxHeight/2, to[0], to[1]+boxHeight/2
	n := strconv.Itoa
	if x2 > x1 {
		middle := n((x1 + x2) / 2)
		return "M" + n(x1) + " " + n(y1) + "C" + middle + " " + n(y1) + " " + middle + " " + n(y2) + " " + n(x2) + " " + n(y2)
	}
	between := n(to[1] - bandGap/2)
	return "M" + n(x1) + " " + n(y1) + "h4V" + between + "H" + n(x2-4) + "V" + n(y2) + "h4"
}

func classOf(n flow.Node) string {
	if n.Kind == flow.KindTool && n.Category != "" {
		return "cat-" + string(n.Category)
	}
	switch n.Kind {
	case flow.KindPrompt, flow.KindAssistant, flow.KindCompaction, flow.KindAbort, flow.KindError:
		return string(n.Kind)
	}
	return "marker"
}

func labelOf(n flow.Node) string {
	s, room := line(n.Label), labelRunes
	if n.Kind == flow.KindAssistant {
		s = "Response"
	}
	if n.Status == flow.StatusFail {
		room -= 2 // for its sign
	}
	if len(n.Flags) > 0 {
		room -= 2
	}
	if utf8.RuneCountInString(s) <= room {
		return s
	}
	return string([]rune(s)[:room-1]) + "…"
}
