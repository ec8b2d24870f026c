package claude

import (
	"os"
	"path/filepath"
	"strings"
)

// roots returns the directories in which Claude Code may keep its files, each once, whether they exist or not: those of
// CLAUDE_CONFIG_DIR and of CLAUDE_HOME (Turnwatch's own alias), then the defaults. Sessions written before the variable
// was set stay where they were, so the defaults always count.
func (s *Source) roots() []string {
	var all []string
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "CLAUDE_HOME"} {
		for _, part := range strings.Split(s.host.Getenv(name), ",") {
			for _, dir := range filepath.SplitList(strings.TrimSpace(part)) {
				all = append(all, s.expand(dir))
			}
		}
	}
	if s.host.Home != "" {
		all = append(all, filepath.Join(s.host.Home, ".claude"), filepath.Join(s.host.Home, ".config", "claude"))
	}
	seen := make(map[string]bool, len(all))
	unique := all[:0]
	for _, dir := range all {
		if dir == "" {
			continue
		}
		if real := realPath(dir); !seen[real] {
			seen[real] = true
			unique = append(unique, dir)
		}
	}
	return unique
}

// expand cleans a directory as a user writes it.
func (s *Source) expand(dir string) string {
	dir = strings.TrimSpace(dir)
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		dir = filepath.Join(s.host.Home, rest)
	}
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Clean(dir)
}

// realPath resolves links, so that one directory under two names is one root.
func realPath(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}
