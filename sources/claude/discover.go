package claude

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

// Discover yields the directories to watch, then the transcripts and documents, in the order of their ids. A session
// that stands in two places (two roots, a moved project) is yielded once: the larger file, of two as large the
// one whose path sorts first.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		w := walk{files: map[collector.StreamID]collector.Stream{}}
		for _, root := range s.roots() {
			if ctx.Err() != nil {
				break
			}
			w.root(ctx, root)
		}
		if err := ctx.Err(); err != nil {
			yield(collector.Stream{}, err)
			return
		}
		for _, st := range w.dirs {
			if !yield(st, nil) {
				return
			}
		}
		for _, id := range slices.Sorted(maps.Keys(w.files)) {
			if !yield(w.files[id], nil) {
				return
			}
		}
		for _, err := range w.errs {
			if !yield(collector.Stream{}, err) {
				return
			}
		}
	}
}

// walk is one discovery.
type walk struct {
	dirs  []collector.Stream
	files map[collector.StreamID]collector.Stream
	errs  []error
}

func (w *walk) root(ctx context.Context, root string) {
	projects := filepath.Join(root, "projects")
	w.dir(root)
	w.dir(registryDir(root))
	w.dir(projects)
	for _, e := range w.list(projects) {
		if ctx.Err() != nil {
			return
		}
		if path := filepath.Join(projects, e.Name()); isDir(path, e) {
			w.project(path)
		}
	}
}

// project walks one project's directory: transcripts, the companion directories beside them, and sub-agents'
// transcripts as versions before 2.1 placed them.
func (w *walk) project(dir string) {
	w.dir(dir)
	for _, e := range w.list(dir) {
		name, path := e.Name(), filepath.Join(dir, e.Name())
		stem, isLog := strings.CutSuffix(name, ".jsonl")
		switch {
		case isLog && strings.HasPrefix(stem, "agent-"):
			w.file(collector.Stream{ID: logID(stem), Kind: collector.StreamLog, Path: path})
		case isLog:
			w.file(collector.Stream{ID: logID(stem), Kind: collector.StreamLog, Session: collector.NewSessionID(agent, stem), Path: path})
		case name != "memory" && isDir(path, e):
			w.companion(path, name)
		}
	}
}

// companion walks the directory that goes with the session sid. tool-results, and what Workflow keeps beside its
// agents, hold no facts that the transcripts lack.
func (w *walk) companion(dir, sid string) {
	w.dir(dir)
	root := collector.NewSessionID(agent, sid)
	for _, e := range w.list(dir) {
		name, path := e.Name(), filepath.Join(dir, e.Name())
		switch {
		case name == "subagents" && isDir(path, e):
			w.subagents(path, root)
		case name == "custom-title.json":
			w.file(collector.Stream{ID: factsID(sid, "custom-title"), Kind: collector.StreamFacts, Session: root, Path: path})
		case strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, "agent-") && name != "journal.jsonl":
			// Versions before 1.0 put the transcript here.
			w.file(collector.Stream{ID: logID(sid), Kind: collector.StreamLog, Session: root, Path: path})
		}
	}
}

// subagents walks the sub-agents' transcripts of one root session: all depths lie flat, workflows have directories.
func (w *walk) subagents(dir string, root collector.SessionID) {
	w.dir(dir)
	for _, e := range w.list(dir) {
		name, path := e.Name(), filepath.Join(dir, e.Name())
		own, isAgent := strings.CutPrefix(name, "agent-")
		if !isAgent {
			if e.IsDir() { // no links, which could lead round in a circle
				w.subagents(path, root)
			}
			continue
		}
		if own, ok := strings.CutSuffix(own, ".meta.json"); ok {
			w.file(collector.Stream{ID: factsID(root.Own(), own), Kind: collector.StreamFacts, Session: root.Child(own), Path: path})
		} else if own, ok := strings.CutSuffix(own, ".jsonl"); ok {
			w.file(collector.Stream{ID: logID(root.Own() + "/" + own), Kind: collector.StreamLog, Session: root.Child(own), Path: path})
		}
	}
}

func logID(own string) collector.StreamID { return collector.StreamID("claude/log/" + own) }

func factsID(sid, what string) collector.StreamID {
	return collector.StreamID("claude/facts/" + sid + "/" + what)
}

func (w *walk) dir(path string) {
	w.dirs = append(w.dirs, collector.Stream{
		ID: collector.StreamID("claude/directory/" + path), Agent: agent, Kind: collector.StreamDirectory, Path: path,
	})
}

func (w *walk) file(st collector.Stream) {
	st.Agent = agent
	if err := follow.Fill(&st); err != nil {
		w.fail(err)
		return
	}
	if old, twice := w.files[st.ID]; twice && (old.Size > st.Size || old.Size == st.Size && old.Path <= st.Path) {
		return
	}
	w.files[st.ID] = st
}

// list returns the entries of a directory that may not exist.
func (w *walk) list(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.fail(err)
	}
	return entries
}

// fail keeps an error, unless it only says that a thing is not there, or no more.
func (w *walk) fail(err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.errs = append(w.errs, fmt.Errorf("discover: %w", err))
	}
}

func isDir(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
