// Command turnwatch shows developers what their coding agents really do, turn by turn, while they do it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/collector"
)

// version is set by the linker for releases.
var version = ""

type cli struct {
	Serve   serveCmd   `cmd:"" default:"withargs" help:"Follow the agents on this machine and serve the page (default)."`
	Status  statusCmd  `cmd:"" help:"Say what the running Turnwatch does."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

const description = `Turnwatch follows the logs that coding agents leave on this machine and shows every turn, tool call and
anomaly in the browser while they work. It reads only, listens on this machine only, and sends nothing anywhere.

  turnwatch                 follow your agents, open http://127.0.0.1:4174
  turnwatch --demo          show the bundled recordings instead
  turnwatch status --json   what it does, for scripts`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	k := kong.Parse(&c, kong.Name("turnwatch"), kong.Description(description), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Vars{"data_dir": dataDirHelp()})
	if err := k.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "turnwatch: "+err.Error())
		var e *collector.Error
		if errors.As(err, &e) && e.Code == collector.CodeConflict {
			os.Exit(3)
		}
		os.Exit(1)
	}
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run() error {
	fmt.Println("turnwatch " + programVersion())
	return nil
}

func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
