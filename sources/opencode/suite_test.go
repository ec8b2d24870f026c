package opencode_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources/opencode"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const recordings = "../../testdata/opencode"

// cases returns the folders with a home.
func cases(t testing.TB) []string {
	t.Helper()
	homes, err := filepath.Glob(filepath.Join(recordings, "*", "home"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no recordings in %s: %v", recordings, err)
	}
	for i, h := range homes {
		homes[i] = filepath.Dir(h)
	}
	return homes
}

func host(t testing.TB, home string) collector.Host {
	t.Helper()
	h := sourcetest.Host(t, home)
	h.Tables = sqlite.ReadForeign
	return h
}

func factory(t testing.TB) sourcetest.Factory {
	return func(home string) collector.Source { return opencode.New(host(t, home)) }
}

func TestSource(t *testing.T) { sourcetest.Run(t, factory(t), cases(t)...) }

func FuzzDecode(f *testing.F) { sourcetest.Fuzz(f, factory(f), cases(f)...) }

// database is where the database of a case or home is.
func database(home string) string {
	return filepath.Join(home, ".local", "share", "opencode", "opencode.db")
}
