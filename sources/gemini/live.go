package gemini

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// fresh is how long after its last record a session counts as running where processes cannot be looked at.
const fresh = 2 * time.Minute

// Live yields the sessions that running processes hold. A process holds no file open and leaves no trace of itself: it is
// found by its command line, its project by its working directory, and its session by the time of the log.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		running, seen := s.processes.look(s.host.Proc)
		if seen && len(running) == 0 || ctx.Err() != nil {
			return
		}
		roots := s.rootFiles(ctx)
		if !seen {
			s.recent(roots, yield)
			return
		}
		held := assign(running, roots)
		for _, p := range running {
			f, found := held[p.pid]
			if !found {
				continue
			}
			live := collector.LiveSession{Session: f.Session, Pid: p.pid}
			if !p.terminal || p.workedSince(f.ModTime) {
				live.State = collector.SessionBusy // the log shows no call before it has ended
			}
			if ctx.Err() != nil || !yield(live, nil) {
				return
			}
		}
	}
}

// rootFiles returns the logs of all sessions but sub-agents, with their projects' folders.
func (s *Source) rootFiles(ctx context.Context) []file {
	d := discovery{ctx: ctx, yield: func(collector.Stream, error) bool { return true }} // Discover tells what is wrong
	for _, root := range s.roots() {
		d.root(root)
	}
	projects := map[string]string{}
	files := slices.DeleteFunc(s.sessions(&d), func(f file) bool { return f.parent != "" })
	for i, f := range files {
		if _, read := projects[f.chats]; !read {
			path, _ := follow.ReadFile(filepath.Join(filepath.Dir(f.chats), rootFile)) // without it no process is found
			projects[f.chats] = strings.TrimSpace(string(path))
		}
		files[i].project = projects[f.chats]
	}
	return files
}

func (s *Source) recent(files []file, yield func(collector.LiveSession, error) bool) {
	for _, f := range files {
		if s.now().Sub(time.Unix(0, f.ModTime)).Abs() < fresh && !yield(collector.LiveSession{Session: f.Session}, nil) {
			return
		}
	}
}

func (s *Source) now() time.Time {
	if s.host.Now == nil {
		return time.Now()
	}
	return s.host.Now()
}

// slack is how much earlier than its process a log's time may seem: processes' starts count in ticks, and a file's name
// has the minute only.
const slack = time.Second

// assign finds the log that each process writes, by pid: of those of its project that were written since it started, the
// newest. Of several processes in one folder, those that began a session hold that, and the others hold what is left.
func assign(running []process, files []file) map[int]file {
	held, taken := map[int]file{}, map[collector.SessionID]bool{}
	folders := map[string]int{}
	for _, p := range running {
		folders[p.cwd]++
	}
	for _, own := range []bool{true, false} {
		for _, p := range running {
			if _, done := held[p.pid]; done || own && folders[p.cwd] == 1 {
				continue
			}
			if f, found := p.newest(files, taken, own); found {
				held[p.pid], taken[f.Session] = f, true
			}
		}
	}
	return held
}

// newest returns the log of the process's project that was written last, and since it started; own: one that also began
// since then.
func (p process) newest(files []file, taken map[collector.SessionID]bool, own bool) (best file, found bool) {
	for _, f := range files {
		if f.project != p.cwd || taken[f.Session] || f.ModTime < p.started-int64(slack) {
			continue
		}
		if own && f.begun() < p.started-int64(time.Minute+slack) {
			continue
		}
		if !found || f.ModTime > best.ModTime {
			best, found = f, true
		}
	}
	return best, found
}

// begun returns the minute in which the session began, as its file's name has it, unix ns; 0 if it has none.
func (f file) begun() int64 {
	const minute = "2006-01-02T15-04"
	name := strings.TrimPrefix(filepath.Base(f.Path), mainPrefix)
	if len(name) < len(minute) {
		return 0
	}
	at, err := time.Parse(minute, name[:len(minute)])
	if err != nil {
		return 0
	}
	return at.UnixNano()
}
