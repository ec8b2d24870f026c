package copilot

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticksPerSecond is USER_HZ, in which /proc counts; it is 100 on every Linux that the CLI runs on.
const ticksPerSecond = 100

// slackMs is how much later than its traces a process may seem to have started: /proc counts in ticks, and file times
// are coarse.
const slackMs = 5000

// processes looks at running processes under proc. It reads the system's boot time and file locks at most once.
type processes struct {
	proc   string
	bootMs int64
	locks  map[uint64]bool
}

// processOf takes apart the name of a process log, "process-<start in unix ms>-<pid>.log".
func processOf(name string) (pid int, startedMs int64, ok bool) {
	rest, ok := strings.CutPrefix(name, "process-")
	if !ok {
		return 0, 0, false
	}
	if rest, ok = strings.CutSuffix(rest, ".log"); !ok {
		return 0, 0, false
	}
	at, id, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, 0, false
	}
	startedMs, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	pid, ok = positive(id)
	return pid, startedMs, ok
}

func positive(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// holds reports whether the process that logs since startedMs still runs.
func (s *Source) holds(pid int, startedMs int64) bool {
	p := processes{proc: s.host.Proc}
	return p.runs(pid, startedMs)
}

// look is what was seen of a process.
type look struct {
	cli   bool
	times int
}

// enoughLooks is how often a process is looked at before it is taken for another program: one that was just forked
// still bears its parent's command line.
const enoughLooks = 2

// census returns which processes run, and whether each is one of the CLI's.
func (p *processes) census(known map[int]look) map[int]look {
	out := map[int]look{}
	if p.proc == "" {
		return out
	}
	entries, _ := os.ReadDir(p.proc)
	for _, e := range entries {
		pid, ok := positive(e.Name())
		if !ok {
			continue
		}
		l := known[pid]
		if !l.cli && l.times < enoughLooks {
			l = look{cli: p.isCLI(filepath.Join(p.proc, e.Name())), times: l.times + 1}
		}
		out[pid] = l
	}
	return out
}

// holds reports whether the process that made the lock still lives.
func (p *processes) holds(l lock) bool {
	if l.hold != 0 && p.flocked(l.hold) {
		return true
	}
	return p.runs(l.pid, l.modTime)
}

// runs reports whether pid is a process of the CLI that had begun when the trace was left. A pid that was given
// to a later process fails by its start, one of another program by its command line.
func (p *processes) runs(pid int, traceMs int64) bool {
	if p.proc == "" {
		return false
	}
	dir := filepath.Join(p.proc, strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return false
	}
	// The name in parentheses may hold anything; what follows is the state, and the start is the 22nd field in all.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil || p.boot()+ticks*1000/ticksPerSecond > traceMs+slackMs {
		return false
	}
	return p.isCLI(dir)
}

func (p *processes) isCLI(dir string) bool {
	if cmdline, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil && bytes.Contains(bytes.ToLower(cmdline), []byte("copilot")) {
		return true
	}
	exe, err := os.Readlink(filepath.Join(dir, "exe"))
	return err == nil && strings.Contains(strings.ToLower(exe), "copilot")
}

// boot returns when the system was started, in unix ms.
func (p *processes) boot() int64 {
	if p.bootMs != 0 {
		return p.bootMs
	}
	data, _ := os.ReadFile(filepath.Join(p.proc, "stat"))
	for line := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(line, "btime "); ok {
			seconds, _ := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
			p.bootMs = seconds * 1000
		}
	}
	return p.bootMs
}

// flocked reports whether a process holds a flock on the file with that inode.
func (p *processes) flocked(inode uint64) bool {
	if p.locks == nil {
		p.locks = map[uint64]bool{}
		data, _ := os.ReadFile(filepath.Join(p.proc, "locks"))
		for line := range strings.Lines(string(data)) {
			// "1: FLOCK  ADVISORY  WRITE 4711 00:2f:123456 0 EOF"
			f := strings.Fields(line)
			if len(f) < 6 || f[1] != "FLOCK" {
				continue
			}
			if n, err := strconv.ParseUint(f[5][strings.LastIndexByte(f[5], ':')+1:], 10, 64); err == nil {
				p.locks[n] = true
			}
		}
	}
	return p.locks[inode]
}
