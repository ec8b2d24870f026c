package antigravity

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// Live yields the conversations of which a running agent has a file open: the database, the lock below presence/ (which
// stays behind, empty, and says nothing by itself), or one below brain/. Whether a turn runs only the log says. Which of
// them the program keeps open was not seen; where it keeps none, its sessions are not live here.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		entries, err := os.ReadDir(s.host.Proc)
		if err != nil {
			return // no Linux: nobody can be asked
		}
		roots := s.roots()
		done := map[string]bool{}
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || !ours(filepath.Join(s.host.Proc, e.Name())) {
				continue
			}
			for _, id := range openConversations(filepath.Join(s.host.Proc, e.Name(), "fd"), roots) {
				if done[id] {
					continue
				}
				done[id] = true
				if ctx.Err() != nil || !yield(collector.LiveSession{Session: collector.NewSessionID(agent, id), Pid: pid}, nil) {
					return
				}
			}
		}
	}
}

// ours reports whether the process is the command line agent or the editor's language server, so that few processes'
// files are looked at.
func ours(dir string) bool {
	comm, err := os.ReadFile(filepath.Join(dir, "comm"))
	if err != nil {
		return false
	}
	name := strings.TrimSpace(string(comm))
	return name == "agy" || strings.HasPrefix(name, "antigravity") || strings.HasPrefix(name, "language_server")
}

// openConversations returns the conversations whose files stand in a process's list of open files.
func openConversations(fds string, roots []string) []string {
	entries, err := os.ReadDir(fds)
	if err != nil {
		return nil
	}
	var ids []string
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(fds, e.Name()))
		if err != nil {
			continue
		}
		for _, root := range roots {
			if rest, ok := strings.CutPrefix(target, root+string(filepath.Separator)); ok {
				if id := conversationOf(rest); id != "" {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// conversationOf returns whose a file is by its path below the home, "" if it is nobody's.
func conversationOf(rest string) string {
	parts := strings.Split(rest, string(filepath.Separator))
	switch {
	case len(parts) > 2 && parts[0] == "brain":
		return parts[1]
	case len(parts) == 2 && (parts[0] == "conversations" || parts[0] == "presence"):
		for _, end := range []string{".db-wal", ".db-shm", ".db", ".lock"} {
			if id, ok := strings.CutSuffix(parts[1], end); ok {
				return id
			}
		}
	}
	return ""
}
