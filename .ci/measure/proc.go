package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is what a process used until it ended.
type usage struct {
	cpu  time.Duration // user + system
	peak int64         // resident bytes
}

func used(s *os.ProcessState) usage {
	u := usage{cpu: s.UserTime() + s.SystemTime()}
	if r, ok := s.SysUsage().(*syscall.Rusage); ok {
		u.peak = int64(r.Maxrss)
		if runtime.GOOS != "darwin" { // counts in kB
			u.peak *= 1024
		}
	}
	return u
}

// snapshot is what a running process used so far, from /proc.
type snapshot struct {
	at   time.Time
	took time.Duration // of a difference
	cpu  time.Duration
	read int64 // bytes through system calls, also of /proc and of sockets
	disk int64 // bytes written to files
	rss  int64
}

// ticks of /proc/<pid>/stat per second: 100 on every Linux.
const ticks = 100

func look(pid int) (snapshot, error) {
	s := snapshot{at: time.Now()}
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return s, fmt.Errorf("needs Linux: %w", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	s.cpu = time.Duration(user+system) * time.Second / ticks
	io, err := keyed(dir + "/io")
	if err != nil {
		return s, err
	}
	s.read, s.disk = io["rchar"], io["write_bytes"]
	status, err := keyed(dir + "/status")
	s.rss = status["VmRSS"] * 1024
	return s, err
}

// minus returns what was used since an earlier snapshot; memory stays what it is now.
func (s snapshot) minus(o snapshot) snapshot {
	return snapshot{at: s.at, took: s.at.Sub(o.at), cpu: s.cpu - o.cpu, read: s.read - o.read, disk: s.disk - o.disk, rss: s.rss}
}

// keyed reads lines of "name: number …".
func keyed(path string) (map[string]int64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := map[string]int64{}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(line, ":")
		if f := strings.Fields(rest); len(f) > 0 {
			if n, err := strconv.ParseInt(f[0], 10, 64); err == nil {
				m[name] = n
			}
		}
	}
	return m, nil
}
