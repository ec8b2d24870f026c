package codex

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

// roots returns the agent's homes: those that CODEX_HOME lists, then the default one.
func (s *Source) roots() []string {
	return follow.Roots(s.host, []string{"CODEX_HOME"}, ".codex")
}

// Discover yields the directories to watch, then the index of names of every home, then every thread's rollout once. A
// rollout tells by its first line which tree of agents it belongs to: that is read once, and before it is complete, the
// rollout is not there.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{yield: yield, ctx: ctx, best: map[string]candidate{}}
		for _, root := range s.roots() {
			d.root(s, root)
		}
		d.families(s)
		for _, thread := range slices.Sorted(maps.Keys(d.best)) {
			d.say(d.best[thread].stream, nil)
		}
	}
}

type discovery struct {
	yield func(collector.Stream, error) bool
	ctx   context.Context
	best  map[string]candidate // by thread
	done  bool
}

// candidate is a file that holds a thread. Of several, the active one wins over an archived one and the plain
// one over a compressed one, as the agent itself has it; of copies in several homes, the longest.
type candidate struct {
	stream collector.Stream
	rank   int
}

func (d *discovery) say(st collector.Stream, err error) {
	if !d.done && (d.ctx.Err() != nil || !d.yield(st, err)) {
		d.done = true
	}
}

func (d *discovery) root(s *Source, root string) {
	for _, dir := range []string{"", "sessions", "archived_sessions", locksDir} {
		d.directory(filepath.Join(root, dir))
	}
	d.index(s, filepath.Join(root, "session_index.jsonl"))
	d.walk(filepath.Join(root, "sessions"), 2, 3)
	d.walk(filepath.Join(root, "archived_sessions"), 0, 0)
}

func (d *discovery) directory(path string) {
	d.say(collector.Stream{
		ID: collector.StreamID("codex/dir/" + filepath.ToSlash(path)), Agent: Agent, Kind: collector.StreamDirectory, Path: path,
	}, nil)
}

// index yields the file in which the agent keeps the threads' names.
func (d *discovery) index(s *Source, path string) {
	key := path
	if rel, err := filepath.Rel(s.host.Home, path); err == nil && filepath.IsLocal(rel) {
		key = rel
	}
	st := collector.Stream{ID: collector.StreamID("codex/names/" + filepath.ToSlash(key)), Agent: Agent, Kind: collector.StreamFacts, Path: path}
	d.file(st, func(st collector.Stream) { d.say(st, nil) })
}

// file fills in a stream's attributes; one that is gone by now is passed over.
func (d *discovery) file(st collector.Stream, found func(collector.Stream)) {
	switch err := follow.Fill(&st); {
	case err == nil:
		found(st)
	case !errors.Is(err, fs.ErrNotExist):
		d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
	}
}

// walk looks for rollouts in dir, and depth levels of year, month and day directories below it.
func (d *discovery) walk(dir string, rank, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
	}
	for _, e := range entries {
		if d.done {
			return
		}
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if depth > 0 {
				d.directory(path)
				d.walk(path, rank, depth-1)
			}
			continue
		}
		thread, plain := threadOf(e.Name())
		if thread == "" {
			continue
		}
		st := collector.Stream{
			ID: collector.StreamID("codex/log/" + thread), Agent: Agent, Kind: collector.StreamLog, Path: path,
		}
		d.file(st, func(st collector.Stream) { d.offer(thread, candidate{st, rank + plain}) })
	}
}

func (d *discovery) offer(thread string, c candidate) {
	old, known := d.best[thread]
	if !known || c.rank > old.rank || c.rank == old.rank && c.stream.Size > old.stream.Size {
		d.best[thread] = c
	}
}

const uuidLen = 36

// threadOf returns the thread that a file named name holds, "" if it is no rollout; plain is 1 if it is not compressed.
func threadOf(name string) (thread string, plain int) {
	stem, ok := strings.CutPrefix(name, "rollout-")
	if !ok {
		return "", 0
	}
	plain = 1
	switch {
	case strings.HasSuffix(stem, ".jsonl"):
		stem = strings.TrimSuffix(stem, ".jsonl")
	case strings.HasSuffix(stem, ".jsonl.zst"):
		stem, plain = strings.TrimSuffix(stem, ".jsonl.zst"), 0
	case strings.HasSuffix(stem, ".json"):
		stem = strings.TrimSuffix(stem, ".json")
	default:
		return "", 0
	}
	if len(stem) >= uuidLen && isUUID(stem[len(stem)-uuidLen:]) {
		return stem[len(stem)-uuidLen:], plain
	}
	const stamp = "2006-01-02T15-04-05-"
	if len(stem) > len(stamp) && stem[len(stamp)-1] == '-' && stem[10] == 'T' {
		stem = stem[len(stamp):]
	}
	return stem, plain
}
