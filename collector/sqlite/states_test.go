package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestStatesAreThoseOfTheList: counting sessions by state and listing one state agree.
func TestStatesAreThoseOfTheList(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var batch sqlite.Batch
	var live []collector.LiveSession
	n := 0
	for _, log := range []collector.SessionState{collector.SessionEnded, collector.SessionCrashed} {
		for _, asks := range []string{"", "permission"} {
			for _, process := range []collector.SessionState{"none", "", collector.SessionBusy, collector.SessionIdle, collector.SessionWaiting} {
				n++
				id := collector.NewSessionID("agent", fmt.Sprint(n))
				batch.Sessions = append(batch.Sessions, sqlite.SessionChange{Cursor: []byte{}, Session: &collector.Session{
					ID: id, Agent: "agent", Path: "x", State: log, WaitingFor: asks, Totals: collector.ZeroTotals()}})
				if process != "none" {
					live = append(live, collector.LiveSession{Session: id, Pid: n, State: process})
				}
			}
		}
	}
	child := collector.SessionID("agent:1").Child("c")
	batch.Sessions = append(batch.Sessions, sqlite.SessionChange{Cursor: []byte{}, Session: &collector.Session{ID: child, Agent: "agent", Parent: "agent:1", Path: "x"}})
	if _, err := db.Commit(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	if _, err := db.SetLive(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	counts, err := db.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, want := map[collector.SessionState]int{}, map[collector.SessionState]int{}
	sum := 0
	for _, c := range counts {
		got[c.State] = c.Sessions
	}
	page, err := db.Sessions(t.Context(), collector.SessionQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range page.Sessions {
		want[s.State]++
		sum++
	}
	if diff := cmp.Diff(want, got); diff != "" || sum != n {
		t.Errorf("%d sessions, want %d; (-list +count): %s", sum, n, diff)
	}
}
