package follow

import (
	"container/list"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// notifier is what a watchSet needs of fsnotify.
type notifier interface {
	Add(path string) error
	Remove(path string) error
}

// watchSet keeps as many wanted directories watched as the budget allows. It is not safe for concurrent use.
type watchSet struct {
	fs      notifier
	log     *slog.Logger
	max     int
	cost    int
	limited string // what the system said when it had no watch to give

	wanted  map[string]*dir
	byUse   *list.List // of *dir, the longest quiet first
	watches map[string]*watch
	given   int // how often a directory was given up, for the log
}

// dir is a directory that somebody wants watched. At is the watch that serves it: its own, that of its nearest ancestor
// while it does not exist, or none if it was given up.
type dir struct {
	path      string
	at        *watch
	use       *list.Element
	forbidden bool // it may not be read: whoever looks into it says so
}

// watch is one watched path and whom it serves.
type watch struct {
	path string
	is   fs.FileInfo // what was watched: its path may be another's by now
	cost int
	dirs map[*dir]struct{}
}

// stale reports whether something else stands where the watched directory was.
func (w *watch) stale() bool {
	now, err := os.Stat(w.path)
	return err != nil || w.is == nil || !os.SameFile(w.is, now)
}

func newWatchSet(limit int, fs notifier, log *slog.Logger) watchSet {
	return watchSet{
		fs: fs, log: log, max: limit,
		wanted: map[string]*dir{}, byUse: list.New(), watches: map[string]*watch{},
	}
}

func (s *watchSet) add(path string) {
	d := s.wanted[path]
	if d == nil {
		d = &dir{path: path}
		d.use = s.byUse.PushBack(d)
		s.wanted[path] = d
	}
	s.byUse.MoveToBack(d.use)
	switch {
	case d.at == nil:
		s.resolve(d)
	case d.at.stale():
		s.renew(d.at)
	case d.at.path != path && isDir(path):
		s.resolve(d)
	}
}

// renew ends a watch of what is not there any more and looks anew at whom it served.
func (s *watchSet) renew(w *watch) {
	served := slices.Collect(maps.Keys(w.dirs))
	for _, d := range served {
		s.release(d)
	}
	for _, d := range served {
		s.resolve(d)
	}
}

func (s *watchSet) remove(path string) {
	if d := s.wanted[path]; d != nil {
		s.release(d)
		s.byUse.Remove(d.use)
		delete(s.wanted, path)
	}
}

func (s *watchSet) degraded() string {
	missing := 0
	for _, d := range s.wanted {
		if d.at == nil && !d.forbidden {
			missing++
		}
	}
	switch {
	case s.limited != "":
		return s.limited
	case missing > 0:
		return fmt.Sprintf("%d of %d directories are not watched but looked at now and then: the limit is %d watches",
			missing, len(s.wanted), s.max)
	}
	return ""
}

// maxTries bounds how often resolve starts over because a directory came or went meanwhile.
const maxTries = 10

// resolve watches d's directory, or its nearest existing ancestor, and reports whether it is its own.
func (s *watchSet) resolve(d *dir) (exists bool) {
	s.release(d)
	for range maxTries {
		at := d.path
		for !isDir(at) && filepath.Dir(at) != at {
			at = filepath.Dir(at)
		}
		err := s.serve(d, at)
		d.forbidden = errors.Is(err, fs.ErrPermission)
		switch {
		case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue // gone between the two looks
		case err != nil:
			s.log.Debug("directory is not watched", "dir", at, "err", err)
			return false
		case at == d.path:
			return true
		case !isDir(childToward(at, d.path)):
			return false
		}
		s.release(d) // more of the path exists now
	}
	return false
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// childToward returns the child of dir on the way to path, which lies below dir.
func childToward(dir, path string) string {
	for filepath.Dir(path) != dir {
		path = filepath.Dir(path)
	}
	return path
}

// serve lets a watch of path serve d.
func (s *watchSet) serve(d *dir, path string) error {
	w := s.watches[path]
	if w == nil {
		w = &watch{path: path, cost: watchCost(path), dirs: map[*dir]struct{}{}}
		w.is, _ = os.Stat(path) // an error shows in Add
		if !s.makeRoom(w.cost) {
			return errors.New("no watch is left")
		}
		err := s.fs.Add(path)
		if isLimit(err) {
			s.systemLimit(err)
			if s.makeRoom(w.cost) {
				err = s.fs.Add(path)
			}
		}
		if err != nil {
			return err
		}
		s.watches[path] = w
		s.cost += w.cost
	}
	w.dirs[d] = struct{}{}
	d.at = w
	return nil
}

// systemLimit makes what the system gave so far the budget. With nothing given, later tries may have more luck.
func (s *watchSet) systemLimit(err error) {
	if s.limited == "" {
		s.log.Warn("the system has no more watches", "watches", s.cost, "err", err)
	}
	s.limited = fmt.Sprintf("the system gives no more than %d watches (%v; on Linux fs.inotify.max_user_watches is the limit)", s.cost, err)
	if s.cost > 0 {
		s.max = s.cost
	}
}

func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// release takes d from the watch that serves it, and ends the watch if it serves nobody else.
func (s *watchSet) release(d *dir) {
	w := d.at
	if w == nil {
		return
	}
	d.at = nil
	delete(w.dirs, d)
	if len(w.dirs) == 0 {
		s.drop(w)
	}
}

func (s *watchSet) drop(w *watch) {
	delete(s.watches, w.path)
	s.cost -= w.cost
	// The error says that the system has dropped it by itself, as it does when the directory goes.
	_ = s.fs.Remove(w.path)
}

// makeRoom gives up the directories that were quiet for longest until there is room for n. Directories that do not exist yet stay:
// they are few, and their appearance is what a first start is about.
func (s *watchSet) makeRoom(n int) bool {
	for e := s.byUse.Front(); e != nil && s.cost+n > s.max; e = e.Next() {
		if d := e.Value.(*dir); d.at != nil && d.at.path == d.path && len(d.at.dirs) == 1 {
			s.release(d)
			if s.given++; s.given == 1 {
				s.log.Warn("more directories than watches", "watches", s.max)
			}
		}
	}
	return s.cost+n <= s.max
}
