package focus_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/focus"
)

// world is a store with live sessions, and what was told.
type world struct {
	mu    sync.Mutex
	live  []*collector.Session
	err   error
	looks int
	told  []string
}

func (w *world) LiveSessions(context.Context) ([]*collector.Session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks++
	return w.live, w.err
}

func (w *world) set(live []*collector.Session, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.live, w.err = live, err
}

func (w *world) looked() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.looks
}

// takeTold returns what was told since it was last called.
func (w *world) takeTold() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.told
	w.told = nil
	return told
}

func (w *world) Session(_ context.Context, id collector.SessionID) (*collector.Session, error) {
	if id == "gone" {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: "there is no session gone"}
	}
	return &collector.Session{ID: "acme:" + id}, nil
}

func (w *world) publish(msgs ...collector.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range msgs {
		w.told = append(w.told, string(m.Type)+" "+string(m.Session))
	}
}

// started returns sessions, the first one started first.
func started(ids ...collector.SessionID) []*collector.Session {
	var sessions []*collector.Session
	for i, id := range ids {
		sessions = append(sessions, &collector.Session{ID: id, StartedAt: int64(i + 1)})
	}
	return sessions
}

func attached(f collector.Focus) collector.SessionID {
	if f.AttachedSession == nil {
		return ""
	}
	return *f.AttachedSession
}

func TestAttach(t *testing.T) {
	child := &collector.Session{ID: "acme:a~kid", Parent: "acme:a"}
	for _, c := range []struct {
		name       string
		live       []*collector.Session
		id         collector.SessionID
		want       collector.SessionID
		code       collector.Code
		candidates any
	}{
		{name: "given", id: "one", want: "acme:one"},
		{name: "not there", id: "gone", code: collector.CodeNotFound},
		{name: "none live", code: collector.CodeNotFound},
		{name: "only one live", live: append(started("acme:a"), child), want: "acme:a"},
		{name: "several live", live: started("acme:a", "acme:b"), code: collector.CodeConflict, candidates: []collector.SessionID{"acme:b", "acme:a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{live: c.live}
			f := focus.New(w, w.publish, time.Now)
			got, err := f.Attach(t.Context(), c.id, true)
			if c.code != "" {
				var e *collector.Error
				if !errors.As(err, &e) || e.Code != c.code {
					t.Fatalf("got %v, want code %s", err, c.code)
				}
				if diff := cmp.Diff(c.candidates, e.Details); diff != "" {
					t.Error(diff)
				}
				return
			}
			if err != nil || attached(got) != c.want || !got.Attachment.FromStart {
				t.Errorf("got %+v, %v, want %s from its start", got, err, c.want)
			}
		})
	}
}

func TestDetachTwice(t *testing.T) {
	w := &world{}
	f := focus.New(w, w.publish, time.Now)
	f.Detach()
	if _, err := f.Attach(t.Context(), "one", false); err != nil {
		t.Fatal(err)
	}
	f.Detach()
	if got := f.Detach(); got.AttachedSession != nil || got.Attachment != nil {
		t.Errorf("still attached: %+v", got)
	}
	if diff := cmp.Diff([]string{"attached acme:one", "detached acme:one"}, w.takeTold()); diff != "" {
		t.Error(diff)
	}
}
