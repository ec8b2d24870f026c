package opencode

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	// ticksPerSecond is USER_HZ, in which /proc counts; it is 100 on every Linux that the program runs on.
	ticksPerSecond = 100
	// bootErrorMs is how much later than computed a process may have started: the kernel tells its boot in whole seconds.
	bootErrorMs = 1000
)

// process is a running process of the program.
type process struct {
	pid       int
	dir       string // below /proc
	startedMs int64  // unix ms
	cwd       string
	serves    bool // it works for clients, in any directory
}

// look is what was seen of a process.
type look struct {
	program bool
	times   int
}

// enoughLooks is how often a process is looked at before it is taken for another program: one that was just forked
// still bears its parent's name.
const enoughLooks = 2

// census returns the running processes of the program.
func (s *Source) census() []process {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.host.Proc == "" {
		return nil
	}
	known := s.pids
	s.pids = map[int]look{}
	entries, _ := os.ReadDir(s.host.Proc)
	var running []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid <= 0 {
			continue
		}
		dir := filepath.Join(s.host.Proc, e.Name())
		l := known[pid]
		if !l.program && l.times < enoughLooks {
			exe, err := os.Readlink(filepath.Join(dir, "exe"))
			l = look{err == nil && strings.HasPrefix(filepath.Base(exe), "opencode"), l.times + 1}
		}
		s.pids[pid] = l
		if !l.program {
			continue
		}
		if p, ok := s.process(pid, dir); ok {
			running = append(running, p)
		}
	}
	return running
}

func (s *Source) process(pid int, dir string) (process, bool) {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, false
	}
	// The name in parentheses may hold anything; what follows is the state, and the start is the 22nd field in all.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return process{}, false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return process{}, false
	}
	p := process{pid: pid, dir: dir, startedMs: bootMs(s.host.Proc) + ticks*1000/ticksPerSecond}
	p.cwd, _ = os.Readlink(filepath.Join(dir, "cwd"))
	cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
	args := strings.Split(string(cmdline), "\x00")
	p.serves = len(args) > 1 && slices.Contains([]string{"serve", "web", "acp"}, args[1])
	return p, true
}

// opened reports whether the process has the file open.
func (p process) opened(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	entries, _ := os.ReadDir(filepath.Join(p.dir, "fd"))
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		to, err := os.Readlink(filepath.Join(p.dir, "fd", e.Name()))
		return err == nil && to == path
	})
}

// bootMs returns when the system was started, in unix ms.
func bootMs(proc string) int64 {
	data, _ := os.ReadFile(filepath.Join(proc, "stat"))
	for line := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(line, "btime "); ok {
			seconds, _ := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
			return seconds * 1000
		}
	}
	return 0
}
