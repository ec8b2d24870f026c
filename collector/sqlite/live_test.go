package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestRecentCalls: the newest calls, whatever their turn, with what binds hooks to them.
func TestRecentCalls(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	change := func(id collector.SessionID, n int) sqlite.SessionChange {
		c := sqlite.SessionChange{Session: &collector.Session{ID: id, Agent: "agent", Path: "x"}, Cursor: []byte{}, Turns: []*collector.Turn{{Key: "t"}}}
		for i := range n {
			c.Calls = append(c.Calls, &collector.ToolCall{
				Seq: i, Key: fmt.Sprint("k", i), Tool: "sh", Status: collector.CallPending, Args: collector.Text{Preview: "ls"}, ArgsHash: 7, StartedAt: int64(i),
			})
		}
		return c
	}
	batch := sqlite.Batch{Sessions: []sqlite.SessionChange{change("agent:a", 100), change("agent:b", 1)}}
	if _, err := db.Commit(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	calls, err := db.RecentCalls(t.Context(), "agent:a")
	if err != nil || len(calls) != 64 {
		t.Fatal(len(calls), err)
	}
	first, last := calls[0], calls[63]
	if first.Seq != 36 || last.Seq != 99 || last.Key != "k99" || last.ArgsHash != 7 || last.StartedAt != 99 || last.Status != collector.CallPending {
		t.Errorf("first %+v, last %+v", first, last)
	}
	if calls, err = db.RecentCalls(t.Context(), "agent:b"); err != nil || len(calls) != 1 {
		t.Error(calls, err)
	}
	if _, err = db.RecentCalls(t.Context(), "agent:nobody"); collector.ErrorCode(err) != collector.CodeNotFound {
		t.Errorf("of a session that is not there: %v", err)
	}
}
