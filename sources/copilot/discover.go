package copilot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// roots returns the directories that may hold sessions: those of COPILOT_HOME (one or a list), then the default.
func (s *Source) roots() []string {
	return follow.Roots(s.host, []string{"COPILOT_HOME"}, ".copilot")
}

// Discover yields the streams of all roots. A session that two roots hold is yielded from the first one only.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{source: s, yield: yield, taken: map[string]bool{}}
		for _, root := range s.roots() {
			if !d.root(ctx, root) {
				return
			}
		}
	}
}

// discovery is one pass over the roots. Its methods return false when the caller wants no more.
type discovery struct {
	source *Source
	yield  func(collector.Stream, error) bool
	taken  map[string]bool // sessions whose log was yielded
}

func (d *discovery) root(ctx context.Context, root string) bool {
	states, logs := filepath.Join(root, "session-state"), filepath.Join(root, "logs")
	for _, dir := range []string{root, states, logs} {
		if !d.directory(dir) {
			return false
		}
	}
	entries, err := os.ReadDir(states)
	if !d.failed(err) {
		return false
	}
	for _, e := range entries {
		if ctx.Err() != nil || !d.state(states, e) {
			return false
		}
	}
	entries, err = os.ReadDir(logs)
	if !d.failed(err) {
		return false
	}
	for _, e := range entries {
		if ctx.Err() != nil || !d.processLog(logs, e.Name()) {
			return false
		}
	}
	return d.store(root)
}

// state yields what an entry of session-state holds: a directory per session, or one flat file (up to 0.0.34x).
// Directories with a dot hold locks that are never removed.
func (d *discovery) state(states string, e fs.DirEntry) bool {
	name := e.Name()
	if strings.HasPrefix(name, ".") {
		return true
	}
	path := filepath.Join(states, name)
	if id, flat := strings.CutSuffix(name, ".jsonl"); flat && !e.IsDir() {
		return d.log(id, path)
	}
	if !isDirectory(path, e) {
		return true
	}
	if d.taken[name] {
		return true
	}
	return d.directory(path) && d.log(name, filepath.Join(path, "events.jsonl")) &&
		d.file(collector.Stream{
			ID: collector.StreamID(idWorkspace + name), Kind: collector.StreamFacts,
			Session: collector.NewSessionID(agent, name), Path: filepath.Join(path, "workspace.yaml"),
		})
}

func isDirectory(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func (d *discovery) log(id, path string) bool {
	if d.taken[id] {
		return true
	}
	st := collector.Stream{ID: collector.StreamID(idLog + id), Kind: collector.StreamLog, Session: collector.NewSessionID(agent, id), Path: path}
	if _, err := os.Lstat(path); err == nil {
		d.taken[id] = true
	}
	return d.file(st)
}

func (d *discovery) processLog(dir, name string) bool {
	pid, started, ok := processOf(name)
	if !ok {
		return true
	}
	return d.file(collector.Stream{
		ID: collector.StreamID(idProcess + strings.TrimSuffix(name, ".log")), Kind: collector.StreamFacts,
		Path: filepath.Join(dir, name), Tail: d.source.holds(pid, started),
	})
}

// store yields the side database. Its attributes are those of the file and its write-ahead log together: the agent
// commits to the latter.
func (d *discovery) store(root string) bool {
	if d.source.host.Tables == nil {
		return true
	}
	st := collector.Stream{ID: collector.StreamID(idStore + root), Agent: agent, Kind: collector.StreamFacts, Path: filepath.Join(root, "session-store.db")}
	if err := follow.FillTable(&st); err != nil {
		return d.failed(err)
	}
	return d.yield(st, nil)
}

func (d *discovery) directory(path string) bool {
	st := collector.Stream{ID: collector.StreamID(idDirectory + path), Agent: agent, Kind: collector.StreamDirectory, Path: path}
	if err := follow.Fill(&st); !d.failed(err) {
		return false
	}
	return d.yield(st, nil)
}

// file yields the stream if its file exists.
func (d *discovery) file(st collector.Stream) bool {
	st.Agent = agent
	if err := follow.Fill(&st); err != nil {
		return d.failed(err)
	}
	return d.yield(st, nil)
}

// failed yields err unless it only says that something is not there.
func (d *discovery) failed(err error) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return d.yield(collector.Stream{}, fmt.Errorf("discover: %w", err))
}
