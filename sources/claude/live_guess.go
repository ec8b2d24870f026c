package claude

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// fresh finds the transcripts of a root without a registry that grew just now while the program runs.
func (s *Source) fresh(root string, found map[collector.SessionID]entry) {
	var guesses []entry
	dirs, _ := os.ReadDir(filepath.Join(root, "projects"))
	for _, dir := range dirs {
		files, _ := os.ReadDir(filepath.Join(root, "projects", dir.Name()))
		for _, f := range files {
			own, ok := strings.CutSuffix(f.Name(), ".jsonl")
			if !ok || strings.HasPrefix(own, "agent-") {
				continue
			}
			if fi, err := f.Info(); err == nil && s.justNow(fi.ModTime()) {
				id := collector.NewSessionID(agent, own)
				guesses = append(guesses, entry{collector.LiveSession{Session: id}, fi.ModTime().UnixMilli()})
			}
		}
	}
	if len(guesses) == 0 || !s.runs() {
		return
	}
	for _, g := range guesses {
		g.keepIn(found)
	}
}

// justNow reports whether something happened just now. What lies in the future happened before the clock was set back.
func (s *Source) justNow(at time.Time) bool {
	return s.host.Now().Sub(at).Abs() < freshness
}

// runs reports whether any process is the program: its own binary, or a Node that runs it. Without a list of processes
// the age of a transcript has to do.
func (s *Source) runs() bool {
	processes, err := os.ReadDir(s.host.Proc)
	if err != nil {
		return true
	}
	for _, p := range processes {
		if c := p.Name()[0]; c < '0' || c > '9' {
			continue
		}
		comm, _ := os.ReadFile(filepath.Join(s.host.Proc, p.Name(), "comm"))
		switch string(bytes.TrimSpace(comm)) {
		case "claude":
			return true
		case "node", "bun":
			if line, _ := os.ReadFile(filepath.Join(s.host.Proc, p.Name(), "cmdline")); bytes.Contains(line, []byte("claude")) {
				return true
			}
		}
	}
	return false
}
