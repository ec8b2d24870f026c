package running

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

// liveEvery is how often the states of sessions are read at most while their logs grow. What begins or ends is read at
// once; this is for a log that says that somebody is asked.
const liveEvery = 500 * time.Millisecond

// watch is what is due to be read of processes.
type watch struct {
	urgent atomic.Bool // set by the publisher: a later message of the session may take the place of the one that says so
	wanted bool
	read   time.Time
}

// Run reads what the logs show of sessions at work, as broker tells of changes, until ctx ends.
func (t *Tools) Run(ctx context.Context, broker *pubsub.Broker) {
	var w watch
	w.urgent.Store(true)
	sub := broker.Subscribe(ctx, -1, w.wants)
	defer sub.Close()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := t.deps.Now()
		if w.urgent.Swap(false) || w.wanted && now.Sub(w.read) >= liveEvery {
			w.wanted, w.read = false, now
			t.readLive(ctx)
		}
		t.readStale(ctx)
		wait := t.expire()
		if w.wanted {
			wait = min(wait, liveEvery)
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-sub.Wake():
			msgs, _ := sub.Take()
			for _, m := range msgs {
				w.wanted = t.grown(m) || w.wanted
			}
		case <-t.poke:
		case <-timer.C:
		}
	}
}

// wants is the filter of the subscription. It is called by the publisher.
func (w *watch) wants(m *collector.Message) bool {
	switch m.Type {
	case collector.MessageSessionUpdated:
		if m.Status != "" {
			w.urgent.Store(true)
		}
	case collector.MessageTurnToolCall: // of a new session, this may be the first news that a process holds it
		if m.Status != string(collector.CallPending) {
			return false
		}
		w.urgent.Store(true)
	case collector.MessageTurnStarted, collector.MessageTurnCompleted, collector.MessageResync:
		w.urgent.Store(true)
	case collector.MessageProgress:
		if m.Progress == nil || !m.Progress.Ready {
			return false
		}
		w.urgent.Store(true)
	default:
		return false
	}
	return true
}

// grown notes that a session's log has grown, and reports whether it is one in which something may run.
func (t *Tools) grown(m collector.Message) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.Type == collector.MessageResync {
		for _, tr := range t.trees {
			for id := range tr.lanes {
				t.stale[id] = struct{}{}
			}
		}
	}
	if t.trees[m.Session.Root()] == nil {
		return false
	}
	t.stale[m.Session] = struct{}{}
	return true
}

// readLive takes over which sessions processes hold, and how they stand.
func (t *Tools) readLive(ctx context.Context) {
	roots, err := t.deps.Store.LiveSessions(ctx)
	if err != nil {
		t.warn(ctx, "list live sessions", err)
		return
	}
	states := map[collector.SessionID]collector.SessionState{}
	for _, s := range roots {
		addStates(states, s)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, state := range states {
		if state.Live() {
			t.treeOf(id.Root())
		}
	}
	now := t.deps.Now()
	for root, tr := range t.trees {
		t.setStates(root, tr, states, now)
		t.tell(root, now)
	}
}

func addStates(states map[collector.SessionID]collector.SessionState, s *collector.Session) {
	states[s.ID] = s.State
	for _, c := range s.Children {
		addStates(states, c)
	}
}

func (t *Tools) setStates(root collector.SessionID, tr *tree, states map[collector.SessionID]collector.SessionState, now time.Time) {
	ended := tr.state != "" && states[root] == ""
	answered := tr.state == collector.SessionWaiting && states[root] == collector.SessionBusy
	tr.state = states[root]
	for id, state := range states {
		if id.Root() == root && tr.lanes[id] == nil && state.Live() {
			tr.lane(id)
			t.stale[id] = struct{}{}
		}
	}
	for id, l := range tr.lanes {
		if answered || l.state == collector.SessionWaiting && states[id] == collector.SessionBusy {
			for _, h := range l.hooks {
				h.waiting = false
			}
		}
		if l.state = states[id]; ended {
			l.ended(now)
			l.bind(now)
		}
	}
}

// readStale reads the calls of the sessions that have changed.
func (t *Tools) readStale(ctx context.Context) {
	t.mu.Lock()
	stale := slices.Sorted(maps.Keys(t.stale))
	clear(t.stale)
	t.mu.Unlock()
	for _, id := range stale {
		calls, err := t.deps.Store.RecentCalls(ctx, id)
		known := collector.ErrorCode(err) != collector.CodeNotFound
		if err != nil && known {
			t.warn(ctx, "read recent calls", err)
			continue
		}
		t.show(id, calls, known)
	}
}

// show takes over what the log of a session shows.
func (t *Tools) show(id collector.SessionID, calls []*collector.ToolCall, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tr := t.trees[id.Root()]
	if tr == nil {
		return
	}
	l := tr.lane(id)
	l.log, l.known = calls, known
	now := t.deps.Now()
	l.bind(now)
	t.tell(id.Root(), now)
}

// expire gives up what nothing confirmed in time, looks again at a process, and returns how long until the next such time.
func (t *Tools) expire() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.deps.Now()
	wait := time.Hour
	until := func(at time.Time) {
		if !at.IsZero() {
			wait = min(wait, max(at.Sub(now), time.Millisecond))
		}
	}
	for root, tr := range t.trees {
		if next := tr.next(); !next.IsZero() && !now.Before(next) {
			for _, l := range tr.lanes {
				l.bind(now)
			}
			t.tell(root, now)
		}
		until(tr.next())
	}
	if !t.again.at.IsZero() && !now.Before(t.again.at) {
		if t.deps.Hint != nil {
			t.deps.Hint(t.again.session, true)
		}
		t.again = lookAgain{}
	}
	until(t.again.at)
	return wait
}

func (t *Tools) warn(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		t.deps.Logger.Warn("running tools: cannot "+what, "err", err)
	}
}
