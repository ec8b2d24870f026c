package codex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// lineage is what a rollout's first line says about the tree of agents that its thread belongs to.
type lineage struct {
	root   string // the thread at its root (from 0.148 on); "" = it is the root, or the line does not say
	parent string // the thread that spawned it; "" = none
}

// heads are the lineages read so far. A file's first line never changes, so that each is read once.
type heads struct {
	mu       sync.Mutex
	byPath   map[string]head
	sessions map[string]collector.SessionID // by thread, as last discovered; nil = never
}

type head struct {
	inode uint64
	size  int64 // a file that is smaller now is another one
	lineage
}

// at returns the lineage that was read from the stream's file.
func (h *heads) at(st collector.Stream) (head, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.byPath[st.Path]
	return known, ok && known.inode == st.Inode && known.size <= st.Size
}

func (h *heads) keep(byPath map[string]head, sessions map[string]collector.SessionID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byPath, h.sessions = byPath, sessions
}

// session returns the id of the session that a thread is, as far as a discovery has seen its rollout.
func (s *Source) session(ctx context.Context, thread string) collector.SessionID {
	s.heads.mu.Lock()
	looked := s.heads.sessions != nil
	s.heads.mu.Unlock()
	if !looked {
		for _, err := range s.Discover(ctx) { // it keeps what it sees
			_ = err // the discovery that looks for streams tells
		}
	}
	s.heads.mu.Lock()
	defer s.heads.mu.Unlock()
	if id, known := s.heads.sessions[thread]; known {
		return id
	}
	return sessionOf(thread)
}

// families reads the heads that are not known yet, drops threads whose first line is not complete, and gives every stream
// its session: a sub-agent lies flat under the root of its tree.
func (d *discovery) families(s *Source) {
	byPath := make(map[string]head, len(d.best))
	lines := make(map[string]lineage, len(d.best))
	var buf []byte
	for thread, c := range d.best {
		if d.ctx.Err() != nil {
			return
		}
		h, known := s.heads.at(c.stream)
		if !known {
			var err error
			if h.lineage, known, buf, err = readLineage(buf, c.stream.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
			}
		}
		if !known {
			delete(d.best, thread)
			continue
		}
		h.inode, h.size = c.stream.Inode, c.stream.Size
		byPath[c.stream.Path], lines[thread] = h, h.lineage
	}
	sessions := make(map[string]collector.SessionID, len(d.best))
	for _, thread := range slices.Sorted(maps.Keys(d.best)) {
		c := d.best[thread]
		c.stream.Session = sessionOf(thread)
		if root := rootOf(thread, lines); root != thread {
			c.stream.Session = sessionOf(root).Child(thread)
		}
		d.best[thread] = c
		sessions[thread] = c.stream.Session
	}
	s.heads.keep(byPath, sessions)
}

// rootOf returns the root of a thread's tree. Before first lines named it, the parents' files lead there, as far as
// they exist.
func rootOf(thread string, lines map[string]lineage) string {
	const deepest = 64 // no tree is; a circle ends here
	for range deepest {
		l := lines[thread]
		if l.root != "" {
			return l.root
		}
		if l.parent == "" {
			break
		}
		thread = l.parent
	}
	return thread
}

// readLineage reads as much of a rollout as tells its lineage. known is false if there is not enough of it yet.
func readLineage(buf []byte, path string) (l lineage, known bool, _ []byte, err error) {
	if strings.HasSuffix(path, ".json") {
		return lineage{}, true, buf, nil // the first generation had no sub-agents
	}
	for _, limit := range []int{4 << 10, 64 << 10} {
		if buf, err = follow.Head(buf[:0], path, limit); err != nil {
			return lineage{}, false, buf, err
		}
		if l, known = lineageOf(buf); known || len(buf) < limit {
			return l, known, buf, nil
		}
	}
	return lineage{}, true, buf, nil // it stands in the first few hundred bytes, if at all
}

// lineageOf reads a first line, or what stands in it before the instructions, which may be long.
func lineageOf(start []byte) (l lineage, known bool) {
	line, _, whole := bytes.Cut(start, []byte{'\n'})
	if !whole {
		i := bytes.Index(start, []byte(`,"base_instructions":`))
		if i < 0 {
			return lineage{}, false
		}
		line = append(start[:i], "}}"...)
	}
	first := true
	jsonl.Each(line, func(v *fastjson.Value) {
		p := v.Get("payload")
		if !first || string(v.GetStringBytes("type")) != "session_meta" || p == nil {
			return
		}
		first = false
		l.parent = parentOf(p)
		root := jsonl.Str(p, "session_id")
		if (l.parent != "" || p.Exists("source", "subagent")) && root != jsonl.Str(p, "id") {
			l.root = root
		}
	})
	return l, true
}
