package sqlite_test

import (
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// TestLongTexts: what is too long to be looked for is refused as such, and an id of any length is one that nobody has.
func TestLongTexts(t *testing.T) {
	db := filled(t, row("acme:a", 1))
	for _, n := range []int{20_000, 20_001, 1 << 20} {
		long := strings.Repeat("_", n)
		_, byText := db.Sessions(t.Context(), collector.SessionQuery{Text: long})
		_, byRepo := db.Sessions(t.Context(), collector.SessionQuery{Repo: long})
		_, turns := db.Turns(t.Context(), "acme:a", collector.TurnQuery{Text: long})
		for what, err := range map[string]error{"sessions by text": byText, "sessions by repo": byRepo, "turns": turns} {
			if ok := err == nil; ok != (n <= 20_000) || !ok && collector.ErrorCode(err) != collector.CodeInvalid {
				t.Errorf("%s, %d bytes: %v", what, n, err)
			}
		}
		if _, err := db.Session(t.Context(), collector.SessionID(long)); collector.ErrorCode(err) != collector.CodeNotFound {
			t.Errorf("an id of %d bytes: %v", n, err)
		}
	}
}
