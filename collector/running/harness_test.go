package running_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/running"
)

const one = collector.SessionID("acme:one")

// desk is a Tools that runs, with what it reads and whom it tells. It lives in a bubble.
type desk struct {
	t      testing.TB
	tools  *running.Tools
	store  *store
	broker *pubsub.Broker
	told   *pubsub.Subscription
	mu     sync.Mutex
	hints  []string
	asleep atomic.Int64 // by how much the clock jumped while no timer ran
	looks  atomic.Int64 // at the clock
}

// now is the time of a clock that may jump.
func (d *desk) now() time.Time {
	d.looks.Add(1)
	return time.Now().Add(time.Duration(d.asleep.Load()))
}

func bubble(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		test(t, d)
		d.neverTwice()
	})
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{
		t: t, broker: pubsub.New(64),
		store: &store{live: map[collector.SessionID]collector.SessionState{}, calls: map[collector.SessionID][]*collector.ToolCall{}},
	}
	d.tools = running.New(running.Deps{
		Readers: []collector.HookReader{acme{}, rival{}}, Store: d.store, Publish: d.broker.Publish, Now: d.now, Logger: slog.New(slog.DiscardHandler),
		Hint: func(id collector.SessionID, look bool) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.hints = append(d.hints, fmt.Sprint(id, " ", look))
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	d.told = d.broker.Subscribe(ctx, -1, func(m *collector.Message) bool { return m.Type == collector.MessageRunningTools })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.tools.Run(ctx, d.broker)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return d
}

// hook fires a hook now.
func (d *desk) hook(h collector.Hook) {
	d.t.Helper()
	if h.Session == "" {
		h.Session = one
	}
	payload, err := json.Marshal(h)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, kind, err := d.tools.Receive("acme", "event", payload); err != nil || kind != h.Kind {
		d.t.Fatalf("receive: %v, %v", kind, err)
	}
}

func (d *desk) hinted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.hints)
}

// logs lets the log of a session show calls, and tells so.
func (d *desk) logs(id collector.SessionID, calls ...*collector.ToolCall) {
	d.store.mu.Lock()
	d.store.calls[id] = calls
	d.store.mu.Unlock()
	msgs := []collector.Message{{Type: collector.MessageSessionUpdated, Session: id}}
	for _, c := range calls {
		msgs = append(msgs, collector.Message{Type: collector.MessageTurnToolCall, Session: id, Status: string(c.Status), Call: &c.Seq})
	}
	d.broker.Publish(msgs...)
	d.wait()
}

// process says how a process holds a session; "" = none does.
func (d *desk) process(id collector.SessionID, state collector.SessionState) {
	d.store.mu.Lock()
	d.store.live[id] = state
	told := state
	if state == "" {
		delete(d.store.live, id)
		told = collector.SessionEnded
	}
	d.store.mu.Unlock()
	d.broker.Publish(collector.Message{Type: collector.MessageSessionUpdated, Session: id, Status: string(told)})
	d.wait()
}

func (d *desk) wait() { synctest.Wait() }

// want checks what runs: "<tool>", with "@<seq>" if the log has it, and "?" if it waits for a human.
func (d *desk) want(what string, want ...string) {
	d.t.Helper()
	d.wantIn("", what, want...)
}

func (d *desk) wantIn(id collector.SessionID, what string, want ...string) {
	d.t.Helper()
	d.wait()
	got := words(d.tools.Running(id))
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		d.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func words(tools []collector.RunningTool) []string {
	out := []string{}
	for _, r := range tools {
		w := r.Tool
		if r.Call != nil {
			w += fmt.Sprint("@", *r.Call)
		}
		if r.Waiting {
			w += "?"
		}
		out = append(out, w)
	}
	return out
}

// neverTwice checks that no list that was told names a call twice, and that no list was told twice.
func (d *desk) neverTwice() {
	d.t.Helper()
	d.wait()
	msgs, _ := d.told.Take()
	last := map[collector.SessionID][]collector.RunningTool{}
	for _, m := range msgs {
		if m.Type == collector.MessageResync {
			return // more than a queue holds
		}
		tools := m.Data.(collector.RunningTools).Tools
		if slices.EqualFunc(tools, last[m.Session], func(a, b collector.RunningTool) bool { return cmp.Equal(a, b) }) {
			d.t.Errorf("told twice: %v", words(tools))
		}
		last[m.Session] = tools
		ids, seqs := map[string]bool{}, map[string]bool{}
		for _, r := range tools {
			if id := string(r.Session) + " " + r.ID; ids[id] {
				d.t.Errorf("two of id %s: %v", id, words(tools))
			} else {
				ids[id] = true
			}
			if r.Call != nil {
				seq := fmt.Sprint(r.Session, *r.Call)
				if seqs[seq] {
					d.t.Errorf("call %s twice: %v", seq, words(tools))
				}
				seqs[seq] = true
			}
		}
	}
	for id, tools := range last {
		if got := d.tools.Running(id); !cmp.Equal(tools, got) {
			d.t.Errorf("last told of %s is %v, asked it is %v", id, words(tools), words(got))
		}
	}
}

// call is a call of the log that began now.
func call(seq int, key, tool string, hash uint64) *collector.ToolCall {
	return &collector.ToolCall{Seq: seq, Key: key, Tool: tool, ArgsHash: hash, Status: collector.CallPending, StartedAt: time.Now().UnixMilli()}
}

// answer returns the call with its result, which came now.
func answer(c *collector.ToolCall) *collector.ToolCall {
	done := *c
	done.Status, done.EndedAt = collector.CallOK, time.Now().UnixMilli()
	return &done
}

func starts(key, tool string, hash uint64) collector.Hook {
	return collector.Hook{Kind: collector.HookToolStarted, Call: key, Tool: tool, ArgsHash: hash}
}

func ends(key, tool string, hash uint64) collector.Hook {
	return collector.Hook{Kind: collector.HookToolFinished, Call: key, Tool: tool, ArgsHash: hash}
}
