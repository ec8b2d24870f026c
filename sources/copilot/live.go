package copilot

import (
	"context"
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

// settled is how old a directory's time must be before an unchanged one is believed: times are as coarse as a clock tick.
const settled = 2 * time.Second

// sweepEvery is how often the directories are looked at though no process of the CLI is in sight: one of another name can
// still hold a file lock.
const sweepEvery = time.Minute

// Live yields the sessions that a running process holds by its lock, or, before its first prompt, by its log only.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		p := processes{proc: s.host.Proc}
		running, sweep := s.census(&p)
		if !sweep {
			return
		}
		done := map[collector.SessionID]bool{}
		defer func() { s.keep(len(done) > 0) }()
		for _, root := range s.roots() {
			if ctx.Err() != nil || !s.live(root, s.held(root, &p, running), done, yield) {
				return
			}
		}
	}
}

// live yields the holders of root's sessions that were not yielded yet.
func (s *Source) live(root string, holders []holder, done map[collector.SessionID]bool, yield func(collector.LiveSession, error) bool) bool {
	var working map[string]bool
	if len(holders) > 0 {
		working = openSessions(root)
	}
	for _, l := range holders {
		id := collector.NewSessionID(agent, l.session)
		if done[id] {
			continue
		}
		done[id] = true
		live := collector.LiveSession{Session: id, Pid: l.pid}
		if busy, known := working[l.session]; known {
			live.State = collector.SessionIdle
			if busy {
				live.State = collector.SessionBusy
			}
		}
		if !yield(live, nil) {
			return false
		}
	}
	return true
}

// census returns the running processes of the CLI, and whether the directories are worth looking at: with no such process,
// as on most machines at most times, looking for one is all that is done.
func (s *Source) census(p *processes) (running map[int]bool, sweep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pids = p.census(s.pids)
	running = map[int]bool{}
	for pid, l := range s.pids {
		if l.cli {
			running[pid] = true
		}
	}
	now := s.now()
	if len(running) == 0 && !s.holding && now.Sub(s.swept) < sweepEvery {
		return nil, false
	}
	s.swept = now
	return running, true
}

// keep notes whether any session was held.
func (s *Source) keep(holding bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = holding
}

type holder struct {
	session string
	pid     int
}

// held returns the sessions of root whose process lives. Only directories that changed are read again: 3,000 sessions
// cost one stat each.
func (s *Source) held(root string, p *processes, running map[int]bool) []holder {
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
	return append(out, s.announced(root, p, running)...)
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

// openSessions returns which interactive sessions say that they are at work (from 1.0.102).
func openSessions(root string) map[string]bool {
	data, err := follow.ReadFile(filepath.Join(root, "open-sessions-state.json"))
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
