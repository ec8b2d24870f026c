package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	neturl "net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/focus"
	"github.com/turnwatch/turnwatch/collector/metrics"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/running"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
	"github.com/turnwatch/turnwatch/hooks"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/ui"
)

type serveCmd struct {
	globals   `kong:"-"`
	Host      string   `help:"Address to listen on. Anything but this machine itself needs --token." default:"127.0.0.1" env:"TURNWATCH_HOST"`
	Port      port     `help:"Port to listen on; 0 = any free one." default:"4174" env:"TURNWATCH_PORT"`
	Token     string   `help:"Secret of at least 16 characters that every request must show, for addresses other than this machine. Others on this machine see arguments: prefer the variable." env:"TURNWATCH_TOKEN" secret:""`
	PublicURL string   `name:"public-url" help:"Address at which a reverse proxy shows the page; needs --token." env:"TURNWATCH_PUBLIC_URL" placeholder:"URL"`
	Browser   bool     `help:"Open the page in the browser." default:"true" negatable:"" env:"TURNWATCH_BROWSER"`
	Dev       bool     `help:"Also answer to the UI's development server on port 5173."`
	LiveEvery interval `help:"How often to look which agents run." default:"5s" env:"TURNWATCH_LIVE_EVERY"`
	Verbose   bool     `short:"v" help:"Log more." env:"TURNWATCH_VERBOSE"`
}

// Run serves until interrupted.
func (c *serveCmd) Run(ctx context.Context, g *globals) error {
	c.globals = *g
	if err := api.CheckAddr(c.config(net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))))); err != nil {
		return err
	}
	cleanup, err := c.settle()
	if err != nil {
		return err
	}
	defer cleanup()
	lock, err := lockDataDir(c.DataDir)
	if err != nil {
		return err
	}
	defer lock.release()
	var rebuilt time.Time
	for {
		err := c.serveOnce(ctx, lock)
		if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx))) {
			return nil // interrupted while it was starting
		}
		if !sqlite.Damaged(err) || ctx.Err() != nil {
			return err
		}
		if time.Since(rebuilt) < rebuildEvery {
			return fmt.Errorf("the database was damaged again soon after it was made anew: look whether the disk that %s is on is failing, "+
				"or name another place with --data-dir (%w)", c.DataDir, err)
		}
		rebuilt = time.Now()
		if err := sqlite.PutAside(c.DataDir, rebuilt, err); err != nil {
			return fmt.Errorf("put the damaged database aside: %w", err)
		}
		c.Browser = false // the page is open, and comes back by itself
	}
}

// rebuildEvery is how often the database may turn out to be damaged while it is used; more often, it is not the database.
const rebuildEvery = 10 * time.Minute

// serveOnce serves until ctx ends or the store turns out to be damaged.
func (c *serveCmd) serveOnce(ctx context.Context, lock *dirLock) error {
	ln, err := c.listen(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = ln.Close() }()
	store, warnings, err := openStore(ctx, c.DataDir, os.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	url := pageURL(ln.Addr())
	if err := lock.announce(url); err != nil {
		return err
	}
	return c.serve(ctx, store, warnings, ln, url)
}

func (c *serveCmd) listen(ctx context.Context) (net.Listener, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))))
	if err != nil {
		return nil, cannotListen(ctx, c.Host, int(c.Port), "/proc", err)
	}
	c.Port = port(ln.Addr().(*net.TCPAddr).Port) // should it be wanted again
	return ln, nil
}

func (c *serveCmd) config(addr string) api.Config {
	cfg := api.Config{Addr: addr, Token: c.Token, PublicURL: c.PublicURL}
	if c.Dev {
		cfg.AllowedHosts = []string{"localhost:5173", "127.0.0.1:5173"}
	}
	return cfg
}

// pageURL is where this machine finds the page. Nobody can go to an address that stands for all of them.
func pageURL(addr net.Addr) string {
	at, err := netip.ParseAddrPort(addr.String())
	if err == nil && at.Addr().IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(int(at.Port())))
	}
	return "http://" + addr.String()
}

// newTools returns what knows which tools run.
func newTools(r reading, store *sqlite.DB, broker *pubsub.Broker, pipe *pipeline.Pipeline, logger *slog.Logger) *running.Tools {
	return running.New(running.Deps{
		Readers: sources.HookReaders(r.sources), Store: store, Publish: broker.Publish, Hint: pipe.Hint, Now: time.Now, Logger: logger,
	})
}

// first returns the first error that comes, nil if none does before ctx ends.
func first(ctx context.Context, errs <-chan error) error {
	select {
	case err := <-errs:
		return err
	case <-ctx.Done():
		return nil
	}
}

// serve wires everything together and runs it.
func (c *serveCmd) serve(ctx context.Context, store *sqlite.DB, warnings []collector.Warning, ln net.Listener, url string) error {
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelDebug
	}
	logger := screen.Std(c.Color).Logger(level)
	r, err := c.reading()
	if err != nil {
		return err
	}
	if _, err := store.Reprice(ctx, r.own); err != nil {
		return err
	}
	rev, err := store.Revision(ctx)
	if err != nil {
		return err
	}
	broker := pubsub.New(4096)
	broker.Start(rev)
	counts, mount := newMetrics(r, logger)
	pipe := pipeline.New(pipeline.Config{LiveEvery: time.Duration(c.LiveEvery)}, pipeline.Deps{
		Sources: r.sources, Store: store, Publisher: broker, Logger: logger, Now: time.Now,
		Judges: r.judges, Warnings: warnings, Observe: counts.Observe,
	})
	damaged := make(chan error, 1)
	installed, withdraw := c.announce(url, logger)
	defer withdraw()
	tools := newTools(r, store, broker, pipe, logger)
	shared := focus.New(store, broker.Publish, time.Now)
	server := api.New(c.config(ln.Addr().String()), api.Deps{
		Store: store, Ingest: pipe, Transcript: transcript.New(store, r.sources), Analyst: transcript.NewAnalyst(store, r.sources, r.judges), Prices: r.prices,
		Running: tools, HookTokens: hooks.OpenRegistry(c.DataDir), UnnamedHooks: sources.UnnamedHooks, HookSeen: counts.HookSeen,
		Focus: shared, Broker: broker, Flags: r.flags, Failed: reportDamage(damaged),
		Unverified: collector.UnverifiedAgents(r.sources), DataDir: c.DataDir, UI: ui.FS(), Mounts: []api.Mount{mount}, Version: programVersion(), Logger: logger,
		Hooks: installed,
	})
	counts.Watch(metrics.Gauges{States: store.States, Revision: store.Revision, Size: store.Size, Backlog: pipe.Backlog, Clients: server.Clients, Dropped: broker.Dropped})
	page := cmp.Or(strings.TrimRight(c.PublicURL, "/"), url)
	if c.Token != "" {
		page += "/?token=" + neturl.QueryEscape(c.Token) // the page keeps it in a cookie
	}
	fmt.Printf("Turnwatch %s\n  page      %s\n  database  %s\n  looks in  %s\n", programVersion(), page, c.DataDir, c.Home)
	if c.Browser {
		openBrowser(url) // without the token, which others on this machine would see among the browser's arguments; the page asks for it
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return pipe.Run(ctx) })
	g.Go(func() error {
		shared.Run(ctx, func(err error) { logger.Warn("look for a session to attach", "err", err) })
		return nil
	})
	g.Go(func() error {
		tools.Run(ctx, broker)
		return nil
	})
	g.Go(func() error { return server.Run(ctx, ln) })
	g.Go(func() error {
		if err := tellProgress(ctx, pipe); err != nil || !c.Demo {
			return err
		}
		return attachFirst(ctx, shared)
	})
	g.Go(func() error { return first(ctx, damaged) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
