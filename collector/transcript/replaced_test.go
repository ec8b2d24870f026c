package transcript_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestLogWasCut: places behind the end of a log, as after it was cut, are told as what is not there now, so that readers
// take the previews; nothing is wrong inside.
func TestLogWasCut(t *testing.T) {
	home := t.TempDir()
	path := homes.Transcript(home, "one")
	if err := homes.Write(path, homes.Lines("one", "a", 3, 0)...); err != nil {
		t.Fatal(err)
	}
	db, r := ingest(t, home)
	id := everySession(t, db)[0]
	if err := os.Truncate(path, 500); err != nil {
		t.Fatal(err)
	}
	_, turn := r.Turn(t.Context(), id, 2)
	_, call := r.Call(t.Context(), id, 2)
	_, messages := r.Messages(t.Context(), id, 1, 0)
	_, raw := r.Raw(t.Context(), id, 5000, 1)
	for what, err := range map[string]error{"turn": turn, "call": call, "messages": messages, "raw": raw} {
		if collector.ErrorCode(err) != collector.CodeUnavailable {
			t.Errorf("%s of %s: %v", what, filepath.Base(path), err)
		}
	}
}
