package focus_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/focus"
)

// TestAuto plays scenes: what is live, or what a person does, and then who is attached, in which state, with what told.
func TestAuto(t *testing.T) {
	type scene struct {
		live  []*collector.Session
		do    func(*focus.Focus)
		want  collector.SessionID
		state collector.AutoAttachState
		told  []string
	}
	detach := func(f *focus.Focus) { f.Detach() }
	attach := func(f *focus.Focus) { _, _ = f.Attach(context.Background(), "b", false) }
	const on = "auto_attach.state "
	for _, c := range []struct {
		name    string
		options collector.AutoAttachOptions
		scenes  []scene
	}{
		{"one comes, ends, another comes", collector.AutoAttachOptions{}, []scene{
			{state: collector.AutoAttachWaiting, told: []string{on}},
			{live: started("acme:a"), want: "acme:a", state: collector.AutoAttachAttached, told: []string{"attached acme:a", on}},
			{live: started("acme:a", "acme:b"), want: "acme:a", state: collector.AutoAttachAttached},
			{want: "acme:a", state: collector.AutoAttachWaiting, told: []string{"auto_attach.waiting "}},
			{live: started("acme:b"), want: "acme:b", state: collector.AutoAttachAttached, told: []string{"attached acme:b", on}},
		}},
		{"several: wait", collector.AutoAttachOptions{}, []scene{
			{live: started("acme:a", "acme:b"), state: collector.AutoAttachWaiting, told: []string{on, "auto_attach.waiting "}},
			{live: started("acme:a", "acme:b"), state: collector.AutoAttachWaiting},
			{live: started("acme:a", "acme:b"), do: attach, want: "acme:b", state: collector.AutoAttachAttached, told: []string{"attached acme:b", on}},
		}},
		{"several: newest", collector.AutoAttachOptions{OnMultiple: collector.OnMultipleNewest}, []scene{
			{live: started("acme:a", "acme:b"), want: "acme:b", state: collector.AutoAttachAttached, told: []string{on, "attached acme:b", on}},
		}},
		{"this one only", collector.AutoAttachOptions{SessionID: "acme:b"}, []scene{
			{live: started("acme:a"), state: collector.AutoAttachWaiting, told: []string{on}},
			{live: started("acme:a", "acme:b"), want: "acme:b", state: collector.AutoAttachAttached, told: []string{"attached acme:b", on}},
		}},
		{"detached stays detached", collector.AutoAttachOptions{}, []scene{
			{live: started("acme:a"), want: "acme:a", state: collector.AutoAttachAttached, told: []string{on, "attached acme:a", on}},
			{live: started("acme:a"), do: detach, state: collector.AutoAttachWaiting, told: []string{"detached acme:a", "auto_attach.waiting "}},
			{live: started("acme:a"), state: collector.AutoAttachWaiting},
			{state: collector.AutoAttachWaiting},
			{live: started("acme:a"), want: "acme:a", state: collector.AutoAttachAttached, told: []string{"attached acme:a", on}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{live: c.scenes[0].live}
				f := focus.New(w, w.publish, time.Now)
				go f.Run(t.Context(), func(err error) { t.Error(err) })
				if _, err := f.StartAuto(t.Context(), c.options); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				for i, s := range c.scenes {
					w.set(s.live, nil)
					if s.do != nil {
						s.do(f)
					}
					if i > 0 {
						time.Sleep(focus.DefaultInterval)
						synctest.Wait()
					}
					got := f.State()
					if attached(got) != s.want || got.AutoAttach.State != s.state {
						t.Errorf("scene %d: got %q %s, want %q %s", i, attached(got), got.AutoAttach.State, s.want, s.state)
					}
					if diff := cmp.Diff(s.told, w.takeTold()); diff != "" {
						t.Errorf("scene %d: told %s", i, diff)
					}
				}
			})
		})
	}
}

// TestIdleIsFree counts looks: none while auto-attach is off.
func TestIdleIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		f := focus.New(w, w.publish, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.Run(ctx, func(err error) { t.Error(err) })
		}()
		time.Sleep(time.Hour)
		if w.looked() != 0 {
			t.Errorf("%d looks while off", w.looked())
		}
		if _, err := f.StartAuto(t.Context(), collector.AutoAttachOptions{IntervalMs: 500}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if w.looked() != 3 {
			t.Errorf("%d looks in 1.1 s at 500 ms, want 3", w.looked())
		}
		f.StopAuto()
		f.StopAuto()
		time.Sleep(time.Hour)
		if w.looked() != 3 || f.State().AutoAttach.State != collector.AutoAttachOff {
			t.Errorf("%d looks, %+v after stop", w.looked(), f.State().AutoAttach)
		}
		cancel()
		<-ended
	})
}

func TestStoreErrorsAreLookedPast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		f := focus.New(w, w.publish, time.Now)
		reported := 0
		go f.Run(t.Context(), func(error) { reported++ }) // read only while Run sleeps
		if _, err := f.StartAuto(t.Context(), collector.AutoAttachOptions{}); err != nil {
			t.Fatal(err)
		}
		w.set(nil, errors.New("busy"))
		time.Sleep(focus.DefaultInterval + time.Millisecond)
		w.set(started("acme:a"), nil)
		time.Sleep(focus.DefaultInterval)
		synctest.Wait()
		if reported != 1 || attached(f.State()) != "acme:a" {
			t.Errorf("%d errors, attached %q", reported, attached(f.State()))
		}
	})
}

func TestStartAutoRefuses(t *testing.T) {
	w := &world{}
	f := focus.New(w, w.publish, time.Now)
	for _, o := range []collector.AutoAttachOptions{{IntervalMs: -1}, {OnMultiple: "guess"}} {
		if _, err := f.StartAuto(t.Context(), o); collector.ErrorCode(err) != collector.CodeInvalid {
			t.Errorf("%+v: got %v, want invalid", o, err)
		}
	}
}
