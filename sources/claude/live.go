package claude

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// freshness is how recently a transcript must have grown for its session to count as live where no registry tells
// (versions before 2.1.139), given that the program runs at all.
const freshness = 2 * time.Minute

// registryDir is where running processes list themselves: <pid>.json. The .key files beside them are secrets.
func registryDir(root string) string { return filepath.Join(root, "sessions") }

// Live yields the sessions of the registry whose process still runs. The registry is not rewritten during long turns and
// keeps the files of killed processes, so that age says nothing: the process must be there and have started when the
// file says. A root without a registry is judged by the age of its transcripts.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		found := map[collector.SessionID]entry{}
		for _, root := range s.roots() {
			if err := ctx.Err(); err != nil {
				yield(collector.LiveSession{}, err)
				return
			}
			files, err := os.ReadDir(registryDir(root))
			if err != nil {
				s.fresh(root, found)
				continue
			}
			for _, f := range files {
				if e, ok := s.registered(filepath.Join(registryDir(root), f.Name())); ok {
					e.keepIn(found)
				}
			}
		}
		for _, id := range slices.Sorted(maps.Keys(found)) {
			if !yield(found[id].LiveSession, nil) {
				return
			}
		}
	}
}

// entry is a live session and when that was last written, in unix ms.
type entry struct {
	collector.LiveSession
	updated int64
}

// keepIn keeps the newer of two processes that hold a session, and a registered one before a guess.
func (e entry) keepIn(found map[collector.SessionID]entry) {
	old, twice := found[e.Session]
	if !twice || cmp.Or(cmp.Compare(min(e.Pid, 1), min(old.Pid, 1)), cmp.Compare(e.updated, old.updated), cmp.Compare(e.Pid, old.Pid)) > 0 {
		found[e.Session] = e
	}
}

// registered reads one file of the registry. Anything that is not "<pid>.json" is not opened ("pid-<n>.json" is from
// an older scheme).
func (s *Source) registered(path string) (entry, bool) {
	stem, ok := strings.CutSuffix(filepath.Base(path), ".json")
	if _, err := strconv.Atoi(stem); !ok || err != nil {
		return entry{}, false
	}
	data, err := follow.ReadFile(path)
	if err != nil {
		return entry{}, false // it ended just now
	}
	var e entry
	alive := false
	jsonl.Each(data, func(v *fastjson.Value) {
		sid, pid := jsonl.Str(v, "sessionId"), integer(v, "pid")
		if sid == "" || pid <= 0 {
			return
		}
		e.Session, e.Pid = collector.NewSessionID(agent, sid), int(pid)
		e.State, e.WaitingFor = state(jsonl.Str(v, "status")), jsonl.Str(v, "waitingFor")
		e.updated = max(jsonl.Time(v, "updatedAt"), jsonl.Time(v, "statusUpdatedAt"))
		if e.State != collector.SessionWaiting {
			e.WaitingFor = ""
		}
		alive = s.alive(e.Pid, v)
	})
	return e, alive
}

func state(status string) collector.SessionState {
	switch status {
	case "busy", "shell": // shell: a command typed after "!" runs
		return collector.SessionBusy
	case "idle":
		return collector.SessionIdle
	case "waiting":
		return collector.SessionWaiting
	}
	return "" // older versions, or a word that is not known yet
}

// alive reports whether the process of a registry file still runs, and is not another that got its number.
func (s *Source) alive(pid int, v *fastjson.Value) bool {
	if s.foreignPids(jsonl.Str(v, "pidDomain")) {
		return s.justNow(time.UnixMilli(jsonl.Time(v, "updatedAt")))
	}
	stat, err := os.ReadFile(filepath.Join(s.host.Proc, strconv.Itoa(pid), "stat"))
	if err != nil {
		_, missing := os.Stat(s.host.Proc)
		return missing != nil && signalled(pid) // a system without /proc
	}
	want := jsonl.Str(v, "procStart")
	if want == "" {
		if n := integer(v, "procStart"); n > 0 {
			want = strconv.FormatInt(n, 10)
		}
	}
	return want == "" || want == startTime(stat)
}

// foreignPids reports whether a registry file counts processes as another container does: its domain
// "linux:<machine>:pid:[<inode>]" ends in the namespace.
func (s *Source) foreignPids(domain string) bool {
	at := strings.LastIndex(domain, "pid:[")
	if at < 0 {
		return false
	}
	own, err := os.Readlink(filepath.Join(s.host.Proc, "self", "ns", "pid"))
	return err == nil && own != domain[at:]
}

// startTime is field 22 of /proc/<pid>/stat, in clock ticks since boot. The program's name, field 2, stands in
// parentheses and may hold anything.
func startTime(stat []byte) string {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const index = 22 - 3 // fields 1 and 2 are cut off
	if len(fields) <= index {
		return ""
	}
	return string(fields[index])
}

func signalled(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

func integer(v *fastjson.Value, key string) int64 {
	n, _ := jsonl.Int(v, key)
	return n
}
