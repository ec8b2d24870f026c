package running_test

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// TestExpiry: how a chip ends that no result and no hook of its own ends.
func TestExpiry(t *testing.T) {
	for name, test := range map[string]struct {
		key  string
		ends func(d *desk)
		want []string
	}{
		"the turn stopped":        {ends: func(d *desk) { d.hook(collector.Hook{Kind: collector.HookStopped}) }},
		"the session ended":       {ends: func(d *desk) { d.hook(collector.Hook{Kind: collector.HookEnded}) }},
		"the next prompt":         {ends: func(d *desk) { d.hook(collector.Hook{Kind: collector.HookPrompt}) }},
		"another session stopped": {ends: func(d *desk) { d.hook(collector.Hook{Kind: collector.HookStopped, Session: "acme:two"}) }, want: []string{"sh"}},
		"a note":                  {ends: func(d *desk) { d.hook(collector.Hook{Kind: collector.HookNote}) }, want: []string{"sh"}},
		"just before the bound":   {ends: func(*desk) { time.Sleep(2*time.Minute - time.Second) }, want: []string{"sh"}},
		"the bound":               {ends: func(*desk) { time.Sleep(2 * time.Minute) }},
		"a log without the call, at first": {ends: func(d *desk) {
			d.logs(one)
			time.Sleep(55 * time.Second)
		}, want: []string{"sh"}},
		"a log without the call": {ends: func(d *desk) {
			d.logs(one)
			time.Sleep(61 * time.Second)
		}},
		"the process": {ends: func(d *desk) {
			d.process(one, collector.SessionBusy)
			time.Sleep(5 * time.Second)
			d.process(one, "")
		}},
		"the process, a moment after": {ends: func(d *desk) {
			d.process(one, collector.SessionBusy)
			d.process(one, "")
			time.Sleep(11 * time.Second)
		}},
	} {
		for kind, key := range map[string]string{"named": "c1", "without an id": ""} {
			t.Run(name+", "+kind, func(t *testing.T) {
				bubble(t, func(t *testing.T, d *desk) {
					d.hook(starts(key, "sh", 7))
					d.want("before", "sh")
					test.ends(d)
					d.want("after", test.want...)
				})
			})
		}
	}
}

// TestLogIsRight: what a hook says ended is shown again when the log goes on calling it pending.
func TestLogIsRight(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		d.logs(one, call(0, "c1", "sh", 7))
		d.hook(ends("c1", "sh", 7))
		d.want("a hook says that it ended")
		time.Sleep(11 * time.Second)
		d.want("the log says otherwise", "sh@0")
		d.hook(collector.Hook{Kind: collector.HookPrompt})
		d.want("a prompt was taken in, and the call runs on", "sh@0")
	})
}

// TestEndWithoutBeginning: the hook that told the beginning was lost.
func TestEndWithoutBeginning(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		c := call(0, "c1", "sh", 7)
		time.Sleep(time.Second)
		d.hook(ends("", "sh", 7))
		d.logs(one, c)
		d.want("the log shows late what has ended")
		d.logs(one, answer(c))
		d.want("answered")
	})
}

// TestUnloggedCall: a log that shows no call before it has ended is no witness against one; it ends as others do.
func TestUnloggedCall(t *testing.T) {
	for name, ends := range map[string]func(*desk){
		"its hook":       func(d *desk) { d.hook(ends("", "sh", 7)) },
		"the turn's end": func(d *desk) { d.hook(collector.Hook{Kind: collector.HookStopped}) },
		"the log": func(d *desk) {
			c := call(0, "c1", "sh", 7)
			c.StartedAt -= 1000
			d.logs(one, answer(c))
		},
		"a day": func(*desk) { time.Sleep(24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.process(one, collector.SessionBusy)
				d.logs(one)
				h := starts("", "sh", 7)
				h.Unlogged = true
				d.hook(h)
				time.Sleep(time.Hour)
				d.want("after an hour", "sh")
				ends(d)
				d.want("ended by " + name)
			})
		})
	}
}

func TestOldPendingCall(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		c := call(0, "c1", "sh", 7)
		time.Sleep(25 * time.Hour)
		d.process(one, collector.SessionBusy)
		d.logs(one, c)
		d.want("nobody believes that it still runs")
	})
}

func TestWaiting(t *testing.T) {
	asks := func(h collector.Hook) collector.Hook {
		h.Kind = collector.HookWaiting
		return h
	}
	text := func(s string) collector.Text { return collector.Text{Preview: s} }
	for name, test := range map[string]struct {
		hook collector.Hook
		want []string
	}{
		"by its id":               {asks(starts("b", "sh", 0)), []string{"sh", "sh?", "sh"}},
		"by its arguments":        {asks(starts("", "sh", 2)), []string{"sh", "sh?", "sh"}},
		"by its words":            {asks(collector.Hook{Args: text("rm two")}), []string{"sh", "sh?", "sh"}},
		"by words of nobody":      {asks(collector.Hook{Args: text("else")}), []string{"sh", "sh", "sh"}},
		"one that nobody told of": {asks(starts("", "web", 9)), []string{"sh", "sh", "sh", "web?"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				for i, key := range []string{"a", "b", "c"} {
					h := starts(key, "sh", uint64(i+1))
					h.Args = text([]string{`{"command":"rm one"}`, `{"command":"rm two"}`, `{"command":"rm three"}`}[i])
					d.hook(h)
				}
				d.hook(test.hook)
				d.want("waiting", test.want...)
			})
		})
	}
	bubble(t, func(t *testing.T, d *desk) {
		d.hook(starts("a", "sh", 1))
		d.hook(collector.Hook{Kind: collector.HookWaiting})
		d.want("the only one", "sh?")
		if hints := d.hinted(); len(hints) != 2 || hints[1] != "acme:one true" {
			t.Errorf("hints %q", hints)
		}
		time.Sleep(2 * time.Second) // the dialog opens after its hook: the process is looked at again
		if hints := d.hinted(); len(hints) != 3 {
			t.Errorf("hints %q", hints)
		}
		d.process(one, collector.SessionWaiting)
		d.want("the process says so, too", "sh?")
		d.process(one, collector.SessionBusy)
		d.want("answered", "sh")
		d.logs(one, call(0, "a", "sh", 1))
		d.process(one, collector.SessionWaiting)
		d.want("asked without a hook", "sh@0?")
	})
}
