package running

import (
	"fmt"
	"strconv"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// maxTrees bounds how many sessions hooks can make known that no log and no process confirms.
const maxTrees = 256

// maxName bounds what is kept as a name.
const maxName = 512

// Receive takes in what a hook of the agent sent for an event, and returns what it told, and whose program fired it: that
// may be another's than the one that it was installed for. It asks nobody else, so it returns at once. CodeNotFound means that the agent has no hooks here, CodeInvalid that payload is not what it sends.
func (t *Tools) Receive(agent collector.Agent, event string, payload []byte) (collector.Agent, collector.HookKind, error) {
	reader := t.readers[agent]
	if reader == nil {
		return agent, collector.HookUnknown, &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("no agent %q with hooks is known", agent)}
	}
	h, err := reader.ReadHook(event, payload)
	if err == nil && h.Session == "" {
		if b := t.borrower(payload); b != nil && b.Agent() != agent {
			agent = b.Agent()
			h, err = b.ReadHook(event, payload)
		}
	}
	if err != nil {
		return agent, collector.HookUnknown, fmt.Errorf("hook %s of %s: %w", event, agent, err)
	}
	if max(len(h.Session), len(h.Call), len(h.Tool)) > maxName {
		return agent, collector.HookUnknown, &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("hook %s of %s: a name of more than %d bytes", event, agent, maxName)}
	}
	now := t.deps.Now()
	if h.At == 0 {
		h.At = now.UnixMilli()
	}
	t.deps.Publish(collector.Message{
		Type: collector.MessageHookReceived, Session: h.Session, Data: collector.HookReceived{Agent: agent, Event: event},
	})
	look := t.take(agent, event, h, now)
	if h.Session != "" && t.deps.Hint != nil {
		t.deps.Hint(h.Session, look)
	}
	return agent, h.Kind, nil
}

// borrower returns whose program ran a hook that its agent's reader does not take for its own.
func (t *Tools) borrower(payload []byte) collector.HookBorrower {
	for _, r := range t.readers {
		if b, ok := r.(collector.HookBorrower); ok && b.Borrows(payload) {
			return b
		}
	}
	return nil
}

// take brings the session of a hook up to date, and reports whether its process may say something new of itself.
func (t *Tools) take(agent collector.Agent, event string, h collector.Hook, now time.Time) (look bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.Kind == collector.HookUnknown {
		t.countUnknown(agent, event)
	}
	if h.Session == "" || h.Kind == collector.HookUnknown || h.Kind == collector.HookNote {
		return false
	}
	defer t.poked()
	tr := t.treeOf(h.Session.Root())
	l := tr.lane(h.Session)
	switch h.Kind {
	case collector.HookToolStarted:
		t.started(l, h, now)
	case collector.HookToolFinished:
		l.finished(h, now)
	case collector.HookWaiting:
		look = true
		t.again = lookAgain{now.Add(dialogAfter), h.Session}
		if w := l.waitingFor(h); w != nil {
			w.waiting = true
		} else if h.Tool != "" {
			t.started(l, h, now)
			l.hooks[len(l.hooks)-1].waiting = true
		}
	case collector.HookPrompt:
		look = true
		l.prompted()
	case collector.HookStopped:
		look = true
		l.stopped(now)
	case collector.HookEnded:
		look = true
		for _, other := range tr.lanes {
			if other == l || h.Session == h.Session.Root() {
				other.stopped(now)
			}
		}
	}
	l.bind(now)
	t.stale[h.Session] = struct{}{}
	t.tell(h.Session.Root(), now)
	return look
}

// started begins a call, unless it was announced already: the same hook may be installed twice.
func (t *Tools) started(l *lane, h collector.Hook, now time.Time) {
	if h.Call != "" && l.called(h.Call) != nil {
		return
	}
	t.clock++
	id := h.Call
	if id == "" {
		id = "hook-" + strconv.Itoa(t.clock)
	}
	believed := unconfirmed
	if h.Unlogged {
		believed = longest
	}
	l.add(&hooked{Hook: h, id: id, seq: -1, until: now.Add(believed)})
}

// treeOf returns the sessions below root. When there are too many, the one that was longest not heard of is forgotten.
func (t *Tools) treeOf(root collector.SessionID) *tree {
	t.clock++
	if tr := t.trees[root]; tr != nil {
		tr.used = t.clock
		return tr
	}
	if len(t.trees) >= maxTrees {
		var oldest collector.SessionID
		for id, tr := range t.trees {
			if tr.state == "" && (oldest == "" || tr.used < t.trees[oldest].used) {
				oldest = id
			}
		}
		if tr := t.trees[oldest]; tr != nil {
			tr.lanes = nil
			t.tell(oldest, t.deps.Now())
		}
	}
	tr := &tree{lanes: map[collector.SessionID]*lane{}, used: t.clock}
	t.trees[root] = tr
	return tr
}
