package follow

import (
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// happened takes in one event of fsnotify.
func (s *watchSet) happened(ev fsnotify.Event, q *queue) {
	if ev.Has(fsnotify.Create) || ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) {
		s.moved(ev.Name, q)
	}
	w := s.watches[filepath.Dir(ev.Name)]
	if w == nil {
		return
	}
	d := s.wanted[w.path]
	if d == nil || d.at != w {
		return // watched for the sake of something below only
	}
	s.byUse.MoveToBack(d.use)
	if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) {
		q.push(ev.Name, OpRemoved)
	} else {
		q.push(ev.Name, OpChanged)
	}
}

// moved looks anew at the wanted directories for which it matters that path came or went.
func (s *watchSet) moved(path string, q *queue) {
	var affected []*dir
	if w := s.watches[path]; w != nil {
		// Whatever stands there now is not what was watched.
		for d := range w.dirs {
			affected = append(affected, d)
		}
	}
	if w := s.watches[filepath.Dir(path)]; w != nil {
		for d := range w.dirs {
			if d.path != w.path && childToward(w.path, d.path) == path {
				affected = append(affected, d)
			}
		}
	}
	for _, d := range affected {
		s.release(d)
	}
	for _, d := range affected {
		was := d.path == path
		switch exists := s.resolve(d); {
		case exists:
			q.push(d.path, OpChanged)
		case was:
			q.push(d.path, OpRemoved)
		}
	}
}

// resolveAll looks anew at every wanted directory that is not given up.
func (s *watchSet) resolveAll() {
	for _, d := range s.wanted {
		if d.at != nil {
			s.resolve(d)
		}
	}
}
