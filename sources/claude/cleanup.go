package claude

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// Claude Code deletes transcripts in the background once they have not changed for that many days, unless its settings
// say otherwise (its documentation; seen in 2.1.332).
const (
	cleanUpSetting = "cleanupPeriodDays"
	cleanUpDays    = 30
)

// CleanUps returns when Claude Code deletes its transcripts, for each of its directories that there is.
func CleanUps(h collector.Host) []collector.CleanUp {
	var all []collector.CleanUp
	for _, root := range New(h).roots() {
		if st, err := os.Stat(filepath.Join(root, "projects")); err != nil || !st.IsDir() {
			continue
		}
		c := collector.CleanUp{
			Agent: agent, Root: root, Days: cleanUpDays, Setting: cleanUpSetting, Settings: filepath.Join(root, "settings.json"), Default: true,
		}
		var set struct {
			Days *int `json:"cleanupPeriodDays"`
		}
		if b, err := follow.ReadFile(c.Settings); err == nil && json.Unmarshal(b, &set) == nil && set.Days != nil {
			c.Days, c.Default = *set.Days, false
		}
		all = append(all, c)
	}
	return all
}
