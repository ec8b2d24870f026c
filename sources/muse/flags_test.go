package muse_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// TestFlags: a session with a failing command that is run again and again, and a file that is read over and over, is
// flagged as such: arguments hash alike however the agent words them, results too, and exit codes count as failures.
func TestFlags(t *testing.T) {
	src := factory(t)(filepath.Join(testdata, "flags", "home"))
	sessions := sourcetest.Fold(t, src, fold.Judges{Analyzers: analyzers.All(analyzers.Config{})})
	if len(sessions) != 1 {
		t.Fatalf("%d sessions", len(sessions))
	}
	for _, s := range sessions {
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
