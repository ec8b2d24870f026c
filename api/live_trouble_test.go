package api_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"go.uber.org/goleak"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/redact"
)

// TestSlowClient does not read while more is published than its queue and the network hold; nobody waits for it, and it
// learns that it has to ask again.
func TestSlowClient(t *testing.T) {
	d := deps()
	// Nobody is given up: who waits for the slow one waits for ever.
	addr, _ := start(t, api.Config{Live: api.LiveConfig{WriteTimeout: time.Hour, PongTimeout: time.Hour}}, d)
	slow, quick := dial(t, addr, "?session=acme:one"), dial(t, addr, "")
	slow.next()
	quick.next()
	const n = 100_000
	for r := int64(1); r <= n; r++ {
		d.Broker.Publish(turn(collector.MessageTurnStarted, r, "acme:one"))
	}
	d.Broker.Publish(collector.Message{Type: collector.MessageSessionUpdated, Revision: n + 1, Session: "acme:one"})
	quick.wantAll(frame{Type: collector.MessageSessionUpdated, Revision: n + 1, Session: "acme:one"})
	resyncs, last := 0, int64(0)
	for f := slow.next(); f.Revision <= n; f = slow.next() {
		if f.Type == collector.MessageResync {
			resyncs++
		} else if f.Revision != last+1 && resyncs == 0 {
			t.Fatalf("a gap without a resync: %d after %d", f.Revision, last)
		}
		last = f.Revision
	}
	if resyncs == 0 {
		t.Error("no resync")
	}
}

// running starts a server whose end the test awaits itself.
func running(t *testing.T, cfg api.Config, d api.Deps) (addr string, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- api.New(cfg, d).Run(ctx, ln) }()
	return ln.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// noLeaks fails when a goroutine outlives the test. The HTTP library's idle sweeper sleeps on for ten seconds.
func noLeaks(t *testing.T) {
	redact.Prepare() // its rules are compiled by deep recursion, and goleak cannot read such a stack
	ignore := []goleak.Option{goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2")}
	t.Cleanup(func() { goleak.VerifyNone(t, ignore...) })
}

// TestDeafClient never reads: its writer gives up after the write timeout, so that the server can stop.
func TestDeafClient(t *testing.T) {
	noLeaks(t)
	d := deps()
	addr, stop := running(t, api.Config{Live: api.LiveConfig{WriteTimeout: 500 * time.Millisecond}, StopTime: time.Minute}, d)
	deaf := dial(t, addr, "?session=acme:one&raw=1")
	deaf.next()
	for r := int64(1); r < 50; r++ { // more than the kernel's buffers hold
		d.Broker.Publish(collector.Message{Type: collector.MessageLogRaw, Revision: r, Session: "acme:one", Status: strings.Repeat("x", 1<<20)})
	}
	begin := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > patience {
		t.Errorf("stopping took %v", took)
	}
}

// TestSilentClientIsDropped has one client that answers pings and one that does not.
func TestSilentClientIsDropped(t *testing.T) {
	const timeout = 2 * time.Second // a busy machine may leave a lively client waiting for its turn
	addr, _ := start(t, api.Config{Live: api.LiveConfig{PingEvery: 20 * time.Millisecond, PongTimeout: timeout}}, deps())
	for name, c := range map[string]struct {
		answers bool
		enough  time.Duration // when it is clear that the server keeps it
	}{"silent": {false, 4 * timeout}, "lively": {true, 3 * timeout / 2}} {
		t.Run(name, func(t *testing.T) {
			s := dial(t, addr, "")
			begin, pings, enough := time.Now(), 0, errors.New("enough")
			s.SetPingHandler(func(data string) error {
				pings++
				if time.Since(begin) > c.enough {
					return enough
				}
				if !c.answers {
					return nil
				}
				return s.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
			})
			s.next()
			_ = s.SetReadDeadline(time.Now().Add(patience))
			if _, _, err := s.ReadMessage(); errors.Is(err, enough) != c.answers {
				t.Errorf("after %d pings: %v", pings, err)
			}
		})
	}
}

func TestBadClients(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	for name, c := range map[string]struct {
		send []byte
		code int
	}{
		"no JSON":  {[]byte(`{"type":`), websocket.CloseInvalidFramePayloadData},
		"too long": {make([]byte, 65<<10), websocket.CloseMessageTooBig},
	} {
		t.Run(name, func(t *testing.T) {
			s := dial(t, addr, "")
			s.next()
			if err := s.WriteMessage(websocket.TextMessage, c.send); err != nil {
				t.Fatal(err)
			}
			_ = s.SetReadDeadline(time.Now().Add(patience))
			if _, _, err := s.ReadMessage(); !websocket.IsCloseError(err, c.code) {
				t.Errorf("got %v, want close code %d", err, c.code)
			}
		})
	}
}

func TestUpgradeIsGuarded(t *testing.T) {
	addr, _ := start(t, api.Config{Token: token}, deps())
	for name, c := range map[string]struct {
		header http.Header
		query  string
		status int
	}{
		"foreign origin": {http.Header{"Origin": {"http://evil.example"}, "Authorization": {"Bearer " + token}}, "", 403},
		"foreign host":   {http.Header{"Host": {"evil.example"}, "Authorization": {"Bearer " + token}}, "", 403},
		"no token":       {http.Header{}, "", 401},
		"token":          {http.Header{}, "?token=" + url.QueryEscape(token), 101},
		"no origin":      {http.Header{"Authorization": {"Bearer " + token}}, "", 101},
	} {
		t.Run(name, func(t *testing.T) {
			conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/ws"+c.query, c.header)
			if err == nil {
				conn.Close()
			}
			if resp == nil || resp.StatusCode != c.status {
				t.Errorf("got %v, %v, want %d", resp, err, c.status)
			}
		})
	}
}

// TestStopSaysGoodbye stops a server with open sockets: each gets 1001, and nothing of it keeps running.
func TestStopSaysGoodbye(t *testing.T) {
	noLeaks(t)
	addr, stop := running(t, api.Config{}, deps())
	var sockets []*socket
	for range 5 {
		s := dial(t, addr, "")
		s.next()
		sockets = append(sockets, s)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for _, s := range sockets {
		_ = s.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := s.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
			t.Errorf("got %v, want 1001", err)
		}
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestStopBeforeServing is an interrupt that comes at once.
func TestStopBeforeServing(t *testing.T) {
	noLeaks(t)
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := api.New(api.Config{}, deps()).Run(ctx, ln); err != nil {
		t.Error(err)
	}
}

func TestRunSaysWhyItCannotServe(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := api.New(api.Config{}, deps()).Run(ctx, ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v, want that the listener is closed", err)
	}
}
