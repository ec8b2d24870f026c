package codex_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// caseDirs returns the folders of all cases.
func caseDirs(t testing.TB) []string {
	t.Helper()
	homes, err := filepath.Glob(filepath.Join(testdata, "*", "home"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dirs := make([]string, len(homes))
	for i, h := range homes {
		dirs[i] = filepath.Dir(h)
	}
	return dirs
}

func factory(t testing.TB) sourcetest.Factory {
	return func(home string) collector.Source { return codex.New(sourcetest.Host(t, home)) }
}

// suite are the cases that the whole suite runs on: every generation, and every kind of record. The others are checked
// against what the reference saw, or on their own.
var suite = []string{
	"v0.20.0-basic", "v0.45.0-basic", "v0.80.0-basic", "v125-compaction", "v0.152.0-basic",
	"v171-basic-parallel-patch-fail-retry-dup-resume", "v171-codemode", "v171-forkcontext-child", "v171-multiagent-v1-parent",
	"v171-mcp-websearch-streamcut", "v171-tui-usershell-manualcompact", "v171-interrupt", "T9", "files", "g0-document",
}

func TestConformance(t *testing.T) {
	var dirs []string
	for _, name := range suite {
		dirs = append(dirs, filepath.Join(testdata, name))
	}
	sourcetest.Run(t, factory(t), dirs...)
}

func FuzzDecode(f *testing.F) { sourcetest.Fuzz(f, factory(f), caseDirs(f)...) }
