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

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/focus"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata"
	"github.com/turnwatch/turnwatch/ui"
)

type serveCmd struct {
	Host         string        `help:"Address to listen on. Anything but this machine itself needs --token." default:"127.0.0.1" env:"TURNWATCH_HOST"`
	Port         int           `help:"Port to listen on; 0 = any free one." default:"4174" env:"TURNWATCH_PORT"`
	Token        string        `help:"Secret that every request must show, for addresses other than this machine." env:"TURNWATCH_TOKEN"`
	AllowedHosts []string      `help:"Further host names to answer to, such as a proxy's." env:"TURNWATCH_ALLOWED_HOSTS" placeholder:"NAME"`
	DataDir      string        `help:"Where the database lives (default: ${data_dir})." env:"TURNWATCH_DATA_DIR" type:"path" placeholder:"DIR"`
	Home         string        `help:"Look for the agents' folders under DIR instead of your home directory." type:"path" placeholder:"DIR"`
	Demo         bool          `help:"Show the bundled recordings; your agents and your database are left alone."`
	Browser      bool          `help:"Open the page in the browser." default:"true" negatable:""`
	Dev          bool          `help:"Also answer to the UI's development server on port 5173."`
	Thrash       int           `help:"Round trips from which a turn is flagged as thrash." default:"8" env:"TURNWATCH_THRASH"`
	Prices       string        `help:"JSON file with your own prices, which go before the built-in ones (default: prices.json in the data directory, if it is there)." env:"TURNWATCH_PRICES" type:"path" placeholder:"FILE"`
	LiveEvery    time.Duration `help:"How often to look which agents run." default:"5s" env:"TURNWATCH_LIVE_EVERY"`
	Verbose      bool          `short:"v" help:"Log more."`
}

// Run serves until interrupted.
func (c *serveCmd) Run(ctx context.Context) error {
	if err := api.CheckAddr(net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), c.Token); err != nil {
		return err
	}
	cleanup, err := c.prepare()
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

// prepare settles where agents and database are.
func (c *serveCmd) prepare() (cleanup func(), err error) {
	cleanup = func() {}
	if c.Demo {
		dir, err := os.MkdirTemp("", "turnwatch-demo-")
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		cleanup = func() { _ = os.RemoveAll(dir) }
		c.Home = dir + "/home"
		if c.DataDir == "" {
			c.DataDir = dir + "/data"
		}
		if err := testdata.WriteDemo(c.Home); err != nil {
			cleanup()
			return nil, err
		}
	}
	if c.Home == "" {
		if c.Home, err = os.UserHomeDir(); err != nil {
			return nil, fmt.Errorf("your home directory is unknown (%w); name it with --home", err)
		}
	}
	if c.DataDir == "" {
		if c.DataDir, err = defaultDataDir(); err != nil {
			return nil, err
		}
	}
	return cleanup, nil
}

func (c *serveCmd) listen() (net.Listener, error) {
	addr := net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s (%w); choose another port with --port, or --port 0 for any free one", addr, err)
	}
	return ln, nil
}

func (c *serveCmd) host() collector.Host {
	getenv := os.Getenv
	if c.Demo {
		getenv = func(string) string { return "" }
	}
	return collector.Host{Home: c.Home, Getenv: getenv, Proc: "/proc", Now: time.Now, Tables: sqlite.ReadForeign}
}

// serve wires everything together and runs it.
func (c *serveCmd) serve(ctx context.Context, store *sqlite.DB, ln net.Listener, url string) error {
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	prices, own, err := loadPrices(c.Prices, c.DataDir)
	if err != nil {
		return err
	}
	if _, err := store.Reprice(ctx, own); err != nil {
		return err
	}
	rev, err := store.Revision(ctx)
	if err != nil {
		return err
	}
	broker := pubsub.New(4096)
	broker.Start(rev)
	all := sources.All(c.host())
	flags := analyzers.All(analyzers.Config{ThrashRoundTrips: c.Thrash})
	judges := fold.Judges{Analyzers: flags, Cost: prices.Cost}
	pipe := pipeline.New(pipeline.Config{LiveEvery: c.LiveEvery}, pipeline.Deps{
		Sources: all, Store: store, Publisher: broker, Logger: logger, Now: time.Now,
		Judges: judges,
	})
	shared := focus.New(store, broker.Publish, time.Now)
	cfg := api.Config{Addr: ln.Addr().String(), Token: c.Token, AllowedHosts: c.AllowedHosts}
	if c.Dev {
		cfg.AllowedHosts = append(cfg.AllowedHosts, "localhost:5173", "127.0.0.1:5173")
	}
	server := api.New(cfg, api.Deps{
		Store: store, Ingest: pipe, Transcript: transcript.New(store, all), Analyst: transcript.NewAnalyst(store, all, judges), Prices: prices,
		Focus: shared, Broker: broker, Flags: flags,
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
