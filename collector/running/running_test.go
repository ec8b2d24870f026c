package running_test

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// TestOneChip: the log and hooks tell of one call, in either order, with and without an id.
func TestOneChip(t *testing.T) {
	for name, key := range map[string]string{"named": "c1", "without an id": ""} {
		t.Run(name+", hook first", func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.hook(starts(key, "sh", 7))
				d.want("a hook tells", "sh")
				d.process(one, collector.SessionBusy)
				c := call(0, "c1", "sh", 7)
				d.logs(one, c)
				d.want("the log shows it", "sh@0")
				time.Sleep(time.Hour)
				d.want("as long as the log shows it", "sh@0")
				d.logs(one, answer(c))
				d.want("the log shows the result")
				d.hook(ends(key, "sh", 7))
				d.want("and the hook tells the end")
			})
		})
		t.Run(name+", log first", func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.process(one, collector.SessionBusy)
				c := call(0, "c1", "sh", 7)
				d.logs(one, c)
				d.want("the log shows it", "sh@0")
				time.Sleep(50 * time.Millisecond)
				d.hook(starts(key, "sh", 7))
				d.want("a hook tells", "sh@0")
				time.Sleep(time.Second)
				d.hook(ends(key, "sh", 7))
				d.want("the hook tells the end")
				d.logs(one, answer(c))
				d.want("and the log shows the result")
			})
		})
		t.Run(name+", late hook", func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.process(one, collector.SessionBusy)
				h := starts(key, "sh", 7)
				h.At = time.Now().UnixMilli()
				c := call(0, "c1", "sh", 7)
				time.Sleep(time.Second)
				d.logs(one, answer(c))
				d.hook(h)
				d.want("the call is over already")
			})
		})
	}
}

func TestParallelCallsWithoutIDs(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		first, second, other := call(0, "a", "sh", 7), call(1, "b", "sh", 7), call(2, "c", "sh", 8)
		d.hook(starts("", "sh", 7))
		d.logs(one, first, second, other)
		d.want("one hook of three", "sh@0", "sh@1", "sh@2")
		d.hook(starts("", "sh", 7))
		d.hook(starts("", "sh", 8))
		d.want("all three", "sh@0", "sh@1", "sh@2")
		time.Sleep(time.Second)
		d.hook(ends("", "sh", 7))
		d.want("bound in order", "sh@1", "sh@2")
		d.logs(one, answer(first), second, other)
		d.want("the log agrees", "sh@1", "sh@2")
		d.hook(ends("", "sh", 7))
		d.hook(ends("", "sh", 8))
		d.want("all ended")
		// The same again: what the log answered before is another call.
		time.Sleep(time.Second)
		d.hook(starts("", "sh", 7))
		d.want("the same again, before the log shows it", "sh")
		d.logs(one, answer(first), answer(second), answer(other), call(3, "d", "sh", 7))
		d.want("the same again", "sh@3")
	})
}

// TestTheSameAgain: a call without an id is not the same call of before.
func TestTheSameAgain(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		first := answer(call(0, "a", "sh", 7)) // before hooks were heard
		time.Sleep(time.Minute)
		d.logs(one, first)
		d.hook(starts("", "sh", 7))
		d.want("announced", "sh")
		d.logs(one, first, call(1, "b", "sh", 7))
		d.want("shown", "sh@1")
	})
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		d.hook(starts("", "sh", 7))
		d.hook(collector.Hook{Kind: collector.HookStopped}) // before the log showed it
		time.Sleep(5 * time.Second)
		d.logs(one, call(0, "a", "sh", 7))
		d.want("of the next turn", "sh@0")
	})
}

func TestLogAlone(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		c := call(0, "a", "sh", 7)
		d.logs(one, c)
		d.want("nobody holds the session")
		d.process(one, collector.SessionIdle)
		d.want("idle: the call was left by an earlier run")
		d.process(one, collector.SessionBusy)
		d.want("busy", "sh@0")
		d.logs("acme:two", call(0, "a", "read", 1))
		d.want("another session, which nobody holds", "sh@0")
		d.process(one, "")
		d.want("the process ended")
	})
}

// TestNewSession: the store learns of a session, and that a process holds it, by the same commit.
func TestNewSession(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.wait() // nothing is known yet
		d.store.mu.Lock()
		d.store.live[one] = collector.SessionBusy
		d.store.mu.Unlock()
		d.logs(one, call(0, "a", "sh", 7))
		d.want("told by the commit alone", "sh@0")
	})
}

func TestSubAgents(t *testing.T) {
	kid := one.Child("kid")
	bubble(t, func(t *testing.T, d *desk) {
		d.hook(starts("t", "task", 1))
		time.Sleep(time.Second)
		h := starts("k", "sh", 2)
		h.Session = kid
		d.hook(h)
		d.want("both run", "task", "sh")
		d.wantIn(one, "in the root's tree", "task", "sh")
		d.wantIn(kid, "the child's own", "sh")
		d.wantIn("acme:on", "no prefix of a name")
		d.process(one, collector.SessionBusy)
		d.process(kid, collector.SessionBusy)
		d.logs(kid, call(0, "k", "sh", 2))
		d.hook(collector.Hook{Kind: collector.HookStopped})
		d.want("the root's turn ended", "sh@0")
		d.hook(collector.Hook{Kind: collector.HookEnded})
		d.want("the session ended")
	})
}

// TestEndedNobodyKnowsWhen: of calls that a log shows together when the last of them has ended, none runs any more; the
// same call of before is not meant.
func TestEndedNobodyKnowsWhen(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		over := func(seq int, key, tool string, hash uint64) *collector.ToolCall {
			c := call(seq, key, tool, hash)
			c.Status = collector.CallOK
			return c
		}
		unlogged := func(tool string, hash uint64) collector.Hook {
			h := starts("", tool, hash)
			h.Unlogged = true
			return h
		}
		d.process(one, collector.SessionBusy)
		before := []*collector.ToolCall{over(0, "a", "sh", 7)}
		d.logs(one, before...)
		time.Sleep(time.Second)
		d.hook(unlogged("sh", 7))
		d.hook(unlogged("read", 8))
		d.want("both run", "sh", "read")
		time.Sleep(time.Second)
		d.hook(ends("", "read", 8))
		d.want("one ended, of the other no hook tells", "sh")
		d.logs(one, append(before, over(1, "b", "sh", 7), over(2, "c", "read", 8))...)
		d.want("the log shows both")
		d.hook(unlogged("sh", 7))
		d.want("the same again", "sh")
	})
}
