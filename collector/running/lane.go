package running

import (
	"slices"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// How long what a hook told is believed while the log does not confirm it. Most agents write a call before they
// run it, so that a call that is not in a log that we read was not made, or is another hook's. Those that do not say so.
const (
	unconfirmed = 2 * time.Minute  // nothing is known of the session's log
	unseen      = time.Minute      // the log is known, and does not show the call
	answered    = 10 * time.Second // a hook says that the call ended, and the log does not
)

// maxHooks bounds the calls of one session that hooks announced and nothing ended.
const maxHooks = 128

// hooked is a call of which a hook told.
type hooked struct {
	collector.Hook
	id      string
	after   int       // the newest call of the log when the hook came; -1 = it knew none
	seq     int       // of the log's call that it is; -1 = the log does not show it yet
	waiting bool      // a human is asked
	done    bool      // a hook said that it ended: it hides the log's call until that has its result
	until   time.Time // when it is given up; zero = the log decides
}

// lane is one session: what its hooks told, and what its log shows.
type lane struct {
	id      collector.SessionID
	hooks   []*hooked // in the order in which they came
	log     []*collector.ToolCall
	known   bool             // the store has the session
	claimed map[int]struct{} // calls of log that were some hook's
	state   collector.SessionState
}

func (l *lane) add(h *hooked) {
	h.after = -1
	if n := len(l.log); n > 0 {
		h.after = l.log[n-1].Seq
	}
	if len(l.hooks) >= maxHooks {
		l.hooks = slices.Delete(l.hooks, 0, 1)
	}
	l.hooks = append(l.hooks, h)
}

// called returns the call of the agent's own id.
func (l *lane) called(id string) *hooked {
	i := slices.IndexFunc(l.hooks, func(h *hooked) bool { return h.Call == id })
	if i < 0 {
		return nil
	}
	return l.hooks[i]
}

// open returns the first call that runs and fits.
func (l *lane) open(fits func(*hooked) bool) *hooked {
	i := slices.IndexFunc(l.hooks, func(h *hooked) bool { return !h.done && fits(h) })
	if i < 0 {
		return nil
	}
	return l.hooks[i]
}

// alike reports whether two hooks tell of the same tool with the same arguments.
func alike(a, b collector.Hook) bool { return a.Tool == b.Tool && a.ArgsHash == b.ArgsHash }

// finished ends the call of which h tells. If nobody announced it, it is noted all the same: the log may still call it
// pending.
func (l *lane) finished(h collector.Hook, now time.Time) {
	var f *hooked
	if h.Call != "" {
		f = l.called(h.Call)
	} else {
		f = l.open(func(o *hooked) bool { return o.Call == "" && alike(o.Hook, h) })
	}
	if f == nil {
		f = &hooked{Hook: h, id: h.Call, seq: -1}
		l.add(f)
	}
	f.done, f.until = true, now.Add(answered)
}

// waitingFor returns the call for which a human is asked; the hook names it by id, by its arguments, or by words that
// contain them.
func (l *lane) waitingFor(h collector.Hook) *hooked {
	if h.Call != "" {
		return l.called(h.Call)
	}
	calm := func(fits func(*hooked) bool) *hooked {
		return l.open(func(o *hooked) bool { return !o.waiting && fits(o) })
	}
	if h.Tool != "" {
		if w := calm(func(o *hooked) bool { return alike(o.Hook, h) }); w != nil {
			return w
		}
		return l.open(func(o *hooked) bool { return alike(o.Hook, h) })
	}
	if w := calm(func(o *hooked) bool { return h.Args.Preview != "" && strings.Contains(o.Args.Preview, h.Args.Preview) }); w != nil {
		return w
	}
	only := calm(func(*hooked) bool { return true })
	if only != nil && calm(func(o *hooked) bool { return o != only }) != nil {
		return nil // any of several
	}
	return only
}

// prompted drops what hooks told before a prompt: if something still runs, the log says so.
func (l *lane) prompted() {
	l.hooks = slices.DeleteFunc(l.hooks, func(h *hooked) bool { return !h.done })
}

// stopped ends all calls.
func (l *lane) stopped(now time.Time) {
	for _, h := range l.hooks {
		if !h.done {
			h.done, h.until = true, now.Add(answered)
		}
	}
}

// ended gives up what hooks told, since no process holds the session any more. A younger one may have come between the
// look at processes and its news.
func (l *lane) ended(now time.Time) {
	for _, h := range l.hooks {
		if h.until.IsZero() || h.until.After(now.Add(answered)) {
			h.until = now.Add(answered)
		}
		if now.UnixMilli()-h.At > justNow.Milliseconds() {
			h.until = now
		}
	}
}

const justNow = 2 * time.Second

// atWork reports whether a process works on the session: only then is a call without a result one that runs.
func (l *lane) atWork() bool {
	return l.state == collector.SessionBusy || l.state == collector.SessionWaiting
}
