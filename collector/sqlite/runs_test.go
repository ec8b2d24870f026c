package sqlite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestRuns selects runs, with roll-ups and without: the answer is the same.
func TestRuns(t *testing.T) {
	a, b, c := row("acme:a", 100), row("brand:b", 300), row("acme:c", 200)
	a.Repo, a.Branch = "Tools/Repo", "main"
	b.Cwd = "/home/x/repo"
	kid, grandkid, hidden := row("acme:a~kid", 400), row("acme:a~kid~kid", 500), row("acme:hidden", 900)
	kid.Parent, grandkid.Parent, hidden.Path = "acme:a", "acme:a~kid", ""
	a.Totals.Calls, kid.Totals.Calls, grandkid.Totals.Calls = 1, 10, 100
	db := filled(t, a, b, c, kid, grandkid, hidden)
	if _, err := db.AddLabel(t.Context(), "acme:c", "x"); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		q    collector.RunQuery
		want string // id, parts, calls of the tree, labels; then the total
	}{
		{"all, newest first", collector.RunQuery{}, "brand:b/1/0[] acme:c/1/0[x] acme:a/3/111[] of 3"},
		{"some", collector.RunQuery{Limit: 2}, "brand:b/1/0[] acme:c/1/0[x] of 3"},
		{"an agent", collector.RunQuery{Agent: "acme"}, "acme:c/1/0[x] acme:a/3/111[] of 2"},
		{"repo or folder", collector.RunQuery{Repo: "rEpo"}, "brand:b/1/0[] acme:a/3/111[] of 2"},
		{"branch", collector.RunQuery{Branch: "main"}, "acme:a/3/111[] of 1"},
		{"label", collector.RunQuery{Label: "x"}, "acme:c/1/0[x] of 1"},
		{"a child", collector.RunQuery{IDs: []collector.SessionID{"acme:a~kid", "acme:none"}}, "acme:a~kid/2/110[] of 1"},
		{"nothing", collector.RunQuery{Agent: "none"}, "of 0"},
	}
	check := func(t *testing.T) {
		for _, tt := range tests {
			page, err := db.Runs(t.Context(), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, r := range page.Runs {
				words = append(words, fmt.Sprintf("%s/%d/%d%v", r.Session.ID, len(r.Parts), r.Session.TreeTotals.Calls, r.Session.Labels))
			}
			if got := strings.Join(append(words, fmt.Sprintf("of %d", page.Total)), " "); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
			}
		}
	}
	t.Run("without roll-ups", check)
	body := insights.Digest(nil, nil)
	bodies := map[collector.SessionID][]byte{}
	for _, s := range []*collector.Session{a, b, c, kid, grandkid} {
		bodies[s.ID] = body
	}
	if err := db.SetRollups(t.Context(), bodies); err != nil {
		t.Fatal(err)
	}
	t.Run("with roll-ups", check)
	page, err := db.Runs(t.Context(), collector.RunQuery{IDs: []collector.SessionID{"acme:a"}})
	if err != nil || string(page.Runs[0].Parts[2].Rollup) != string(body) {
		t.Errorf("the grandchild's roll-up: %v, %v", page.Runs, err)
	}

	a.Totals.Calls = 2 // the session goes on, and whoever writes it makes no roll-up
	commit(t, db, sqlite.Batch{}, a)
	page, err = db.Runs(t.Context(), collector.RunQuery{IDs: []collector.SessionID{"acme:a"}})
	if err != nil || page.Runs[0].Session.TreeTotals.Calls != 112 || page.Runs[0].Parts[0].Rollup != nil {
		t.Errorf("an old roll-up was used: %v, %v", page.Runs, err)
	}
}
