package gemini_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestCleanUps(t *testing.T) {
	for settings, want := range map[string]int{ // days; 0 = logs are not deleted, less than 0 = by default
		"": -30, "{": -30, "// mine\n{}": -30, `{"general":{"sessionRetention":{"enabled":true}}}`: -30,
		`{"general":{"sessionRetention":{"enabled":false,"maxAge":"7d"}}}`: 0,
		`{"general":{"sessionRetention":{"maxAge":"7d"}}}`:                 7,
		`{"general":{"sessionRetention":{"maxAge":"2w"}}}`:                 14,
		`{"general":{"sessionRetention":{"maxAge":"36h"}}}`:                2,
		`{"general":{"sessionRetention":{"maxAge":"soon"}}}`:               -30,
	} {
		home := t.TempDir()
		write(t, filepath.Join(home, ".gemini", "tmp", "x", ".project_root"), "/x")
		if settings != "" {
			write(t, filepath.Join(home, ".gemini", "settings.json"), settings)
		}
		got := 0
		for _, c := range gemini.CleanUps(sourcetest.Host(t, home)) {
			got = c.Days
			if c.Default {
				got = -c.Days
			}
		}
		if got != want {
			t.Errorf("%s: %d days, want %d", settings, got, want)
		}
	}
	if all := gemini.CleanUps(sourcetest.Host(t, t.TempDir())); len(all) != 0 {
		t.Errorf("without a directory: %v", all)
	}
}
