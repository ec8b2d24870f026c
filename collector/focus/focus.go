// Package focus holds which session everybody looks at together, and the loop that attaches one by itself.
//
// All sessions are followed always; attaching changes nothing but the focus. What a person chose is never taken away:
// auto-attach leaves an attached session alone as long as it is live, and does not attach again what was detached until it
// ended. It keeps an ended session attached until there is another one.
package focus

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// DefaultInterval is how often auto-attach looks for live sessions.
const DefaultInterval = time.Second

// Sessions is what the focus reads.
type Sessions interface {
	LiveSessions(ctx context.Context) ([]*collector.Session, error)
	Session(ctx context.Context, id collector.SessionID) (*collector.Session, error)
}

// Focus is the shared focus. Its methods may be called concurrently.
type Focus struct {
	sessions Sessions
	publish  func(...collector.Message)
	now      func() time.Time
	changed  chan struct{} // wakes Run after auto-attach was started or stopped

	mu         sync.Mutex
	attachment *collector.Attachment
	auto       collector.AutoAttach
	dismissed  collector.SessionID // detached by a person, and live since
}

// New returns a focus on nothing, with auto-attach off. It tells changes by publish.
func New(sessions Sessions, publish func(...collector.Message), now func() time.Time) *Focus {
	return &Focus{
		sessions: sessions, publish: publish, now: now, changed: make(chan struct{}, 1),
		auto: collector.AutoAttach{
			AutoAttachOptions: collector.AutoAttachOptions{IntervalMs: DefaultInterval.Milliseconds(), OnMultiple: collector.OnMultipleWait},
			State:             collector.AutoAttachOff, Candidates: []collector.SessionID{},
		},
	}
}

// State returns the focus as it is.
func (f *Focus) State() collector.Focus {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state()
}

func (f *Focus) state() collector.Focus {
	s := collector.Focus{AutoAttach: f.auto}
	s.AutoAttach.Candidates = slices.Clone(f.auto.Candidates)
	if f.attachment != nil {
		a := *f.attachment
		s.Attachment, s.AttachedSession = &a, &a.Session
	}
	return s
}

// Attach attaches the session id, live or not; or, when id is empty, the only live one.
func (f *Focus) Attach(ctx context.Context, id collector.SessionID, fromStart bool) (collector.Focus, error) {
	id, err := f.choose(ctx, id)
	if err != nil {
		return collector.Focus{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dismissed = ""
	f.attach(id, fromStart)
	return f.state(), nil
}

// choose resolves a given id, or finds the only live session.
func (f *Focus) choose(ctx context.Context, id collector.SessionID) (collector.SessionID, error) {
	if id != "" {
		s, err := f.sessions.Session(ctx, id)
		if err != nil {
			return "", fmt.Errorf("attach: %w", err)
		}
		return s.ID, nil
	}
	live, err := f.live(ctx)
	if err != nil {
		return "", fmt.Errorf("attach: %w", err)
	}
	switch len(live) {
	case 0:
		return "", &collector.Error{Code: collector.CodeNotFound, Message: "no session is live; say which one to attach"}
	case 1:
		return live[0].ID, nil
	}
	return "", &collector.Error{Code: collector.CodeConflict, Message: fmt.Sprintf("%d sessions are live; say which one to attach", len(live)), Details: ids(live)}
}

// live returns the live sessions that nobody spawned, the one that started last first.
func (f *Focus) live(ctx context.Context) ([]*collector.Session, error) {
	sessions, err := f.sessions.LiveSessions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list live sessions: %w", err)
	}
	sessions = slices.DeleteFunc(slices.Clone(sessions), func(s *collector.Session) bool { return s.Parent != "" })
	slices.SortStableFunc(sessions, func(a, b *collector.Session) int { return int(b.StartedAt - a.StartedAt) })
	return sessions, nil
}

func ids(sessions []*collector.Session) []collector.SessionID {
	list := make([]collector.SessionID, 0, len(sessions))
	for _, s := range sessions {
		list = append(list, s.ID)
	}
	return list
}

func (f *Focus) attach(id collector.SessionID, fromStart bool) {
	if f.attachment != nil && f.attachment.Session == id && f.attachment.FromStart == fromStart {
		return
	}
	f.attachment = &collector.Attachment{Session: id, FromStart: fromStart, At: f.now().UnixMilli()}
	f.tell(collector.MessageAttached, id)
}

// Detach attaches nothing. It may be called again.
func (f *Focus) Detach() collector.Focus {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.attachment != nil {
		id := f.attachment.Session
		f.attachment, f.dismissed = nil, id
		f.tell(collector.MessageDetached, id)
	}
	return f.state()
}

// tell publishes a message with the present state. It is called with the lock held, so that messages come in the order of
// the changes; publishing never blocks.
func (f *Focus) tell(t collector.MessageType, id collector.SessionID) {
	f.publish(collector.Message{Type: t, Session: id, Data: f.state()})
}
