package claude_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
)

func TestCleanUps(t *testing.T) {
	for name, test := range map[string]struct {
		settings string // "" = no file
		days     int
		def      bool
	}{
		"nobody set it":   {"", 30, true},
		"other settings":  {`{"model": "x"}`, 30, true},
		"set":             {`{"cleanupPeriodDays": 365}`, 365, false},
		"set to nothing":  {`{"cleanupPeriodDays": 0}`, 0, false},
		"no settings":     {`{"cleanupPeriodDays": `, 30, true},
		"of another type": {`{"cleanupPeriodDays": "long"}`, 30, true},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			host := collector.Host{Home: home, Getenv: func(string) string { return "" }}
			if got := claude.CleanUps(host); len(got) != 0 {
				t.Errorf("without a home: %+v", got)
			}
			root := filepath.Join(home, ".claude")
			if err := os.MkdirAll(filepath.Join(root, "projects"), 0o700); err != nil {
				t.Fatal(err)
			}
			if test.settings != "" {
				if err := os.WriteFile(filepath.Join(root, "settings.json"), []byte(test.settings), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := claude.CleanUps(host)
			if len(got) != 1 || got[0].Days != test.days || got[0].Default != test.def || got[0].Root != root {
				t.Errorf("got %+v", got)
			}
		})
	}
}
