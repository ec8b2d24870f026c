package sqlite_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestNumbersOfNobody: a turn or call with a number that no session can have is not found. Once it was the neighbour's.
func TestNumbersOfNobody(t *testing.T) {
	db := filled(t)
	for _, id := range []collector.SessionID{"acme:a", "acme:b", "acme:c"} {
		turn := &collector.Turn{Index: 0, Prompt: collector.Text{Preview: "of " + string(id)}, Totals: collector.ZeroTotals()}
		commitParts(t, db, row(id, 1), turn, &collector.ToolCall{Seq: 0, Key: "k", Tool: "sh"})
	}
	for _, id := range []collector.SessionID{"acme:a", "acme:b", "acme:c"} {
		for _, n := range []int{1 << 24, 1<<24 + 1, 1 << 25, 1 << 40, 1<<63 - 1} {
			if turn, err := db.Turn(t.Context(), id, n); collector.ErrorCode(err) != collector.CodeNotFound {
				t.Errorf("turn %d of %s: %v, %v", n, id, turn, err)
			}
			if call, err := db.Call(t.Context(), id, n); collector.ErrorCode(err) != collector.CodeNotFound {
				t.Errorf("call %d of %s: %v, %v", n, id, call, err)
			}
			if page, err := db.Turns(t.Context(), id, collector.TurnQuery{From: n}); err != nil || len(page.Turns) > 0 || page.Total != 1 {
				t.Errorf("turns of %s from %d: %v, %v", id, n, page.Turns, err)
			}
			if turns, _, err := db.WholeTurns(t.Context(), id, n, 0); err != nil || len(turns) > 0 {
				t.Errorf("whole turns of %s from %d: %v, %v", id, n, turns, err)
			}
			if turns, _, err := db.SketchTurns(t.Context(), id, n); err != nil || len(turns) > 0 {
				t.Errorf("sketches of %s from %d: %v, %v", id, n, turns, err)
			}
		}
	}
}

func commitParts(t *testing.T, db *sqlite.DB, s *collector.Session, turn *collector.Turn, call *collector.ToolCall) {
	t.Helper()
	change := sqlite.SessionChange{Session: s, Stream: "acme/log/x", Cursor: []byte{}, Turns: []*collector.Turn{turn}, Calls: []*collector.ToolCall{call}}
	if _, err := db.Commit(t.Context(), &sqlite.Batch{Sessions: []sqlite.SessionChange{change}}); err != nil {
		t.Fatal(err)
	}
}
