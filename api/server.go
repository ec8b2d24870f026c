package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/gofiber/fiber/v2/middleware/recover"
)

const (
	readBuffer = 32 << 10 // request line and headers: filters make long URLs, and 4 KiB answered 431
	bodyLimit  = 16 << 20 // a hook hands over a whole tool result
)

// Server is the HTTP and WebSocket server.
type Server struct {
	cfg  Config
	deps Deps
	app  *fiber.App
	huma huma.API
	live *hub

	names                  names
	sockets, writes, hooks *buckets

	ctx    context.Context // ends when the server stops; every request's reads end with it
	cancel context.CancelFunc
	spec   func() ([]byte, error)
}

// New returns a server for cfg that reads through deps. It does not listen yet.
func New(cfg Config, deps Deps) *Server {
	cfg.QueryTimeout = cmp.Or(cfg.QueryTimeout, 10*time.Second)
	cfg.StopTime = cmp.Or(cfg.StopTime, 1500*time.Millisecond)
	if deps.Logger == nil {
		deps.Logger = slog.New(slog.DiscardHandler)
	}
	if deps.Failed == nil {
		deps.Failed = func(error) {}
	}
	cfg.Limits = cfg.Limits.orDefaults()
	s := &Server{
		cfg: cfg, deps: deps, names: newNames(cfg),
		sockets: newBuckets(cfg.Limits.Sockets, time.Now), writes: newBuckets(cfg.Limits.Writes, time.Now), hooks: newBuckets(cfg.Limits.Hooks, time.Now),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.live = newHub(s.ctx, cfg.Live, deps)
	s.app = fiber.New(fiber.Config{
		Immutable:             true, // without it kept strings are rewritten by later requests
		ReadBufferSize:        readBuffer,
		BodyLimit:             bodyLimit,
		ErrorHandler:          s.fail,
		DisableStartupMessage: true,
		CaseSensitive:         true,
		IdleTimeout:           2 * time.Minute,
		ReadTimeout:           cfg.Limits.HeaderTime,
		WriteTimeout:          cfg.Limits.WriteTime,
		Concurrency:           maxConns,
		UnescapePath:          false, // unescaped, an id with a slash would match no route; handlers unescape
	})
	restrain(s.app.Server(), cfg.Limits)
	s.routes()
	return s
}

// routes registers everything; the guard comes first, so that no route is without it.
func (s *Server) routes() {
	s.app.Use(recover.New(recover.Config{}))
	s.app.Use(s.guard)
	s.app.Get("/ws", s.live.upgrade)
	s.hookRoutes()
	for _, m := range s.deps.Mounts {
		s.app.Add(m.Method, m.Path, adaptor.HTTPHandler(m.Handler))
	}
	s.operations()
	s.complete()
	s.spec = sync.OnceValues(s.document)
	s.app.Get("/api/openapi.json", s.serveSpec)
	s.app.Use("/api", func(*fiber.Ctx) error {
		return fiber.NewError(fiber.StatusNotFound, "there is no such route; /api/openapi.json lists them")
	})
	if s.deps.UI != nil {
		s.app.Get("/*", newSite(s.deps.UI).serve)
	}
}

// Clients returns how many WebSocket clients are connected.
func (s *Server) Clients() int { return int(s.live.clients.Load()) }

// Run serves on ln until ctx ends, then says goodbye to every socket, lets requests finish, and returns when all is closed
// or StopTime has passed twice. It can run once.
func (s *Server) Run(ctx context.Context, ln net.Listener) error {
	defer s.cancel()
	served := make(chan error, 1)
	go func() { served <- s.app.Listener(ln) }()
	select {
	case err := <-served:
		if err == nil {
			err = net.ErrClosed // fasthttp takes a closed listener for a wish to stop
		}
		return fmt.Errorf("serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	// Shutdown neither waits for sockets nor ends them, so they go first.
	s.live.close(s.cfg.StopTime)
	err := s.app.ShutdownWithTimeout(s.cfg.StopTime)
	if errors.Is(err, context.DeadlineExceeded) {
		s.deps.Logger.Warn("requests that took too long were given up")
		err = nil
	}
	s.cancel()
	_ = ln.Close() // Shutdown misses a listener on which serving had not begun yet
	if serr := <-served; serr != nil {
		err = errors.Join(err, serr)
	}
	if err != nil {
		return fmt.Errorf("stop serving %s: %w", ln.Addr(), err)
	}
	return nil
}
