package follow

import (
	"log/slog"
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/nxadm/tail/util"
)

// LoseEvents lets w believe that the kernel's queue ran over.
func LoseEvents(w *Watcher) { w.raw <- rawEvent{err: fsnotify.ErrEventOverflow} }

// WatchSet is a watchSet over a notifier of the test's own.
type WatchSet struct{ set watchSet }

// NewWatchSet returns one with the budget limit.
func NewWatchSet(limit int, fs interface {
	Add(string) error
	Remove(string) error
}) *WatchSet {
	return &WatchSet{newWatchSet(limit, fs, slog.New(slog.DiscardHandler))}
}

// Add wants dir watched.
func (s *WatchSet) Add(dir string) { s.set.add(dir) }

// Degraded says why not all is watched.
func (s *WatchSet) Degraded() string { return s.set.degraded() }

// Queue is a queue.
type Queue struct{ q queue }

// Push adds an event.
func (q *Queue) Push(path string, op Op) { q.q.push(path, op) }

// Drain takes everything.
func (q *Queue) Drain() []Event {
	var out []Event
	for q.q.len() > 0 {
		out = append(out, q.q.first())
		q.q.pop()
	}
	return out
}

// OnLastWords sends what nxadm/tail says before it would exit to logger.
func OnLastWords(t testing.TB, logger *slog.Logger) {
	survive(logger)
	util.LOGGER.SetOutput(lastWords{logger})
	t.Cleanup(func() { util.LOGGER.SetOutput(lastWords{slog.New(slog.DiscardHandler)}) })
}
