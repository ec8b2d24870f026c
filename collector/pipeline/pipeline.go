// Package pipeline reads agents' streams into the store: it discovers, schedules, reads, folds, commits and publishes.
// One goroutine owns all of that, so a session has one reader at a time and no state is shared; following a stream is
// only "read again from the checkpoint", live and at start alike.
//
// What was published is committed, and what is committed is complete: rows, flags and checkpoints of a batch stand in
// one transaction. A failed commit drops what is in memory and goes on from the stored checkpoints.
package pipeline

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// Publisher takes messages about what was committed. It must not block.
type Publisher interface {
	Publish(msgs ...collector.Message)
}

// Config is what the user may set.
type Config struct {
	LiveEvery    time.Duration // how often running processes are looked at; 0 = DefaultLiveEvery
	SweepEvery   time.Duration // how often all streams are looked for; 0 = DefaultSweepEvery
	MaxWatches   int           // directories watched at most; 0 = follow's own budget
	BatchRecords int           // records of history per transaction; 0 = DefaultBatchRecords
	KeepNone     bool          // after every commit, load sessions from the store again: slow, shows what it keeps
	PauseAfter   time.Duration // how long reading rests when the store failed; 0 = DefaultPauseAfter
}

// The defaults. Between sweeps, directory watches tell what changed.
const (
	DefaultBatchRecords = 6000
	DefaultLiveEvery    = 5 * time.Second
	DefaultSweepEvery   = time.Minute
	DefaultPauseAfter   = 10 * time.Second // a full disk is not emptied within a moment
)

// Deps is what the program hands in.
type Deps struct {
	Sources   []collector.Source
	Store     *sqlite.DB
	Publisher Publisher
	Judges    fold.Judges
	Logger    *slog.Logger
	Now       func() time.Time
	Warnings  []collector.Warning     // what is to be known from the start
	Observe   func(*collector.Commit) // is told what was committed, and must not block; nil = nobody asks
}

// Pipeline is the collector's only writer.
type Pipeline struct {
	cfg  Config
	deps Deps

	watcher *follow.Watcher
	streams map[collector.StreamID]*stream
	byPath  map[string]*stream
	dirs    map[string]*source
	sources []*source
	backlog queue
	wakes   chan wake

	sessions map[collector.SessionID]*entry
	stored   map[collector.SessionID]struct{} // sessions that the store has
	claimed  *claims
	batch    batch
	live     []collector.LiveSession
	stirred  bool      // something was written since the last look at processes
	skipped  int       // looks that were skipped since
	lookLive bool      // what processes say of themselves has changed, too
	swept    bool      // live is what the store has
	damaged  error     // the store cannot be trusted any more
	paused   time.Time // nothing is read before: the store failed

	mu     sync.Mutex // guards status
	status status
}

// wake tells the loop that a stream, or a session's, may have grown.
type wake struct {
	id      collector.StreamID
	session collector.SessionID
	look    bool // at processes, too
}

// New returns a pipeline that Run starts.
func New(cfg Config, deps Deps) *Pipeline {
	if cfg.LiveEvery == 0 {
		cfg.LiveEvery = DefaultLiveEvery
	}
	if cfg.SweepEvery == 0 {
		cfg.SweepEvery = DefaultSweepEvery
	}
	if cfg.BatchRecords == 0 {
		cfg.BatchRecords = DefaultBatchRecords
	}
	if cfg.PauseAfter == 0 {
		cfg.PauseAfter = DefaultPauseAfter
	}
	p := &Pipeline{
		cfg: cfg, deps: deps,
		streams:  map[collector.StreamID]*stream{},
		byPath:   map[string]*stream{},
		dirs:     map[string]*source{},
		sessions: map[collector.SessionID]*entry{},
		wakes:    make(chan wake, 64),
	}
	for _, s := range deps.Sources {
		p.sources = append(p.sources, &source{Source: s})
	}
	p.status.warnings = map[string]*collector.Warning{}
	for _, w := range deps.Warnings {
		p.status.warnings[warningKey(w.Code, w.Path)] = &w
	}
	p.batch.reset()
	return p
}

// Run reads what there is and follows what comes, until ctx ends; then it commits what it holds and returns. A damaged
// store ends it with an error of which sqlite.Damaged reports true.
func (p *Pipeline) Run(ctx context.Context) error {
	var err error
	if p.watcher, err = follow.NewWatcher(follow.Config{MaxWatches: p.cfg.MaxWatches, Logger: p.deps.Logger}); err != nil {
		return err
	}
	defer func() { _ = p.watcher.Close() }()
	if err := p.restore(ctx); err != nil {
		return err
	}
	p.sweepLive(ctx) // first: what the store says about processes is from an earlier run
	for _, s := range p.sources {
		p.discover(ctx, s)
	}
	p.begin()
	return p.loop(ctx)
}

// restore takes over the checkpoints of earlier runs.
func (p *Pipeline) restore(ctx context.Context) error {
	known, err := p.deps.Store.Streams(ctx)
	if err != nil {
		return err
	}
	ids, err := p.deps.Store.SessionIDs(ctx)
	if err != nil {
		return err
	}
	p.stored = make(map[collector.SessionID]struct{}, len(ids))
	for _, id := range ids {
		p.stored[id] = struct{}{}
	}
	gone, err := p.deps.Store.GoneStreams(ctx)
	if err != nil {
		return err
	}
	for _, k := range known {
		p.streams[k.Stream.ID] = &stream{
			Stream: k.Stream, cp: k.Checkpoint, committed: k.Checkpoint, owner: k.Stream.Session, gone: slices.Contains(gone, k.Stream.ID),
		}
	}
	return nil
}

// loop serves live streams first, then history, then waits.
func (p *Pipeline) loop(ctx context.Context) error {
	live := time.NewTicker(p.cfg.LiveEvery)
	defer live.Stop()
	sweep := time.NewTicker(p.cfg.SweepEvery)
	defer sweep.Stop()
	later := time.NewTimer(time.Hour)
	defer later.Stop()
	for p.damaged == nil && ctx.Err() == nil {
		if p.step(ctx) {
			if ctx.Err() != nil {
				break
			}
			select { // more to do: only look whether something is more urgent
			case ev := <-p.watcher.Events():
				p.changed(ev)
			case w := <-p.wakes:
				p.wake(w)
			case <-live.C:
				p.sweepLive(ctx)
			default:
				p.discoverDue(ctx)
			}
			continue
		}
		p.flush(ctx)
		if p.backlog.empty() {
			p.caughtUp(ctx)
		}
		if p.lookLive {
			p.lookLive = false
			p.sweepLive(ctx)
		}
		if wait, due := p.nextDiscovery(); due {
			later.Reset(wait)
		}
		select {
		case <-ctx.Done():
		case ev := <-p.watcher.Events():
			p.changed(ev)
		case w := <-p.wakes:
			p.wake(w)
		case <-later.C:
			p.discoverDue(ctx)
		case <-live.C:
			p.tickLive(ctx)
		case <-sweep.C:
			for _, s := range p.sources {
				p.discover(ctx, s)
			}
		}
	}
	if p.damaged == nil {
		p.flush(context.WithoutCancel(ctx))
	}
	p.stopTails()
	return p.damaged
}

// step does one piece of work, and reports whether there may be more.
func (p *Pipeline) step(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	if p.pause() > 0 {
		return false
	}
	s, live := p.backlog.pop()
	if s == nil {
		return false
	}
	more := p.read(ctx, s, live)
	if more {
		p.backlog.push(s, live)
	}
	if p.batch.due(p.deps.Now(), p.cfg.BatchRecords, live && !more) {
		p.flush(ctx)
	}
	return true
}
