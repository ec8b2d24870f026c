package claude_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// recordings are the miniature homes; testdata/claude/README.md says what each shows.
func recordings(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob("../../testdata/claude/*/home")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for i, d := range dirs {
		dirs[i] = filepath.Dir(d)
	}
	return dirs
}

func TestConformance(t *testing.T) {
	sourcetest.Run(t, func(home string) collector.Source { return claude.New(sourcetest.Host(t, home)) }, recordings(t)...)
}

func FuzzDecode(f *testing.F) {
	sourcetest.Fuzz(f, func(home string) collector.Source { return claude.New(sourcetest.Host(f, home)) }, recordings(f)...)
}
