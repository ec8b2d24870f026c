package grok

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// roots returns the agent's homes: those that GROK_HOME lists, then the default one.
func (s *Source) roots() []string { return follow.Roots(s.host, []string{"GROK_HOME"}, ".grok") }

// Discover yields the streams of all roots. Of copies of a session the one with the longest log
// is yielded.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{ctx: ctx, yield: yield, dirs: map[string]string{}, parents: map[string]string{}}
		for _, root := range s.roots() {
			d.root(root)
		}
		s.known.keep(&d)
		for _, own := range slices.Sorted(maps.Keys(d.dirs)) {
			d.session(s, own)
		}
	}
}

const logFile = "updates.jsonl"

// discovery is one pass over the roots.
type discovery struct {
	ctx     context.Context
	yield   func(collector.Stream, error) bool
	dirs    map[string]string // by session: its directory
	parents map[string]string // by sub-agent: who spawned it
	done    bool
}

func (d *discovery) say(st collector.Stream, err error) {
	st.Agent = agent
	if !d.done && (d.ctx.Err() != nil || !d.yield(st, err)) {
		d.done = true
	}
}

// root looks for sessions/<encoded working directory>/<session>. The names of the directories between are not decoded:
// long ones are cut, and summary.json says the place.
func (d *discovery) root(root string) {
	sessions := filepath.Join(root, "sessions")
	d.directory(root)
	d.directory(sessions)
	for _, group := range d.subdirectories(sessions) {
		d.directory(group)
		for _, dir := range d.subdirectories(group) {
			own := filepath.Base(dir)
			if first, twice := d.dirs[own]; !twice || logSize(dir) > logSize(first) {
				d.dirs[own] = dir
			}
			d.directory(dir)
			d.children(own, filepath.Join(dir, "subagents"))
		}
	}
}

// logSize returns the size of a session's log, -1 if there is none.
func logSize(dir string) int64 {
	fi, err := os.Stat(filepath.Join(dir, logFile))
	if err != nil {
		return -1
	}
	return fi.Size()
}

// children notes whom a session spawned: each has a directory of its name below the spawner's, and its own log among
// the other sessions.
func (d *discovery) children(own, dir string) {
	children := d.subdirectories(dir)
	if len(children) > 0 {
		d.directory(dir)
	}
	for _, child := range children {
		d.parents[filepath.Base(child)] = own
	}
}

// subdirectories returns the directories in dir, none if it does not exist.
func (d *discovery) subdirectories(dir string) []string {
	if d.done || d.ctx.Err() != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	d.failed(err)
	var out []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// session yields the streams of a session.
func (d *discovery) session(s *Source, own string) {
	dir := d.dirs[own]
	id := d.id(own)
	log := collector.Stream{ID: collector.StreamID(idLog + own), Kind: collector.StreamLog, Session: id, Path: filepath.Join(dir, logFile)}
	if err := follow.Fill(&log); err != nil {
		d.failed(err)
		return
	}
	if d.parents[own] == "" && s.orphan(dir, log.ModTime) {
		return
	}
	d.say(log, nil)
	beside := [][2]string{{filepath.Join(dir, "events.jsonl"), idEvents}, {filepath.Join(dir, "summary.json"), idSummary}, {filepath.Join(dir, "signals.json"), idSignals}}
	if parent := d.parents[own]; parent != "" {
		beside = append(beside, [2]string{filepath.Join(d.dirs[parent], "subagents", own, "meta.json"), idMeta})
	}
	for _, file := range beside {
		st := collector.Stream{ID: collector.StreamID(file[1] + own), Kind: collector.StreamFacts, Session: id, Path: file[0]}
		if err := follow.Fill(&st); err != nil {
			d.failed(err)
			continue
		}
		d.say(st, nil)
	}
}

// id returns the id of a session: a sub-agent's lies flat under the root of its tree.
func (d *discovery) id(own string) collector.SessionID {
	const deepest = 64 // no tree is; a circle ends here
	root := own
	for range deepest {
		parent := d.parents[root]
		if parent == "" {
			break
		}
		root = parent
	}
	if root == own {
		return collector.NewSessionID(agent, own)
	}
	return collector.NewSessionID(agent, root).Child(own)
}

func (d *discovery) directory(path string) {
	st := collector.Stream{ID: collector.StreamID(idDirectory + path), Kind: collector.StreamDirectory, Path: path}
	if err := follow.Fill(&st); err == nil || errors.Is(err, fs.ErrNotExist) {
		d.say(st, nil)
	} else {
		d.failed(err)
	}
}

// failed yields err unless it only says that something is not there.
func (d *discovery) failed(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
	}
}
