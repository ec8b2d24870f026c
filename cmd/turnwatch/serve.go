package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	neturl "net/url"
	"os"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector/focus"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
	"github.com/turnwatch/turnwatch/ui"
)

type serveCmd struct {
	globals      `kong:"-"`
	Host         string        `help:"Address to listen on. Anything but this machine itself needs --token." default:"127.0.0.1" env:"TURNWATCH_HOST"`
	Port         int           `help:"Port to listen on; 0 = any free one." default:"4174" env:"TURNWATCH_PORT"`
	Token        string        `help:"Secret that every request must show, for addresses other than this machine." env:"TURNWATCH_TOKEN"`
	AllowedHosts []string      `help:"Further host names to answer to, such as a proxy's." env:"TURNWATCH_ALLOWED_HOSTS" placeholder:"NAME"`
	Browser      bool          `help:"Open the page in the browser." default:"true" negatable:"" env:"TURNWATCH_BROWSER"`
	Dev          bool          `help:"Also answer to the UI's development server on port 5173."`
	LiveEvery    time.Duration `help:"How often to look which agents run." default:"5s" env:"TURNWATCH_LIVE_EVERY"`
	Verbose      bool          `short:"v" help:"Log more." env:"TURNWATCH_VERBOSE"`
}

// Run serves until interrupted.
func (c *serveCmd) Run(ctx context.Context, g *globals) error {
	c.globals = *g
	if err := api.CheckAddr(net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), c.Token); err != nil {
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
	ln, err := c.listen()
	if err != nil {
		return err
	}
	defer func() { _ = ln.Close() }()
	store, err := sqlite.Open(ctx, c.DataDir)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	url := "http://" + ln.Addr().String()
	if err := lock.announce(url); err != nil {
		return err
	}
	return c.serve(ctx, store, ln, url)
}

func (c *serveCmd) listen() (net.Listener, error) {
	addr := net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s (%w); choose another port with --port, or --port 0 for any free one", addr, err)
	}
	return ln, nil
}

// serve wires everything together and runs it.
func (c *serveCmd) serve(ctx context.Context, store *sqlite.DB, ln net.Listener, url string) error {
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
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
	pipe := pipeline.New(pipeline.Config{LiveEvery: c.LiveEvery}, pipeline.Deps{
		Sources: r.sources, Store: store, Publisher: broker, Logger: logger, Now: time.Now,
		Judges: r.judges,
	})
	shared := focus.New(store, broker.Publish, time.Now)
	cfg := api.Config{Addr: ln.Addr().String(), Token: c.Token, AllowedHosts: c.AllowedHosts}
	if c.Dev {
		cfg.AllowedHosts = append(cfg.AllowedHosts, "localhost:5173", "127.0.0.1:5173")
	}
	server := api.New(cfg, api.Deps{
		Store: store, Ingest: pipe, Transcript: transcript.New(store, r.sources), Analyst: transcript.NewAnalyst(store, r.sources, r.judges), Prices: r.prices,
		Focus: shared, Broker: broker, Flags: r.flags,
		UI: ui.FS(), Version: programVersion(), Now: time.Now, Logger: logger,
	})
	if c.Token != "" {
		url += "/?token=" + neturl.QueryEscape(c.Token) // the page keeps it in a cookie
	}
	fmt.Printf("Turnwatch %s\n  page      %s\n  database  %s\n  looks in  %s\n", programVersion(), url, c.DataDir, c.Home)
	if c.Browser {
		openBrowser(url)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return pipe.Run(ctx) })
	g.Go(func() error {
		shared.Run(ctx, func(err error) { logger.Warn("look for a session to attach", "err", err) })
		return nil
	})
	g.Go(func() error { return server.Run(ctx, ln) })
	g.Go(func() error { return tellProgress(ctx, pipe) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
