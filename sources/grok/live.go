package grok

import (
	"bytes"
	"context"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"sync"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// known are the sessions' ids and directories, as last discovered: a directory's name does not say whose sub-agent its
// session is.
type known struct {
	mu   sync.Mutex
	ids  map[string]collector.SessionID // nil = nobody looked yet
	dirs map[string]string
}

func (k *known) keep(d *discovery) {
	ids := make(map[string]collector.SessionID, len(d.dirs))
	for own := range d.dirs {
		ids[own] = d.id(own)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids, k.dirs = ids, d.dirs
}

func (k *known) get() (ids map[string]collector.SessionID, dirs map[string]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ids, k.dirs
}

// Live yields the sessions that running processes hold: those whose events.jsonl a process of the agent has open, and
// those that it lists in active_sessions.json, which it does for the ones in a terminal.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		running := processes(s.host.Proc)
		if len(running) == 0 {
			return
		}
		if ids, _ := s.known.get(); ids == nil {
			for _, err := range s.Discover(ctx) { // it keeps what it sees
				_ = err // the discovery that looks for streams tells
			}
		}
		ids, dirs := s.known.get()
		holders := map[string]int{}
		for _, p := range running {
			for _, own := range p.sessions() {
				holders[own] = p.pid
			}
		}
		for _, root := range s.roots() {
			active(filepath.Join(root, "active_sessions.json"), running, holders)
		}
		for own, pid := range holders {
			id, found := ids[own]
			if !found {
				continue // not discovered yet: the next look has it
			}
			live := collector.LiveSession{Session: id, Pid: pid}
			live.State, live.WaitingFor = doing(filepath.Join(dirs[own], "events.jsonl"))
			if ctx.Err() != nil || !yield(live, nil) {
				return
			}
		}
	}
}

// active adds the sessions that the file lists and whose process lives. A killed one leaves its entry.
func active(path string, running map[int]process, holders map[string]int) {
	data, err := follow.ReadFile(path)
	if err != nil {
		return
	}
	jsonl.Each(data, func(v *fastjson.Value) {
		for _, entry := range v.GetArray() {
			pid, _ := jsonl.Int(entry, "pid")
			own := jsonl.Str(entry, "session_id")
			p, runs := running[int(pid)]
			if _, held := holders[own]; own != "" && !held && runs && p.startedBy(jsonl.Time(entry, "opened_at")) {
				holders[own] = p.pid
			}
		}
	})
}

// tailBytes of events.jsonl hold some hundred events: those of the last calls of a turn, if not the beginning of it.
const tailBytes = 32 << 10

// doing reads off the end of events.jsonl what a session does that a process holds.
func doing(path string) (state collector.SessionState, waitingFor string) {
	state = collector.SessionIdle
	tail, whole := readTail(path)
	if !whole {
		state = collector.SessionBusy // outside of turns hardly anything is written
	}
	for line := range bytes.Lines(tail) {
		jsonl.Object(line, func(v *fastjson.Value) {
			switch jsonl.Str(v, "type") {
			case "turn_started", "permission_resolved", "tool_completed":
				state, waitingFor = collector.SessionBusy, ""
			case "turn_ended":
				state, waitingFor = collector.SessionIdle, ""
			case "permission_requested":
				state, waitingFor = collector.SessionWaiting, jsonl.Str(v, "tool_name")
			}
		})
	}
	return state, waitingFor
}

// readTail returns the whole lines at the end of a file, and whether they are all of it.
func readTail(path string) (tail []byte, whole bool) {
	f, err := follow.Open(path)
	if err != nil {
		return nil, true
	}
	defer func() { _ = f.Close() }()
	fi, err := f.Stat()
	if err != nil {
		return nil, true
	}
	from := max(0, fi.Size()-tailBytes)
	tail, err = io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil {
		return nil, true
	}
	if from > 0 {
		_, tail, _ = bytes.Cut(tail, []byte{'\n'})
	}
	return tail, from == 0
}

// sessionOf returns the session whose events.jsonl the path is, "" if it is another file.
func sessionOf(path string) string {
	dir, name := filepath.Split(path)
	if name != "events.jsonl" || filepath.Base(filepath.Dir(filepath.Dir(strings.TrimSuffix(dir, "/")))) != "sessions" {
		return ""
	}
	return filepath.Base(dir)
}
