package gemini

import (
	"cmp"
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

const (
	rootFile   = ".project_root" // holds the path of a project's folder
	mainPrefix = "session-"      // begins the names of sessions; those of sub-agents are their ids
)

// roots returns the agent's folders: GEMINI_CLI_HOME takes the place of the user's home, and not of .gemini.
func (s *Source) roots() []string {
	homes := follow.Roots(s.host, []string{"GEMINI_CLI_HOME"}, "")
	for i, home := range homes {
		homes[i] = filepath.Join(home, ".gemini")
	}
	return homes
}

// Discover yields the directories to watch, then every session's log once, each followed by the file that names its
// project's folder. A file's name has only the beginning of the session's id, so its first line is read, once; before it
// is complete the log is not there.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{ctx: ctx, yield: yield}
		for _, root := range s.roots() {
			d.root(root)
		}
		for _, f := range s.sessions(&d) {
			d.log(f)
		}
	}
}

// file is a file that holds a session.
type file struct {
	collector.Stream
	own     string // the session's own id, from the first line
	parent  string // the folder that a sub-agent's file lies in; "" = a root
	chats   string // the directory of the project's sessions
	project string // the project's folder, where Live asked for it
}

type discovery struct {
	ctx   context.Context
	yield func(collector.Stream, error) bool
	files []file
	done  bool
}

func (d *discovery) say(st collector.Stream, err error) {
	if !d.done && (d.ctx.Err() != nil || !d.yield(st, err)) {
		d.done = true
	}
}

func (d *discovery) root(root string) {
	tmp := filepath.Join(root, "tmp")
	d.directory(root)
	d.directory(tmp)
	for _, project := range d.list(tmp) {
		chats := filepath.Join(tmp, project.Name(), "chats")
		if !project.IsDir() || !exists(chats) && !exists(filepath.Join(tmp, project.Name(), rootFile)) {
			continue // tools of the agent's own lie beside the projects
		}
		d.directory(filepath.Join(tmp, project.Name()))
		d.directory(chats)
		d.chats(chats)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// chats lists the sessions of one project, and those of their sub-agents.
func (d *discovery) chats(dir string) {
	for _, e := range d.list(dir) {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() {
			if strings.HasPrefix(e.Name(), mainPrefix) && isSession(e.Name()) {
				d.add(path, "", dir)
			}
			continue
		}
		d.directory(path)
		for _, sub := range d.list(path) {
			if !sub.IsDir() && isSession(sub.Name()) {
				d.add(filepath.Join(path, sub.Name()), e.Name(), dir)
			}
		}
	}
}

func isSession(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json")
}

func (d *discovery) add(path, parent, chats string) {
	st := collector.Stream{Agent: Agent, Kind: collector.StreamLog, Path: path}
	if d.fill(&st) {
		d.files = append(d.files, file{Stream: st, parent: parent, chats: chats})
	}
}

// fill sets a stream's attributes; a file that is gone by now is passed over.
func (d *discovery) fill(st *collector.Stream) bool {
	err := follow.Fill(st)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
	}
	return err == nil
}

func (d *discovery) directory(path string) {
	d.say(collector.Stream{
		ID: collector.StreamID("gemini/dir/" + filepath.ToSlash(path)), Agent: Agent, Kind: collector.StreamDirectory, Path: path,
	}, nil)
}

func (d *discovery) list(dir string) []fs.DirEntry {
	if d.done || d.ctx.Err() != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
	}
	return entries
}

// log yields a session's log, and its project's folder.
func (d *discovery) log(f file) {
	d.say(f.Stream, nil)
	st := collector.Stream{
		ID:    collector.StreamID("gemini/project/" + strings.TrimPrefix(string(f.ID), logID)),
		Agent: Agent, Kind: collector.StreamFacts, Session: f.Session, Path: filepath.Join(filepath.Dir(f.chats), rootFile),
	}
	if d.fill(&st) {
		d.say(st, nil)
	}
}

const logID = "gemini/log/"

// sessions returns the file of each session: the log of lines rather than the document that it was made from, of copies
// in several homes the longest.
func (s *Source) sessions(d *discovery) []file {
	s.heads.read(d)
	best := map[collector.StreamID]file{}
	roots := rootsOf(d.files)
	for _, f := range d.files {
		f.Session = collector.NewSessionID(Agent, f.own)
		f.ID = collector.StreamID(logID + f.own)
		if f.parent != "" {
			f.Session = collector.NewSessionID(Agent, roots[f.parent]).Child(f.own)
			f.ID = collector.StreamID(logID + roots[f.parent] + "/" + f.own)
		}
		if old, twice := best[f.ID]; !twice || better(f, old) {
			best[f.ID] = f
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b file) int { return cmp.Compare(a.ID, b.ID) })
}

func better(a, b file) bool {
	if isDocument(a.Path) != isDocument(b.Path) {
		return isDocument(b.Path)
	}
	return a.Size > b.Size
}

// rootsOf returns the root session of every folder of sub-agents: the folder is named after the session that spawned
// them, which may be a sub-agent itself.
func rootsOf(files []file) map[string]string {
	spawner := map[string]string{}
	for _, f := range files {
		if f.parent != "" {
			spawner[f.own] = f.parent
		}
	}
	const deepest = 64 // no tree is; a circle ends here
	roots := map[string]string{}
	for _, f := range files {
		root := f.parent
		for range deepest {
			up, nested := spawner[root]
			if !nested {
				break
			}
			root = up
		}
		roots[f.parent] = root
	}
	return roots
}
