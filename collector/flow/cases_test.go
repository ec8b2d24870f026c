package flow_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// ingest reads home into a store of its own.
func ingest(t testing.TB, home string) *sqlite.DB {
	t.Helper()
	db := pipelinetest.Open(t)
	pipelinetest.Read(t, db, home, fold.Judges{Analyzers: analyzers.All(analyzers.Config{})})
	return db
}

func lanes(t *testing.T, db *sqlite.DB, children []*collector.Session) []flow.Lane {
	t.Helper()
	var all []flow.Lane
	for _, c := range children {
		turns, _, err := db.WholeTurns(t.Context(), c.ID, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, flow.Lane{
			Session: c.ID, ParentCall: c.ParentCall, StartedAt: c.StartedAt, Turns: turns, Lanes: lanes(t, db, c.Children),
		})
	}
	return all
}

// render writes a graph as text, which is a fifth of its JSON and reads better in a diff.
func render(g flow.Graph) string {
	var b strings.Builder
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%s %s %q %s/%s", n.ID, n.Kind, n.Label, n.Status, n.State)
		if n.Category != "" {
			fmt.Fprintf(&b, " %s", n.Category)
		}
		if n.Turn != n.RootTurn {
			fmt.Fprintf(&b, " turn %d under %d", n.Turn, n.RootTurn)
		}
		if n.Child != "" {
			fmt.Fprintf(&b, " spawned %s", n.Child)
		}
		fmt.Fprintf(&b, " line %d %.40q", n.Ref.Line, n.Preview)
		for _, f := range n.FlagDetails {
			fmt.Fprintf(&b, " ⚑ %s", f.Kind)
		}
		b.WriteByte('\n')
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s → %s %s", e.Source, e.Target, e.Kind)
		if e.Animated {
			b.WriteString(" animated")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRecordings(t *testing.T) {
	for _, r := range pipelinetest.Recordings(t) {
		t.Run(r.Name, func(t *testing.T) {
			db := ingest(t, r.Home)
			page, err := db.Sessions(t.Context(), collector.SessionQuery{Limit: 500})
			if err != nil {
				t.Fatal(err)
			}
			sort.Slice(page.Sessions, func(i, j int) bool { return page.Sessions[i].ID < page.Sessions[j].ID })
			var b strings.Builder
			for _, s := range page.Sessions {
				turns, total, err := db.WholeTurns(t.Context(), s.ID, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				g := flow.Build(turns, lanes(t, db, s.Children), total)
				checkGraph(t, g)
				checkRibbon(t, db, s.ID, turns, total)
				fmt.Fprintf(&b, "# %s\n%s", s.ID, strings.ReplaceAll(render(g), string(s.ID)+"~", "~"))
			}
			pipelinetest.Golden(t, filepath.Join("testdata", r.Name+".txt"), b.String())
		})
	}
}

// checkGraph: every id once, every edge between nodes, every node but the first reached, no circle.
func checkGraph(t *testing.T, g flow.Graph) {
	t.Helper()
	nodes, edges, into, out := map[string]bool{}, map[string]bool{}, map[string]int{}, map[string][]string{}
	for _, n := range g.Nodes {
		if nodes[n.ID] {
			t.Errorf("node %s twice", n.ID)
		}
		nodes[n.ID] = true
	}
	for _, e := range g.Edges {
		if edges[e.ID] {
			t.Errorf("edge %s twice", e.ID)
		}
		edges[e.ID] = true
		if !nodes[e.Source] || !nodes[e.Target] {
			t.Errorf("edge %s leads nowhere", e.ID)
		}
		into[e.Target]++
		out[e.Source] = append(out[e.Source], e.Target)
	}
	var free []string
	for id := range nodes {
		if into[id] == 0 {
			free = append(free, id)
		}
	}
	if len(nodes) > 0 && len(free) != 1 {
		t.Errorf("nothing leads to %v; only the first prompt may stand alone", free)
	}
	done := 0
	for ; len(free) > 0; done++ {
		id := free[0]
		free = free[1:]
		for _, next := range out[id] {
			if into[next]--; into[next] == 0 {
				free = append(free, next)
			}
		}
	}
	if done != len(nodes) {
		t.Errorf("%d of %d nodes stand in a circle", len(nodes)-done, len(nodes))
	}
}

// checkRibbon: the sketch of the store and the whole turns give the same ribbon.
func checkRibbon(t *testing.T, db *sqlite.DB, id collector.SessionID, turns []*collector.Turn, total int) {
	t.Helper()
	sketch, n, err := db.SketchTurns(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, want := flow.NewRibbon(sketch, n), flow.NewRibbon(turns, total)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ribbon of the sketch (-whole +sketch):\n%s", d)
	}
	if b, err := json.Marshal(got); err != nil || strings.Contains(string(b), "null") {
		t.Errorf("ribbon as JSON: %v, %.200s", err, b)
	}
}
