package follow

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// Roots returns the directories in which an agent may keep its files, each once, whether they exist or not: those that
// the environment variables list (with commas, or as the system separates paths), then the defaults, which lie below
// the home. What an agent wrote before a variable was set stays where it was, so the defaults always count.
func Roots(h collector.Host, variables []string, defaults ...string) []string {
	var all []string
	if h.Getenv != nil {
		for _, name := range variables {
			for _, part := range strings.Split(h.Getenv(name), ",") {
				for _, dir := range filepath.SplitList(strings.TrimSpace(part)) {
					all = append(all, expand(h.Home, dir))
				}
			}
		}
	}
	if h.Home != "" {
		for _, dir := range defaults {
			all = append(all, filepath.Join(h.Home, dir))
		}
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

// expand cleans a directory as a user writes it; a relative one means another place to every process, so it is none.
func expand(home, dir string) string {
	dir = strings.TrimSpace(dir)
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		dir = filepath.Join(home, rest)
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
