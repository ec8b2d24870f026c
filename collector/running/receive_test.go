package running_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

func TestReceive(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		for name, test := range map[string]struct {
			agent   collector.Agent
			payload string
			code    collector.Code
		}{
			"another agent":    {"brand", "{}", collector.CodeNotFound},
			"no JSON":          {"acme", "{", collector.CodeInvalid},
			"an endless name":  {"acme", `{"Kind":2,"Session":"acme:` + strings.Repeat("x", 600) + `"}`, collector.CodeInvalid},
			"an endless call":  {"acme", `{"Kind":2,"Session":"acme:one","Call":"` + strings.Repeat("x", 600) + `"}`, collector.CodeInvalid},
			"not of a session": {"acme", `{"Kind":2}`, ""},
		} {
			if _, _, err := d.tools.Receive(test.agent, "event", []byte(test.payload)); err == nil && test.code != "" || err != nil && collector.ErrorCode(err) != test.code {
				t.Errorf("%s: %v, want %q", name, err, test.code)
			}
		}
		d.want("nothing runs")
	})
}

func TestUnknownEventsAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		for range 3 {
			if _, kind, err := d.tools.Receive("acme", "new", []byte(`{"Session":"acme:one"}`)); kind != collector.HookUnknown || err != nil {
				t.Fatal(kind, err)
			}
		}
		if diff := cmp.Diff([]collector.UnknownCount{{Agent: "acme", Type: "hook new", Count: 3}}, d.tools.Unknown()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestHookReceivedIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		sub := d.broker.Subscribe(t.Context(), -1, func(m *collector.Message) bool { return m.Type == collector.MessageHookReceived })
		defer sub.Close()
		d.hook(collector.Hook{Kind: collector.HookNote})
		msgs, _ := sub.Take()
		want := []collector.Message{{Type: collector.MessageHookReceived, Session: one, Data: collector.HookReceived{Agent: "acme", Event: "event"}}}
		if diff := cmp.Diff(want, msgs); diff != "" {
			t.Error(diff)
		}
	})
}

// TestBorrowedHook: a hook that another agent's program ran is that agent's, whoever it was installed for.
func TestBorrowedHook(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		sub := d.broker.Subscribe(t.Context(), -1, func(m *collector.Message) bool { return m.Type == collector.MessageHookReceived })
		defer sub.Close()
		var fired []string
		for _, payload := range []string{`{"Kind":1,"Call":"rival"}`, `{"Kind":1}`, `{"Kind":1,"Session":"acme:one","Call":"rival"}`} {
			by, _, err := d.tools.Receive("acme", "event", []byte(payload))
			if err != nil {
				t.Fatal(err)
			}
			fired = append(fired, string(by))
		}
		msgs, _ := sub.Take()
		var got []string
		for i, m := range msgs {
			got = append(got, fmt.Sprint(m.Session, " ", m.Data.(collector.HookReceived).Agent, " ", fired[i]))
		}
		if diff := cmp.Diff([]string{"rival:one rival rival", " acme acme", "acme:one acme acme"}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestBounds: whoever fires hooks without end is forgotten, not kept.
func TestBounds(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		for i := range 1000 {
			h := starts(fmt.Sprint(i), "sh", 1)
			d.hook(h)
			h.Session = collector.SessionID(fmt.Sprint("acme:s", i))
			d.hook(h)
			time.Sleep(time.Millisecond)
		}
		if n := len(d.tools.Running(one)); n != 128 {
			t.Errorf("%d calls of one session", n)
		}
		if n := len(d.tools.Running("")); n != 128+255 {
			t.Errorf("%d calls of all sessions", n)
		}
		time.Sleep(3 * time.Minute)
		d.want("forgotten")
	})
}

// TestManyAtOnce is for the race detector, and for what is left when all has ended.
func TestManyAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.process(one, collector.SessionBusy)
		var wg sync.WaitGroup
		for i := range 20 {
			id := one
			if i%2 == 1 {
				id = one.Child(fmt.Sprint("kid", i))
			}
			wg.Go(func() {
				for j := range 50 {
					key := ""
					if j%2 == 0 {
						key = fmt.Sprint(i, "-", j)
					}
					for _, h := range []collector.Hook{starts(key, "sh", uint64(i)), ends(key, "sh", uint64(i))} {
						h.Session = id
						payload, _ := json.Marshal(h)
						if _, _, err := d.tools.Receive("acme", "event", payload); err != nil {
							t.Error(err)
						}
						d.broker.Publish(collector.Message{Type: collector.MessageSessionUpdated, Session: id})
						d.tools.Running(id)
					}
				}
			})
		}
		wg.Wait()
		d.want("all ended")
		time.Sleep(time.Minute)
		d.want("and nothing comes back")
	})
}

func BenchmarkReceive(b *testing.B) {
	d := newDesk(b)
	start, _ := json.Marshal(starts("c", "sh", 7))
	end, _ := json.Marshal(ends("c", "sh", 7))
	start, end = []byte(strings.Replace(string(start), `"Session":""`, `"Session":"acme:one"`, 1)), []byte(strings.Replace(string(end), `"Session":""`, `"Session":"acme:one"`, 1))
	b.ReportAllocs()
	for b.Loop() {
		for _, payload := range [][]byte{start, end} {
			if _, _, err := d.tools.Receive("acme", "event", payload); err != nil {
				b.Fatal(err)
			}
		}
	}
}
