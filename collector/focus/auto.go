package focus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// StartAuto turns auto-attach on, or changes its options, and looks once at once.
func (f *Focus) StartAuto(ctx context.Context, o collector.AutoAttachOptions) (collector.Focus, error) {
	if o.IntervalMs == 0 {
		o.IntervalMs = DefaultInterval.Milliseconds()
	}
	if o.OnMultiple == "" {
		o.OnMultiple = collector.OnMultipleWait
	}
	if o.IntervalMs < 0 || o.OnMultiple != collector.OnMultipleWait && o.OnMultiple != collector.OnMultipleNewest {
		return collector.Focus{}, &collector.Error{Code: collector.CodeInvalid, Message: "auto-attach: want a positive intervalMs, and onMultiple wait or newest"}
	}
	f.mu.Lock()
	f.auto = collector.AutoAttach{Enabled: true, AutoAttachOptions: o, State: collector.AutoAttachWaiting, Candidates: []collector.SessionID{}}
	f.dismissed = ""
	f.tell(collector.MessageAutoAttachState, "")
	f.mu.Unlock()
	f.wake()
	if err := f.look(ctx); err != nil {
		return collector.Focus{}, err
	}
	return f.State(), nil
}

// StopAuto turns auto-attach off. What is attached stays so. It may be called again.
func (f *Focus) StopAuto() collector.Focus {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.auto.Enabled {
		f.auto.Enabled, f.auto.State, f.auto.Candidates = false, collector.AutoAttachOff, []collector.SessionID{}
		f.tell(collector.MessageAutoAttachState, "")
		f.wake()
	}
	return f.state()
}

func (f *Focus) wake() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// Run looks for live sessions while auto-attach is on, until ctx ends. While it is off it only waits. Errors of the store
// are passed to report and looked past: the next look may go well.
func (f *Focus) Run(ctx context.Context, report func(error)) {
	for {
		var tick <-chan time.Time
		if interval, on := f.interval(); on {
			tick = time.After(interval)
		}
		select {
		case <-ctx.Done():
			return
		case <-f.changed:
		case <-tick:
			if err := f.look(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

func (f *Focus) interval() (time.Duration, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Duration(f.auto.IntervalMs) * time.Millisecond, f.auto.Enabled
}

// look reads the live sessions and acts on them.
func (f *Focus) look(ctx context.Context) error {
	live, err := f.live(ctx)
	if err != nil {
		return fmt.Errorf("auto-attach: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.auto.Enabled {
		f.decide(live)
	}
	return nil
}

// decide attaches a live session, or says why not.
func (f *Focus) decide(live []*collector.Session) {
	isLive := func(id collector.SessionID) bool {
		return slices.ContainsFunc(live, func(s *collector.Session) bool { return s.ID == id })
	}
	if !isLive(f.dismissed) {
		f.dismissed = ""
	}
	if f.attachment != nil && isLive(f.attachment.Session) {
		f.settle(collector.AutoAttachAttached, nil)
		return
	}
	candidates := slices.DeleteFunc(ids(live), func(id collector.SessionID) bool {
		return id == f.dismissed || f.auto.SessionID != "" && id != f.auto.SessionID
	})
	if len(candidates) == 0 || len(candidates) > 1 && f.auto.OnMultiple == collector.OnMultipleWait {
		f.settle(collector.AutoAttachWaiting, candidates)
		return
	}
	f.attach(candidates[0], f.auto.FromStart)
	f.settle(collector.AutoAttachAttached, nil)
}

// settle takes over the state, and tells it when it is another one.
func (f *Focus) settle(state collector.AutoAttachState, candidates []collector.SessionID) {
	if f.auto.State == state && slices.Equal(f.auto.Candidates, candidates) {
		return
	}
	f.auto.State = state
	f.auto.Candidates = append([]collector.SessionID{}, candidates...)
	t := collector.MessageAutoAttachState
	if state == collector.AutoAttachWaiting {
		t = collector.MessageAutoAttachWaiting
	}
	f.tell(t, "")
}
