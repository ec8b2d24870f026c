package claude

import "github.com/turnwatch/turnwatch/collector/follow"

// roots returns the directories in which Claude Code may keep its files: those of CLAUDE_CONFIG_DIR and of CLAUDE_HOME
// (Turnwatch's own alias), then the defaults.
func (s *Source) roots() []string {
	return follow.Roots(s.host, []string{"CLAUDE_CONFIG_DIR", "CLAUDE_HOME"}, ".claude", ".config/claude")
}
