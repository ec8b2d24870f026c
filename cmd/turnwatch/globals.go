package main

import (
	"fmt"
	"os"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pricing"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata"
)

// globals are the settings of all commands: what is read, how it is judged, and how it is shown. A flag with an
// environment variable is a setting, which the configuration file knows by the flag's name.
type globals struct {
	Config  string           `group:"everywhere" help:"Configuration file (default: ${config_file})." env:"TURNWATCH_CONFIG" type:"path" placeholder:"FILE"`
	DataDir string           `group:"everywhere" help:"Where the database lives (default: ${data_dir})." env:"TURNWATCH_DATA_DIR" type:"path" placeholder:"DIR"`
	Home    string           `group:"everywhere" help:"Look for the agents' folders under DIR instead of your home directory." env:"TURNWATCH_HOME" type:"path" placeholder:"DIR"`
	Demo    bool             `group:"everywhere" help:"Show the bundled recordings; your agents and your database are left alone."`
	Thrash  tripCount        `group:"everywhere" help:"Round trips from which a turn is flagged as thrash." default:"8" env:"TURNWATCH_THRASH"`
	Prices  string           `group:"everywhere" help:"JSON file with your own prices, which go before the built-in ones (default: ${prices_file}, if it is there)." env:"TURNWATCH_PRICES" type:"path" placeholder:"FILE"`
	Color   screen.ColorMode `group:"everywhere" help:"Colours: auto (on a terminal, unless NO_COLOR is set), always or never." enum:"auto,always,never" default:"auto" env:"TURNWATCH_COLOR"`
}

// settle settles where agents and database are. For the demo that is a temporary place, which cleanup removes.
func (g *globals) settle() (cleanup func(), err error) {
	cleanup = func() {}
	if g.Demo {
		dir, err := os.MkdirTemp("", "turnwatch-demo-")
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		cleanup = func() { _ = os.RemoveAll(dir) }
		g.Home = dir + "/home"
		if g.DataDir == "" {
			g.DataDir = dir + "/data"
		}
		if err := testdata.WriteDemo(g.Home); err != nil {
			cleanup()
			return nil, err
		}
	}
	if g.Home == "" {
		if g.Home, err = os.UserHomeDir(); err != nil {
			return nil, fmt.Errorf("your home directory is unknown (%w); name it with --home", err)
		}
	}
	if g.DataDir == "" {
		if g.DataDir, err = defaultDataDir(); err != nil {
			return nil, err
		}
	}
	return cleanup, nil
}

func (g *globals) host() collector.Host {
	getenv := os.Getenv
	if g.Demo {
		getenv = func(string) string { return "" }
	}
	return collector.Host{Home: g.Home, Getenv: getenv, Proc: "/proc", Now: time.Now, Tables: sqlite.ReadForeign}
}

// reading is what the agents' logs are read and judged with.
type reading struct {
	sources []collector.Source
	flags   []collector.Analyzer
	judges  fold.Judges
	prices  *pricing.Table
	own     int64 // tells the user's own prices apart; 0 = none
}

func (g *globals) reading() (reading, error) {
	prices, own, err := loadPrices(g.Prices, g.DataDir)
	if err != nil {
		return reading{}, err
	}
	flags := analyzers.All(analyzers.Config{ThrashRoundTrips: int(g.Thrash)})
	return reading{sources.All(g.host()), flags, fold.Judges{Analyzers: flags, Cost: prices.Cost}, prices, own}, nil
}
