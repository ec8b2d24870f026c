package muse

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

// logName is the log in a session's directory, and in each of its sub-agents'.
const logName = "session.jsonl"

// roots returns the directories that may hold sessions: below XDG_DATA_HOME, then the default.
func (s *Source) roots() []string {
	roots := follow.Roots(s.host, []string{"XDG_DATA_HOME"}, filepath.Join(".local", "share"))
	for i, dir := range roots {
		roots[i] = filepath.Join(dir, "muse")
	}
	return roots
}

// Discover yields the streams of all roots. A session that two roots hold is yielded from the first one only. The
// directories are walked, whatever the index says: it lacks paths and times of some sessions.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{source: s, ctx: ctx, yield: yield, taken: map[string]bool{}}
		for _, root := range s.roots() {
			if !d.root(root) {
				return
			}
		}
	}
}

// discovery is one pass over the roots. Its methods return false when the caller wants no more.
type discovery struct {
	source *Source
	ctx    context.Context
	yield  func(collector.Stream, error) bool
	taken  map[string]bool // sessions whose log was yielded
}

func (d *discovery) root(root string) bool {
	return d.directory(root) && d.level(filepath.Join(root, "sessions"), 3) && d.index(root)
}

// level walks sessions/YYYY/MM/DD/<id>; depth is how many levels of dates are below dir.
func (d *discovery) level(dir string, depth int) bool {
	if !d.directory(dir) {
		return false
	}
	entries, err := os.ReadDir(dir)
	if !d.failed(err) {
		return false
	}
	for _, e := range entries {
		if d.ctx.Err() != nil {
			return false
		}
		name := e.Name()
		if !e.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		below := filepath.Join(dir, name)
		switch {
		case depth == 0 && d.taken[name]:
		case depth == 0:
			if !d.session(below, collector.NewSessionID(agent, name)) {
				return false
			}
		case digits(name):
			if !d.level(below, depth-1) {
				return false
			}
		}
	}
	return true
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// session yields a session's log and those of its sub-agents, which may have sub-agents of their own.
func (d *discovery) session(dir string, id collector.SessionID) bool {
	if !d.directory(dir) {
		return false
	}
	_, name, _ := strings.Cut(string(id), ":")
	st := collector.Stream{
		ID: collector.StreamID(idLog + name), Agent: agent, Kind: collector.StreamLog, Session: id, Path: filepath.Join(dir, logName),
	}
	if err := follow.Fill(&st); err == nil {
		d.taken[name] = true
		if !d.yield(st, nil) {
			return false
		}
	} else if !d.failed(err) {
		return false
	}
	children := filepath.Join(dir, "subagent")
	entries, err := os.ReadDir(children)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if !d.failed(err) || !d.directory(children) {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !d.session(filepath.Join(children, e.Name()), id.Child(e.Name())) {
			return false
		}
	}
	return true
}

// index yields the index of sessions. Its attributes are those of the file and its write-ahead log together.
func (d *discovery) index(root string) bool {
	if d.source.host.Tables == nil {
		return true
	}
	st := collector.Stream{ID: collector.StreamID(idIndex + root), Agent: agent, Kind: collector.StreamFacts, Path: filepath.Join(root, "session-index.db")}
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

// failed yields err unless it only says that something is not there.
func (d *discovery) failed(err error) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return d.yield(collector.Stream{}, fmt.Errorf("discover: %w", err))
}
