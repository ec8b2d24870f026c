package copilot

import (
	"bufio"
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// lockDir is what Live found in a session's directory.
type lockDir struct {
	modTime int64 // of the directory, unix ns; 0 = look again
	locks   []lock
}

// lock is inuse.<pid>.lock and, from 1.0.102, inuse.<pid>.hold, which its process holds by flock(2) as long as it lives.
type lock struct {
	pid     int
	modTime int64 // unix ms
	hold    uint64
}

// logHead is which sessions a process log says that its process opened.
type logHead struct {
	size     int64
	sessions []string
}

// settled is how old a directory's time must be before an unchanged one is believed: times are as coarse as a clock tick.
const settled = 2 * time.Second

// Live yields the sessions that a running process holds by its lock, or, before its first prompt, by its log only.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		p := processes{proc: s.host.Proc}
		done := map[collector.SessionID]bool{}
		for _, root := range s.roots() {
			if ctx.Err() != nil {
				return
			}
			working, asked := map[string]bool(nil), false
			for _, l := range s.held(root, &p) {
				id := collector.NewSessionID(agent, l.session)
				if done[id] {
					continue
				}
				done[id] = true
				if !asked {
					working, asked = openSessions(root), true
				}
				live := collector.LiveSession{Session: id, Pid: l.pid}
				if busy, known := working[l.session]; known {
					live.State = collector.SessionIdle
					if busy {
						live.State = collector.SessionBusy
					}
				}
				if !yield(live, nil) {
					return
				}
			}
		}
	}
}

type holder struct {
	session string
	pid     int
}

// held returns the sessions of root whose process lives. Only directories that changed are read again: 3,000 sessions
// cost one stat each.
func (s *Source) held(root string, p *processes) []holder {
	s.mu.Lock()
	defer s.mu.Unlock()
	states := filepath.Join(root, "session-state")
	entries, _ := os.ReadDir(states)
	var out []holder
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(e.Name(), ".jsonl") {
			continue
		}
		for _, l := range s.locks(filepath.Join(states, e.Name())) {
			if p.holds(l) {
				out = append(out, holder{e.Name(), l.pid})
			}
		}
	}
	return append(out, s.announced(root, p)...)
}

func (s *Source) locks(dir string) []lock {
	_, modTime, _, err := follow.Stat(dir)
	if err != nil {
		delete(s.seen, dir)
		return nil
	}
	if have, ok := s.seen[dir]; ok && have.modTime == modTime {
		return have.locks
	}
	found := lockDir{modTime: modTime}
	if s.now().Sub(time.Unix(0, modTime)) < settled {
		found.modTime = 0
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		pid, ok := lockPid(e.Name(), ".lock")
		if !ok {
			continue
		}
		l := lock{pid: pid}
		if fi, err := e.Info(); err == nil {
			l.modTime = fi.ModTime().UnixMilli()
		}
		_, _, l.hold, _ = follow.Stat(filepath.Join(dir, strings.TrimSuffix(e.Name(), ".lock")+".hold"))
		found.locks = append(found.locks, l)
	}
	s.seen[dir] = found
	return found.locks
}

func (s *Source) now() time.Time {
	if s.host.Now == nil {
		return time.Now()
	}
	return s.host.Now()
}

func lockPid(name, suffix string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "inuse.")
	if !ok {
		return 0, false
	}
	if rest, ok = strings.CutSuffix(rest, suffix); !ok {
		return 0, false
	}
	return positive(rest)
}

// announced returns the sessions that a living process opened without locking them yet: a resumed session is locked at
// its first prompt only, but the log says "Workspace initialized".
func (s *Source) announced(root string, p *processes) []holder {
	dir := filepath.Join(root, "logs")
	entries, _ := os.ReadDir(dir)
	var out []holder
	for _, e := range entries {
		pid, started, ok := processOf(e.Name())
		if !ok || !p.runs(pid, started) {
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
	f, err := os.Open(path)
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

// openSessions returns which interactive sessions say that they are at work (from 1.0.102).
func openSessions(root string) map[string]bool {
	data, err := os.ReadFile(filepath.Join(root, "open-sessions-state.json"))
	if err != nil {
		return nil
	}
	out := map[string]bool{}
	jsonl.Each(data, func(v *fastjson.Value) {
		v.GetObject().Visit(func(key []byte, of *fastjson.Value) {
			if of.Exists("working") {
				out[string(key)] = jsonl.Bool(of, "working")
			}
		})
	})
	return out
}
