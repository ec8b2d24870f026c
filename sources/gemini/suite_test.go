package gemini_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const testdata = "../../testdata/gemini"

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
	return func(home string) collector.Source { return gemini.New(sourcetest.Host(t, home)) }
}

func TestConformance(t *testing.T) { sourcetest.Run(t, factory(t), caseDirs(t)...) }

func FuzzDecode(f *testing.F) { sourcetest.Fuzz(f, factory(f), caseDirs(f)...) }
