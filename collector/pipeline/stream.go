package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// source is a Source with what the pipeline knows about it.
type source struct {
	collector.Source
	roots  map[string]bool // directories it named, and whether they exist
	dirty  bool            // something in its directories changed
	looked time.Time       // when it was last asked for streams
	unseen map[string]bool // what could not be looked at then
}

// stream is a stream with how far it was read.
type stream struct {
	collector.Stream
	source    *source
	cp        collector.Checkpoint // read so far
	committed collector.Checkpoint // stored
	owner     collector.SessionID  // whose it is, as stored
	queued    bool
	live      bool // queued among what changed just now
	news      bool // what was there at start, or when it was replaced, has been read
	present   bool // seen by the latest discovery
	gone      bool // its file was deleted, and its sessions know
	failed    bool // it could not be read the last time
	stopTail  context.CancelFunc
	kinds     map[string]struct{} // types of its records that no source knows; nil = the store has them
}

// discover asks a source for its streams, watches its directories and queues what may have grown.
func (p *Pipeline) discover(ctx context.Context, src *source) {
	src.dirty = false
	src.looked = p.deps.Now()
	roots := map[string]bool{}
	seen, unseen := map[collector.StreamID]bool{}, map[string]bool{}
	for s, err := range src.Discover(ctx) {
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			path := s.Path
			if pe := (*fs.PathError)(nil); path == "" && errors.As(err, &pe) {
				path = pe.Path
			}
			unseen[path] = true
			p.warn("cannot-look", "cannot look at it: "+err.Error()+"; make it readable, or ignore this if that is meant", path)
			continue
		}
		if s.Kind == collector.StreamDirectory {
			p.watch(src, s.Path, roots)
			continue
		}
		if seen[s.ID] {
			continue
		}
		seen[s.ID] = true
		p.found(ctx, src, s)
	}
	src.roots = roots
	if ctx.Err() == nil {
		p.lost(ctx, src, seen)
		for path := range src.unseen {
			if !unseen[path] {
				p.unwarn("cannot-look", path)
			}
		}
		src.unseen = unseen
	}
	p.setRoots()
	if why := p.watcher.Degraded(); why != "" {
		p.warn("watch-degraded", why, "")
	} else {
		p.unwarn("watch-degraded", "")
	}
}

func (p *Pipeline) watch(src *source, dir string, roots map[string]bool) {
	_, err := os.Stat(dir)
	roots[dir] = err == nil
	if p.dirs[dir] == nil || err == nil {
		p.dirs[dir] = src
		if err := p.watcher.Add(dir); err != nil {
			p.warn("cannot-watch", "cannot watch it: "+err.Error()+"; new records are found within a minute", dir)
		} else {
			p.unwarn("cannot-watch", dir)
		}
	}
}

// found takes in one discovered stream.
func (p *Pipeline) found(ctx context.Context, src *source, s collector.Stream) {
	k := p.streams[s.ID]
	if k == nil {
		k = &stream{}
		p.streams[s.ID] = k
	}
	moved := k.gone || k.Path != "" && k.Path != s.Path
	if k.Path != s.Path {
		p.readable(k)
		delete(p.byPath, k.Path)
	}
	s.Session = stays(k.Session, s.Session)
	if k.Session != s.Session && k.Session != "" {
		p.renamed(ctx, k)
	}
	wasLive := k.present || p.isReady()
	k.news = k.news || k.source == nil && (wasLive || k.cp.Unchanged(s))
	k.Stream, k.source, k.present = s, src, true
	p.byPath[s.Path] = k
	p.tail(k)
	if moved {
		p.moved(ctx, k)
	}
	if !k.cp.Unchanged(s) {
		p.backlog.push(k, wasLive)
	}
}

// lost notes streams whose file is gone. Their sessions stay.
func (p *Pipeline) lost(ctx context.Context, src *source, seen map[collector.StreamID]bool) {
	for id, s := range p.streams {
		if seen[id] || s.gone || s.Agent != src.Agent() || s.Path == "" {
			continue
		}
		if _, err := os.Stat(s.Path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		delete(p.byPath, s.Path)
		s.present = false
		s.untail()
		p.readable(s)
		if s.Kind == collector.StreamLog {
			p.gone(ctx, s)
		}
	}
}

// changed takes in what a watch says.
func (p *Pipeline) changed(ev follow.Event) {
	p.stirred = true
	if ev.Op == follow.OpOverflow {
		for _, s := range p.sources {
			s.dirty = true
		}
		return
	}
	s := p.byPath[ev.Path]
	if s == nil {
		if s = p.byPath[strings.TrimSuffix(ev.Path, "-wal")]; s != nil { // a table's newest rows
			p.backlog.unsettle(s, p.deps.Now())
		}
	}
	if s != nil && ev.Op != follow.OpRemoved {
		p.backlog.push(s, true)
		return
	}
	dir := ev.Path
	for range 8 { // a watch on a directory that appeared may name a parent
		if src := p.dirs[dir]; src != nil {
			src.dirty = true
			return
		}
		dir = filepath.Dir(dir)
	}
	for _, s := range p.sources {
		s.dirty = true
	}
}

// tail follows a plain-text log that only grows while its process lives.
func (p *Pipeline) tail(s *stream) {
	if !s.Tail {
		s.untail()
	}
	if !s.Tail || s.stopTail != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stopTail = cancel
	grown := follow.Tail(ctx, s.Stream, p.deps.Logger)
	id := s.ID
	go func() {
		for range grown {
			select {
			case p.wakes <- wake{id: id}:
			case <-ctx.Done():
			}
		}
	}()
}

func (s *stream) untail() {
	if s.stopTail != nil {
		s.stopTail()
		s.stopTail = nil
	}
}

func (p *Pipeline) stopTails() {
	for _, s := range p.streams {
		s.untail()
	}
}
