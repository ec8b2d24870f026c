package sqlite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestTreeTotals: what an agent accounted for a whole tree is counted once, and is not the root's own.
func TestTreeTotals(t *testing.T) {
	exact, partial := collector.Exact[int64], collector.Partial[int64]
	amount := func(n float64) *collector.Amount {
		a := collector.Exact(n)
		return &a
	}
	totals := func(input, output collector.Count, credits *collector.Amount, ofTree bool) collector.Totals {
		n := collector.ZeroTotals()
		n.Tokens.Input, n.Tokens.Output, n.Credits, n.OfTree = input, output, credits, ofTree
		return n
	}
	type want struct {
		id            collector.SessionID
		input, output collector.Count
		credits       *collector.Amount
		tree          collector.Count // input
		treeOutput    collector.Count
		treeCredits   *collector.Amount
	}
	account := totals(exact(100), exact(50), amount(3), true)
	for _, c := range []struct {
		name     string
		root     collector.Totals
		turn     collector.Totals // of the root
		children []collector.Totals
		want     want
	}{
		{
			"an account of a tree of one is its own", account, totals(collector.Count{}, partial(9), nil, false), nil,
			want{"agent:a", exact(100), exact(50), amount(3), exact(100), exact(50), amount(3)},
		},
		{
			"with children the own share is what round trips know", account, totals(collector.Count{}, partial(9), nil, false),
			[]collector.Totals{totals(collector.Count{}, partial(20), nil, false), totals(collector.Count{}, partial(7), nil, false)},
			want{"agent:a", collector.Count{}, partial(9), nil, exact(100), exact(50), amount(3)},
		},
		{
			"a lower bound stays one", totals(partial(100), partial(10), nil, true), totals(exact(60), exact(9), nil, false),
			[]collector.Totals{totals(exact(80), partial(20), nil, false)},
			want{"agent:a", exact(60), exact(9), nil, partial(100), partial(10), nil},
		},
		{
			"a turn that is its sub-agents' too leaves the own share unknown", totals(exact(100), exact(50), nil, true), totals(exact(100), exact(50), nil, true),
			[]collector.Totals{totals(exact(80), exact(20), nil, false)},
			want{"agent:a", collector.Count{}, collector.Count{}, nil, exact(100), exact(50), nil},
		},
		{
			"an account of the session alone is added", totals(exact(100), exact(50), amount(3), false), totals(collector.Count{}, partial(9), nil, false),
			[]collector.Totals{totals(exact(5), exact(2), amount(1), false)},
			want{"agent:a", exact(100), exact(50), amount(3), exact(105), exact(52), amount(4)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := sqlite.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			root := &collector.Session{ID: "agent:a", Agent: "agent", Path: "x", Totals: c.root}
			batch := sqlite.Batch{Sessions: []sqlite.SessionChange{{Session: root, Cursor: []byte{}, Turns: []*collector.Turn{{Key: "t", Totals: c.turn}}}}}
			for i, n := range c.children {
				child := &collector.Session{ID: root.ID.Child(string(rune('b' + i))), Agent: "agent", Path: "x", Parent: root.ID, Totals: n}
				batch.Sessions = append(batch.Sessions, sqlite.SessionChange{Session: child, Cursor: []byte{}})
			}
			if _, err := db.Commit(t.Context(), &batch); err != nil {
				t.Fatal(err)
			}
			s, err := db.Session(t.Context(), root.ID)
			if err != nil {
				t.Fatal(err)
			}
			own, tree := s.Totals, s.TreeTotals
			got := want{s.ID, own.Tokens.Input, own.Tokens.Output, own.Credits, tree.Tokens.Input, tree.Tokens.Output, tree.Credits}
			if diff := cmp.Diff(got, c.want, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("got (-) and want (+):\n%s", diff)
			}
		})
	}
}
