package api

import (
	"cmp"
	"context"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/redact"
)

// LiveConfig sets the patience of the WebSocket. Zero fields take the defaults.
type LiveConfig struct {
	PingEvery    time.Duration // 25 s
	PongTimeout  time.Duration // silence after which a client counts as gone; 60 s
	WriteTimeout time.Duration // for one frame; 5 s
}

// readLimit bounds what a client may send; without it the server buffered 64 MiB (measured).
const readLimit = 64 << 10

// Hello is the data of the first message of a connection, and of the answer to a Subscribe.
type Hello struct {
	Version  string              `json:"version"`
	Session  collector.SessionID `json:"session,omitempty" doc:"whose turns are reported"`
	Raw      bool                `json:"raw"`
	Focus    collector.Focus     `json:"focus"`
	Progress collector.Progress  `json:"progress"`
}

// Subscribe is what a client sends to be told of one session's turns, and of its children's. The same can stand in the
// socket's URL (?session=&raw=1), so that a reconnect with ?since= repeats those messages too.
type Subscribe struct {
	Type    string               `json:"type" enum:"subscribe"`
	Session *collector.SessionID `json:"session" doc:"null = none"`
	Raw     bool                 `json:"raw,omitempty" doc:"also log.raw"`
}

// hub serves the sockets. It keeps no connection: each belongs to its handler, since the library reuses them.
type hub struct {
	cfg    LiveConfig
	broker *pubsub.Broker
	hello  func() Hello
	log    *slog.Logger
	handle fiber.Handler

	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex
	closing bool
	running sync.WaitGroup
	clients atomic.Int64
	opened  sync.Once
}

func newHub(ctx context.Context, cfg LiveConfig, deps Deps) *hub {
	cfg.PingEvery = cmp.Or(cfg.PingEvery, 25*time.Second)
	cfg.PongTimeout = cmp.Or(cfg.PongTimeout, time.Minute)
	cfg.WriteTimeout = cmp.Or(cfg.WriteTimeout, 5*time.Second)
	h := &hub{cfg: cfg, broker: deps.Broker, log: deps.Logger}
	h.ctx, h.cancel = context.WithCancel(ctx)
	h.hello = func() Hello {
		focus := deps.Focus.State()
		focus.AutoAttach.Candidates = list(focus.AutoAttach.Candidates)
		return Hello{Version: deps.Version, Focus: focus, Progress: deps.Ingest.Ingest().Progress}
	}
	// The library's own Origins check is not used: the guard checked before the upgrade.
	h.handle = websocket.New(h.serve, websocket.Config{RecoverHandler: h.recover, WriteBufferSize: 4 << 10})
	return h
}

func (h *hub) upgrade(c *fiber.Ctx) error {
	if !websocket.IsWebSocketUpgrade(c) {
		return fiber.NewError(fiber.StatusUpgradeRequired, "this is a WebSocket")
	}
	return h.handle(c)
}

// recover keeps a panic's text from the client; the library's default sends it.
func (h *hub) recover(*websocket.Conn) {
	if r := recover(); r != nil {
		h.log.Error("socket handler panicked", "panic", r, "stack", string(debug.Stack()))
	}
}

// serve owns conn until its writer has ended.
func (h *hub) serve(conn *websocket.Conn) {
	if !h.enter() {
		return
	}
	defer h.running.Done()
	h.clients.Add(1)
	defer h.clients.Add(-1)
	ctx, cancel := context.WithCancel(h.ctx)
	cl := &client{hub: h, conn: conn, replies: make(chan struct{}, 1)}
	session := collector.SessionID(conn.Query("session"))
	raw, _ := strconv.ParseBool(conn.Query("raw"))
	cl.view.Store(&view{session: session, raw: raw})
	since, err := strconv.ParseInt(conn.Query("since"), 10, 64)
	if err != nil {
		since = -1
	}
	sub := h.broker.Subscribe(ctx, since, cl.wants)
	defer sub.Close()
	written := make(chan struct{})
	go func() {
		defer close(written)
		cl.write(ctx, sub)
	}()
	defer func() {
		cancel()
		<-written
	}()
	h.opened.Do(func() { h.running.Go(redact.Prepare) }) // a page is open, and will soon ask for texts
	cl.read()
}

// enter counts a client in, unless the server is stopping.
func (h *hub) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closing {
		h.running.Add(1)
	}
	return !h.closing
}

// close says goodbye to every client and waits for them, at most for timeout.
func (h *hub) close(timeout time.Duration) {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		h.running.Wait()
	}()
	select {
	case <-gone:
	case <-time.After(timeout):
	}
}
