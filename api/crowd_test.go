package api_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"go.uber.org/goleak"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/redact"
)

// heap returns the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// ends waits until the server has seen its clients go.
func ends(t *testing.T, s *api.Server) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(patience); s.Clients() > 0; <-look.C {
		if time.Now().After(deadline) {
			t.Fatalf("%d clients stay", s.Clients())
		}
	}
}

// TestReconnects opens and drops sockets, politely and not, thousands of times: the server is afterwards as it was before.
// Each socket that stayed would hold 8 kB of buffers, 80 MB in all; the rest are pools.
func TestReconnects(t *testing.T) {
	ignore := goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2")
	n := 10_000
	if testing.Short() {
		n = 500
	}
	redact.Prepare() // its rules are compiled by deep recursion, and goleak cannot read such a stack
	addr, s := start(t, api.Config{Limits: api.Limits{Sockets: api.Rate{PerSecond: 1e6, Burst: 1e6}}}, deps())
	connect := func(i int) {
		conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/ws?session=acme:one", nil)
		if err != nil {
			t.Error(err)
			return
		}
		if i%2 == 0 { // half of them hear the hello and say goodbye; the others just vanish
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			_, _, _ = conn.ReadMessage()
			_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
		}
		_ = conn.Close()
	}
	for i := range 50 { // pools fill
		connect(i)
	}
	ends(t, s)
	routines, bytes := goleak.IgnoreCurrent(), heap()
	var clients sync.WaitGroup
	for w := range 8 {
		clients.Go(func() {
			for i := w; i < n; i += 8 {
				connect(i / 8)
			}
		})
	}
	clients.Wait()
	ends(t, s)
	if err := goleak.Find(routines, ignore, goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).workerFunc")); err != nil {
		t.Error(err)
	}
	if after := heap(); after > bytes+48<<20 {
		t.Errorf("%d MB are in use, %d before", after>>20, bytes>>20)
	}
}

// TestCrowd has 200 clients, one of which never reads: the others get everything, and memory is as before when they left.
func TestCrowd(t *testing.T) {
	n, news := 200, 300
	if testing.Short() {
		n = 40
	}
	d := deps()
	// Nobody is given up: who waits for the deaf one waits for ever.
	addr, s := start(t, api.Config{Live: api.LiveConfig{WriteTimeout: time.Hour, PongTimeout: time.Hour}}, d)
	before := heap()
	deaf := dial(t, addr, "?session=acme:one&raw=1")
	deaf.next()
	sockets := make([]*socket, n-1)
	for i := range sockets {
		sockets[i] = dial(t, addr, "?session=acme:two")
		sockets[i].next()
	}
	if s.Clients() != n {
		t.Errorf("%d clients, want %d", s.Clients(), n)
	}
	for r := int64(1); r <= int64(news); r++ {
		// For the deaf one, and more than the network's buffers hold.
		d.Broker.Publish(collector.Message{Type: collector.MessageLogRaw, Revision: r, Session: "acme:one", Status: strings.Repeat("x", 64<<10)})
		d.Broker.Publish(collector.Message{Type: collector.MessageTurnStarted, Revision: r, Session: "acme:two"})
	}
	var listeners sync.WaitGroup
	for i, c := range sockets {
		listeners.Go(func() {
			for last := int64(0); last < int64(news); {
				_ = c.SetReadDeadline(time.Now().Add(patience))
				var f frame
				if err := c.ReadJSON(&f); err != nil {
					t.Errorf("client %d after revision %d: %v", i, last, err)
					return
				}
				last = max(last, f.Revision)
			}
		})
	}
	listeners.Wait()
	for _, c := range sockets {
		c.Close()
	}
	deaf.Close()
	ends(t, s)
	if after := heap(); after > before+32<<20 {
		t.Errorf("%d MB are in use, %d before", after>>20, before>>20)
	}
}
