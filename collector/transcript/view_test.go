package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// checkLimits: 250 lines, and 256 KiB of JSON.
func checkLimits(t *testing.T, v collector.View) {
	t.Helper()
	lines := 0
	for _, turn := range v.Turns {
		for _, r := range turn.Rows {
			lines += strings.Count(r.Text, "\n") + 1
			if r.Kind == collector.RowTool && strings.Count(r.Text, "\n") > 5 {
				t.Errorf("a result of more than 6 lines: %q", r.Text)
			}
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if lines > 250 || len(b) > 256<<10 {
		t.Errorf("%d lines, %d bytes", lines, len(b))
	}
}
