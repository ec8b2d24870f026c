package grok

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticksPerSecond is USER_HZ, in which /proc counts; it is 100 on every Linux that the CLI runs on.
const ticksPerSecond = 100

// slackMs is how much later than its traces a process may seem to have started: /proc counts in ticks.
const slackMs = 5000

// process is a running process of the agent.
type process struct {
	pid  int
	dir  string // in /proc
	proc string
}

// processes returns the agent's running processes below proc. Its program is a single binary, "grok", or
// "grok-<version>" where it updates itself.
func processes(proc string) map[int]process {
	out := map[int]process{}
	if proc == "" {
		return out
	}
	entries, _ := os.ReadDir(proc)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join(proc, e.Name())
		exe, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil {
			continue // it ended, or is another user's
		}
		name := strings.TrimSuffix(filepath.Base(exe), " (deleted)") // it was updated meanwhile
		if name == "grok" || strings.HasPrefix(name, "grok-") {
			out[pid] = process{pid, dir, proc}
		}
	}
	return out
}

// sessions returns the sessions whose events.jsonl the process has open.
func (p process) sessions() []string {
	entries, _ := os.ReadDir(filepath.Join(p.dir, "fd"))
	var out []string
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(p.dir, "fd", e.Name())); err == nil {
			if own := sessionOf(target); own != "" {
				out = append(out, own)
			}
		}
	}
	return out
}

// startedBy reports whether the process had begun at a time, in unix ms: else its pid was another process's then.
func (p process) startedBy(ms int64) bool {
	stat, err := os.ReadFile(filepath.Join(p.dir, "stat"))
	if err != nil {
		return false
	}
	// The name in parentheses may hold anything; what follows is the state, and the start is the 22nd field in all.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	return err == nil && bootMs(p.proc)+ticks*1000/ticksPerSecond <= ms+slackMs
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
