package gemini

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// process is a running process of the CLI.
type process struct {
	pid      int
	started  int64 // unix ns
	cwd      string
	terminal bool  // it has a terminal to ask in; without one it ends with its only turn
	youngest int64 // when the last process below it started, unix ns; 0 = there is none
}

// workedSince reports whether the process started another one since then: a command runs, of which the log does not know.
func (p process) workedSince(at int64) bool { return p.youngest > at }

// processes remembers which processes were found not to be the CLI.
type processes struct {
	mu    sync.Mutex
	known map[int]verdict
}

type verdict struct {
	cli   bool
	looks int
}

// enoughLooks is how often a process is looked at before it is taken for another program: one that was just forked still
// bears its parent's command line.
const enoughLooks = 2

// look returns the CLI's running processes, the newest first, and whether processes can be looked at. The CLI starts
// itself anew, with more memory: of the two the outer one counts.
func (ps *processes) look(proc string) (running []process, seen bool) {
	entries, err := os.ReadDir(proc)
	if err != nil {
		return nil, false
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	now := map[int]verdict{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid <= 0 {
			continue
		}
		v := ps.known[pid]
		if !v.cli && v.looks < enoughLooks {
			v = verdict{isCLI(filepath.Join(proc, e.Name())), v.looks + 1}
		}
		now[pid] = v
	}
	ps.known = now
	return census(proc, now), true
}

// isCLI reports whether a process is the CLI: its program, or a script that Node or Bun runs, is named so.
func isCLI(dir string) bool {
	line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
	if err != nil {
		return false
	}
	args := strings.Split(string(line), "\x00")
	switch filepath.Base(args[0]) {
	case "node", "nodejs", "bun":
		i := slices.IndexFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") })
		return i >= 0 && named(args[1+i])
	}
	return named(args[0])
}

func named(path string) bool {
	base := filepath.Base(path)
	return base == "gemini" || base == "gemini.js" || strings.Contains(path, "@google/gemini-cli/")
}

// census describes the CLI's processes among all.
func census(proc string, all map[int]verdict) []process {
	var running []process
	var stats map[int]stat
	boot := int64(0)
	for pid, v := range all {
		if !v.cli {
			continue
		}
		if stats == nil {
			stats, boot = statsOf(proc, all), bootTime(proc)
		}
		st, alive := stats[pid]
		if !alive || all[st.parent].cli {
			continue
		}
		dir := filepath.Join(proc, strconv.Itoa(pid))
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		if err != nil {
			continue
		}
		p := process{pid: pid, started: boot + st.start, cwd: cwd, terminal: hasTerminal(dir)}
		for child, c := range stats {
			if !all[child].cli && c.start > st.start && below(stats, child, pid) {
				p.youngest = max(p.youngest, boot+c.start)
			}
		}
		running = append(running, p)
	}
	slices.SortFunc(running, func(a, b process) int { return cmp.Or(cmp.Compare(b.started, a.started), b.pid-a.pid) })
	return running
}

// hasTerminal reports whether a process reads from a terminal.
func hasTerminal(dir string) bool {
	in, err := os.Readlink(filepath.Join(dir, "fd", "0"))
	return err != nil || strings.HasPrefix(in, "/dev/pts/") || strings.HasPrefix(in, "/dev/tty")
}

// stat is what /proc tells of a process.
type stat struct {
	parent int
	start  int64 // ns since boot
}

// ticksPerSecond is USER_HZ, in which /proc counts; it is 100 on every Linux.
const ticksPerSecond = 100

func statsOf(proc string, all map[int]verdict) map[int]stat {
	stats := make(map[int]stat, len(all))
	for pid := range all {
		data, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
		if err != nil {
			continue
		}
		// The name in parentheses may hold anything; behind it stand the state, the parent, and the start as the 20th.
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
			continue
		}
		parent, err1 := strconv.Atoi(string(fields[1]))
		ticks, err2 := strconv.ParseInt(string(fields[19]), 10, 64)
		if err1 == nil && err2 == nil {
			stats[pid] = stat{parent, ticks * int64(time.Second) / ticksPerSecond}
		}
	}
	return stats
}

// below reports whether a process descends from another.
func below(stats map[int]stat, pid, ancestor int) bool {
	const deepest = 64 // processes may come and go while they are read
	for range deepest {
		st, known := stats[pid]
		if !known || st.parent == 0 {
			return false
		}
		if st.parent == ancestor {
			return true
		}
		pid = st.parent
	}
	return false
}

// bootTime returns when the system was started, unix ns.
func bootTime(proc string) int64 {
	data, _ := os.ReadFile(filepath.Join(proc, "stat")) // 0 makes every log newer than every process
	for line := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(line, "btime "); ok {
			seconds, _ := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
			return seconds * int64(time.Second)
		}
	}
	return 0
}
