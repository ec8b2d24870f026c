package muse_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/muse"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const testdata = "../../testdata/muse"

// cases returns the folders of all cases.
func cases(t testing.TB) []string {
	t.Helper()
	homes, err := filepath.Glob(filepath.Join(testdata, "*", "home"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for i, h := range homes {
		homes[i] = filepath.Dir(h)
	}
	return homes
}

func factory(t testing.TB) sourcetest.Factory {
	return func(home string) collector.Source { return muse.New(sourcetest.Host(t, home)) }
}

func TestConformance(t *testing.T) { sourcetest.Run(t, factory(t), cases(t)...) }

func FuzzDecode(f *testing.F) { sourcetest.Fuzz(f, factory(f), cases(f)...) }
