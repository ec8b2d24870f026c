package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// fewLive returns a store of n sessions of which a process holds two.
func fewLive(t testing.TB, n int) *sqlite.DB {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var batch sqlite.Batch
	for i := range n {
		batch.Sessions = append(batch.Sessions, sqlite.SessionChange{Cursor: []byte{}, Session: &collector.Session{
			ID: collector.NewSessionID("agent", fmt.Sprint(i)), Agent: "agent", Path: "x", LastAt: int64(i), Totals: collector.ZeroTotals()}})
	}
	if _, err := db.Commit(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	if _, err := db.SetLive(t.Context(), []collector.LiveSession{{Session: "agent:1", Pid: 1}, {Session: "agent:2", Pid: 2}}); err != nil {
		t.Fatal(err)
	}
	return db
}

func BenchmarkLiveSessions(b *testing.B) {
	db := fewLive(b, 10000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := db.LiveSessions(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLiveSessionsAreFew: which sessions processes hold is asked at every change, and must not cost a look at all sessions,
// as counting their states does.
func TestLiveSessionsAreFew(t *testing.T) {
	db := fewLive(t, 10000)
	best := func(f func() error) time.Duration {
		least := time.Hour
		for range 7 {
			begin := time.Now()
			if err := f(); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(begin))
		}
		return least
	}
	all := best(func() error { _, err := db.States(t.Context()); return err })
	live := best(func() error {
		sessions, err := db.LiveSessions(t.Context())
		if len(sessions) != 2 {
			t.Errorf("%d live sessions", len(sessions))
		}
		return err
	})
	if live > all/4 {
		t.Errorf("live sessions in %v, all in %v", live, all)
	}
}
