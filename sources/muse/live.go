package muse

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// Live yields the sessions whose process lives, as runtime/muse/sessions/<id>.json names it ("pid=4711"). The file stays
// behind when a process is killed, so that the process must be one of the program's, and have begun before the file was
// written. Whether a turn runs only the log says.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		done := map[collector.SessionID]bool{}
		for _, root := range s.roots() {
			dir := filepath.Join(root, "runtime", "muse", "sessions")
			entries, err := os.ReadDir(dir)
			if err != nil {
				if !os.IsNotExist(err) && !yield(collector.LiveSession{}, fmt.Errorf("live: %w", err)) {
					return
				}
				continue
			}
			for _, e := range entries {
				live, ok := s.holder(filepath.Join(dir, e.Name()))
				if !ok || done[live.Session] {
					continue
				}
				done[live.Session] = true
				if ctx.Err() != nil || !yield(live, nil) {
					return
				}
			}
		}
	}
}

// holder reads one file and reports whether the process that it names lives.
func (s *Source) holder(path string) (live collector.LiveSession, lives bool) {
	fi, err := os.Stat(path)
	if err != nil || filepath.Ext(path) != ".json" || fi.Size() > 64<<10 {
		return live, false
	}
	data, err := follow.ReadFile(path)
	if err != nil {
		return live, false
	}
	jsonl.Object(data, func(v *fastjson.Value) {
		hint, _ := strings.CutPrefix(jsonl.Str(v, "process_generation_hint"), "pid=")
		live.Pid, _ = strconv.Atoi(strings.TrimSpace(hint))
		if own := jsonl.Str(v, "session_id"); own != "" {
			live.Session = collector.NewSessionID(agent, own)
		}
	})
	return live, live.Session != "" && live.Pid > 0 && s.runs(live.Pid, fi.ModTime().UnixMilli())
}

const (
	ticksPerSecond = 100  // USER_HZ, in which /proc counts on every Linux
	slackMs        = 5000 // file times are coarse
)

// runs reports whether pid is a process of the program that had begun at a time in unix ms.
func (s *Source) runs(pid int, at int64) bool {
	dir := filepath.Join(s.host.Proc, strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return false
	}
	// The name in parentheses may hold anything; what follows is the state, and the start is the 22nd field in all.
	name, rest := bytes.LastIndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	fields := bytes.Fields(stat[rest+1:])
	if name < 0 || rest < name || len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' || !bytes.HasPrefix(stat[name+1:rest], []byte("muse")) {
		return false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	return err == nil && s.bootMs()+ticks*1000/ticksPerSecond <= at+slackMs
}

// bootMs returns when the system was started, in unix ms.
func (s *Source) bootMs() int64 {
	data, _ := os.ReadFile(filepath.Join(s.host.Proc, "stat"))
	for line := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(line, "btime "); ok {
			seconds, _ := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
			return seconds * 1000
		}
	}
	return 0
}
