package copilot

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector/follow"
)

// logHead is which sessions a process log says that its process opened.
type logHead struct {
	size     int64
	sessions []string
}

// announced returns the sessions that a living process opened without locking them yet: a resumed session is locked at
// its first prompt only, but the log says "Workspace initialized".
func (s *Source) announced(root string, p *processes, running map[int]bool) []holder {
	if len(running) == 0 {
		return nil
	}
	dir := filepath.Join(root, "logs")
	entries, _ := os.ReadDir(dir)
	var out []holder
	for _, e := range entries {
		pid, started, ok := processOf(e.Name())
		if !ok || !running[pid] || !p.runs(pid, started) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		size, _, _, err := follow.Stat(path)
		if err != nil {
			continue
		}
		head, ok := s.logs[path]
		if !ok || head.size != min(size, maxHead) {
			head = logHead{size: min(size, maxHead), sessions: announcements(path)}
			s.logs[path] = head
		}
		if n := len(head.sessions); n > 0 {
			out = append(out, holder{head.sessions[n-1], pid})
		}
	}
	return out
}

// maxHead is how much of a process log is searched for the session: it opens within the first 5 KB at the default level.
const maxHead = 256 << 10

// announcements returns the sessions that the beginning of a process log says were opened.
func announcements(path string) []string {
	f, err := follow.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []string
	lines := bufio.NewReader(io.LimitReader(f, maxHead))
	for {
		line, err := lines.ReadString('\n')
		if _, rest, ok := strings.Cut(line, "] Workspace initialized: "); ok && isLogLine([]byte(line)) {
			id, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			out = append(out, id)
		}
		if err != nil {
			return out
		}
	}
}
