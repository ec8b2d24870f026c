package opencode_test

import (
	"fmt"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// TestFlags: one session raises what fails, what is tried again, and what goes round in circles.
func TestFlags(t *testing.T) {
	store, _ := stored(t, filepath.Join(recordings, "tools", "home"))
	turns, _, err := store.WholeTurns(t.Context(), collector.NewSessionID("opencode", toolsSession), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]int{}
	for _, f := range turns[0].Flags {
		if f.At.Kind == "call" {
			got[string(f.Kind)] = append(got[string(f.Kind)], f.At.Seq)
		}
	}
	want := map[string][]int{"fail": {2, 3, 4, 8, 9}, "retry": {3, 5}, "loop": {3, 7}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("flagged calls (-want +got):\n%s", diff)
	}
}

// TestTotals: what the responses of a session consumed is what the program itself sums up in the session's row.
func TestTotals(t *testing.T) {
	sessions := 0
	for _, name := range []string{"tools", "subagent", "two-sessions", "compaction", "interrupted-then-resume", "killed"} {
		dir, db := home(t, name)
		store, _ := stored(t, dir)
		page, err := store.Runs(t.Context(), collector.RunQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range page.Runs {
			for _, part := range run.Parts {
				sessions++
				s, err := store.Session(t.Context(), part.ID)
				if err != nil {
					t.Fatal(err)
				}
				tokens := s.Totals.Tokens
				got := fmt.Sprint(tokens.Input.Value, tokens.CacheRead.Value, tokens.CacheWrite5m.Value, tokens.Output.Value, tokens.Reasoning.Value)
				want := column(t, db, `SELECT tokens_input || ' ' || tokens_cache_read || ' ' || tokens_cache_write || ' ' ||
					(tokens_output + tokens_reasoning) || ' ' || tokens_reasoning FROM session WHERE id = ?`, part.ID.Own())
				if diff := gocmp.Diff(want, []string{got}); diff != "" {
					t.Errorf("%s %s (-program +counted):\n%s", name, part.ID, diff)
				}
			}
		}
	}
	if sessions != 11 {
		t.Errorf("%d sessions, want 11", sessions)
	}
}

// TestCost: a session costs what the program says, to the cent and below.
func TestCost(t *testing.T) {
	dir, db := home(t, "tools")
	store, _ := stored(t, dir)
	s, err := store.Session(t.Context(), collector.NewSessionID("opencode", toolsSession))
	if err != nil {
		t.Fatal(err)
	}
	got := "unknown"
	if c := s.Totals.CostUSD; c != nil {
		got = fmt.Sprintf("%.6f %v", c.Value, c.Quality)
	}
	if want := column(t, db, "SELECT printf('%.6f exact', cost) FROM session"); got != want[0] {
		t.Errorf("cost %s, want %s", got, want[0])
	}
}

// TestModelTime: while its calls run, nobody waits for the model, though the program notes the end of a response only when they
// have ended.
func TestModelTime(t *testing.T) {
	dir, db := home(t, "tools")
	store, _ := stored(t, dir)
	id := collector.NewSessionID("opencode", toolsSession)
	for turn, prompt := range column(t, db, "SELECT id FROM message WHERE data ->> 'role' = 'user' ORDER BY id LIMIT 2") {
		turns, _, err := store.WholeTurns(t.Context(), id, turn, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(turns[0].Totals.Clocks.ModelMs)
		want := column(t, db, `SELECT sum(ended - began) FROM (SELECT m.data ->> '$.time.created' AS began,
			max(coalesce(p.data ->> '$.state.time.start', p.data ->> '$.time.end',
				iif(m.data ->> 'finish' = 'stop', m.data ->> '$.time.completed', 0))) AS ended
			FROM message m JOIN part p ON p.message_id = m.id WHERE m.data ->> 'parentID' = ? GROUP BY m.id)`, prompt)
		if diff := gocmp.Diff(want, []string{got}); diff != "" {
			t.Errorf("turn %d: ms of the model's (-want +got):\n%s", turn, diff)
		}
	}
}
