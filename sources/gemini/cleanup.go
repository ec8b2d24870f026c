package gemini

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// Gemini CLI deletes logs at its start once they have not changed for so long, unless its settings say otherwise (its
// documentation and source, 0.61.0).
const (
	cleanUpSetting = "general.sessionRetention.maxAge"
	cleanUpDays    = 30
)

// CleanUps returns when Gemini CLI deletes its logs, for each of its directories that there is.
func CleanUps(h collector.Host) []collector.CleanUp {
	var all []collector.CleanUp
	for _, root := range New(h).roots() {
		if !exists(filepath.Join(root, "tmp")) {
			continue
		}
		c := collector.CleanUp{
			Agent: Agent, Root: root, Days: cleanUpDays, Setting: cleanUpSetting, Settings: filepath.Join(root, "settings.json"), Default: true,
		}
		var set struct {
			General struct {
				SessionRetention struct {
					Enabled *bool  `json:"enabled"`
					MaxAge  string `json:"maxAge"`
				} `json:"sessionRetention"`
			} `json:"general"`
		}
		if b, err := follow.ReadFile(c.Settings); err == nil && json.Unmarshal(b, &set) == nil { // with comments in it, the default counts
			retention := set.General.SessionRetention
			if retention.Enabled != nil && !*retention.Enabled {
				continue
			}
			if days, ok := daysOf(retention.MaxAge); ok {
				c.Days, c.Default = days, false
			}
		}
		all = append(all, c)
	}
	return all
}

// daysOf reads a period such as "7d", "24h", "1w" or "1m"; of hours it returns the days that have begun.
func daysOf(period string) (int, bool) {
	if period == "" {
		return 0, false
	}
	n, err := strconv.Atoi(period[:len(period)-1])
	if err != nil || n <= 0 || n > 1_000_000 {
		return 0, false
	}
	switch period[len(period)-1] {
	case 'h':
		return (n + 23) / 24, true
	case 'd':
		return n, true
	case 'w':
		return 7 * n, true
	case 'm':
		return 30 * n, true
	}
	return 0, false
}
