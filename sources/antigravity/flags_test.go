package antigravity_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// TestFlags: a session with a failing command that is run again and again, and a file that is read over and over, is
// flagged as such: arguments hash alike however the agent words them, results too, and exit codes count as failures.
func TestFlags(t *testing.T) {
	src := factory(t)(filepath.Join(testdata, "flags", "home"))
	sessions := map[collector.SessionID]*fold.Session{}
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind != collector.StreamLog {
			continue
		}
		s := fold.New(st.Session)
		sessions[st.Session] = s
		for r, err := range src.Read(t.Context(), st, &collector.Checkpoint{}) {
			if err != nil {
				t.Fatal(err)
			}
			events, err := src.Decode(nil, st, r)
			if err != nil {
				t.Fatal(err)
			}
			for i := range events {
				s.Apply(&events[i], r.Ref)
			}
		}
	}
	if len(sessions) != 1 {
		t.Fatalf("%d sessions", len(sessions))
	}
	for _, s := range sessions {
		s.Settle(fold.Judges{Analyzers: analyzers.All(analyzers.Config{})})
		var kinds []string
		for _, f := range s.Turns()[0].Flags {
			kinds = append(kinds, string(f.Kind))
		}
		for _, want := range []string{"fail", "retry", "loop"} {
			if !slices.Contains(kinds, want) {
				t.Errorf("flags are %q, want %s among them", kinds, want)
			}
		}
	}
}
