package follow

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// Op says what happened to a path.
type Op uint8

// The operations.
const (
	// OpChanged: the path appeared or was written to. For a directory given to Add it means: look into it.
	OpChanged Op = iota
	// OpRemoved: the path was removed or renamed.
	OpRemoved
	// OpOverflow: events were lost, look at everything again. Path is empty.
	OpOverflow
)

// Event is something that happened in a watched directory.
type Event struct {
	Path string
	Op   Op
}

// Config says how a Watcher works.
type Config struct {
	// MaxWatches bounds the watches; 0 = the smaller of 4,096 and half of the descriptors that the process may open.
	//
	// inotify needs one descriptor for all watches, but kqueue needs one per directory and one per file in it, and what is
	// left must do for the store, its readers and the browser's connections. The same bound everywhere means that the way
	// it behaves when it is reached is tested everywhere.
	MaxWatches int
	Logger     *slog.Logger
}

// Watcher tells when something happens in directories. It watches directories only, never files, so its cost does
// not depend on the number of old logs.
//
// It is a hint, not a record: beyond its budget the directory that was quiet for longest is given up, and Degraded
// says so. Whoever needs everything must also look for himself now and then.
type Watcher struct {
	log    *slog.Logger
	fs     *fsnotify.Watcher // nil if the system has none to give
	events chan Event
	raw    chan rawEvent
	done   chan struct{}
	close  sync.Once
	wg     sync.WaitGroup

	mu sync.Mutex // guards set; never held while sending
	watchSet
}

// rawEvent is what fsnotify said.
type rawEvent struct {
	fsnotify.Event
	err error
}

// NewWatcher returns a running Watcher. A system that has no watches left gives one that only says why it is Degraded.
func NewWatcher(cfg Config) (*Watcher, error) {
	if cfg.MaxWatches < 0 {
		return nil, fmt.Errorf("new watcher: %d watches", cfg.MaxWatches)
	}
	if cfg.MaxWatches == 0 {
		cfg.MaxWatches = defaultWatches()
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	w := &Watcher{
		log:    cfg.Logger,
		events: make(chan Event),
		raw:    make(chan rawEvent),
		done:   make(chan struct{}),
	}
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		w.watchSet = newWatchSet(cfg.MaxWatches, nil, w.log)
		w.limited = fmt.Sprintf("no directory is watched: %v", err)
		w.log.Warn("directories are not watched", "err", err)
		return w, nil
	}
	w.fs = fs
	w.watchSet = newWatchSet(cfg.MaxWatches, fs, w.log)
	w.wg.Go(w.pump)
	w.wg.Go(w.run)
	return w, nil
}

// Events returns where events come from. They are coalesced by path while nobody takes them. It is closed by Close.
func (w *Watcher) Events() <-chan Event { return w.events }

// Add watches the directory dir. If it does not exist, its nearest existing ancestor is watched and an OpChanged with its path
// comes when it does. Call it before looking into dir, so that nothing falls in between. Adding a directory
// again marks it as in use, and watches it again if it was given up.
func (w *Watcher) Add(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fs != nil {
		w.add(abs)
	}
	return nil
}

// Remove ends watching dir.
func (w *Watcher) Remove(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(abs)
}

// Degraded returns why not all directories are watched, "" if they are.
func (w *Watcher) Degraded() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.degraded()
}

// Close ends the Watcher and waits for its goroutines.
func (w *Watcher) Close() error {
	var err error
	w.close.Do(func() {
		close(w.done)
		if w.fs != nil {
			err = w.fs.Close()
		}
		w.wg.Wait()
		close(w.events)
	})
	return err
}

// pump takes fsnotify's events at once, whatever run does: fsnotify sends errors while it holds the lock that Add needs.
func (w *Watcher) pump() {
	var queue []rawEvent
	for {
		var out chan rawEvent
		var next rawEvent
		if len(queue) > 0 {
			out, next = w.raw, queue[0]
		}
		select {
		case ev, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if ev.Op != fsnotify.Chmod {
				queue = append(queue, rawEvent{Event: ev})
			}
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			queue = append(queue, rawEvent{err: err})
		case out <- next:
			queue = queue[1:]
		case <-w.done:
			return
		}
	}
}

// run turns what fsnotify says into events.
func (w *Watcher) run() {
	var q queue
	for {
		var out chan Event
		var next Event
		if q.len() > 0 {
			out, next = w.events, q.first()
		}
		select {
		case ev := <-w.raw:
			w.handle(ev, &q)
		case out <- next:
			q.pop()
		case <-w.done:
			return
		}
	}
}

func (w *Watcher) handle(ev rawEvent, q *queue) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case errors.Is(ev.err, fsnotify.ErrEventOverflow):
		w.log.Warn("events of watched directories were lost")
		w.resolveAll()
		q.overflow()
	case ev.err != nil:
		w.log.Warn("watching directories", "err", ev.err)
	default:
		w.happened(ev.Event, q)
	}
}
