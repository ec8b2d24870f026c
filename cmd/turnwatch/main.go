// Command turnwatch shows developers what their coding agents really do, turn by turn, while they do it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/printable"
	"github.com/turnwatch/turnwatch/sources"
)

// version is set by the linker for releases.
var version = ""

type cli struct {
	globals
	Serve  serveCmd  `cmd:"" default:"withargs" group:"watch" help:"Follow the agents on this machine and serve the page (default)."`
	Tail   tailCmd   `cmd:"" group:"watch" help:"Follow agents here in the terminal."`
	Status statusCmd `cmd:"" group:"watch" help:"Say what the running Turnwatch does."`

	Sessions sessionsCmd `cmd:"" group:"read" aliases:"ls" help:"List sessions."`
	Show     showCmd     `cmd:"" group:"read" help:"Show a session, or one of its turns."`
	Compare  compareCmd  `cmd:"" group:"read" help:"Say how two sessions, turns or groups of sessions differ."`
	Insights insightsCmd `cmd:"" group:"read" help:"Sum up many sessions: by day, model, tool and flag."`
	Export   exportCmd   `cmd:"" group:"read" help:"Write a session to a file: HTML with its flow, Markdown or JSON."`
	Flags    flagsCmd    `cmd:"" group:"read" help:"List what looks wrong in the turns of late."`

	Hooks      hooksCmd      `cmd:"" group:"setup" help:"Install hooks, so that calls are seen while they run; take them out; say how they stand."`
	Doctor     doctorCmd     `cmd:"" group:"setup" help:"Look for what keeps Turnwatch from seeing everything, and say what to do."`
	Config     configCmd     `cmd:"" group:"setup" help:"Show every setting, its value, and where that comes from."`
	Completion completionCmd `cmd:"" group:"setup" help:"Print a script that completes the command line in your shell."`
	Version    versionCmd    `cmd:"" group:"setup" help:"Print the version."`

	TellVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

const description = `Turnwatch follows the logs that coding agents leave on this machine and shows every turn, tool call and
anomaly in the browser while they work. It reads only, listens on this machine only, and sends nothing anywhere.

  turnwatch                     follow your agents, open http://127.0.0.1:4174
  turnwatch --demo              show the bundled recordings instead
  turnwatch sessions            what was done lately, here in the terminal
  turnwatch show 7f3c21aa -t 3  one turn, with all that happened in it

Commands that read work with and without a running Turnwatch, and with --demo. Each has its own --help with examples.

Exit codes: 0 fine, 1 failed, or problems found; 2 a wrong command line or configuration; 3 another Turnwatch uses the
data directory; 4 no such session or turn, or several.`

var groups = []kong.Group{
	{Key: "watch", Title: "Watch"},
	{Key: "read", Title: "Read"},
	{Key: "setup", Title: "Set up"},
	{Key: "everywhere", Title: "Flags of every command"},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// newParser returns a parser of c's command line.
func newParser(ctx context.Context, c *cli) *kong.Kong {
	return kong.Must(c, kong.Name("turnwatch"), kong.Description(description), kong.ExplicitGroups(groups),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}), kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(&c.globals),
		kong.KindMapper(reflect.Int, kong.MapperFunc(wholeNumber)), words())
}

// words are what the flags' descriptions leave open.
func words() kong.Vars {
	var agents, flags []string
	for _, s := range sources.All(collector.Host{}) {
		agents = append(agents, string(s.Agent()))
	}
	for _, a := range analyzers.All(analyzers.Config{}) {
		flags = append(flags, string(a.Flag))
	}
	return kong.Vars{
		"data_dir": dataDirHelp(), "config_file": settings.DefaultPath(), "prices_file": filepath.Join(dataDirHelp(), priceFile),
		"agents": strings.Join(agents, ","), "flags": strings.Join(flags, ","), "version": "turnwatch " + programVersion(),
	}
}

func run(ctx context.Context, args []string) (code int) {
	if isHook(args) {
		return runHook(ctx, args)
	}
	var c cli
	parser := newParser(ctx, &c)
	settings.ForgetEmpty(parser.Model)
	if err := settings.ValidateEnvironment(parser.Model); err != nil {
		tell(err)
		return exitUsage
	}
	k, err := parser.Parse(args)
	if err != nil {
		tell(inPlainWords(err))
		return exitUsage
	}
	s := screen.Std(c.Color)
	k.Bind(s)
	if err := cmp.Or(k.Run(), s.Lost()); err != nil {
		tell(err)
		return exitCode(err)
	}
	return 0
}

// tell writes an error, in which there may be names and texts of logs.
func tell(err error) {
	fmt.Fprintln(os.Stderr, "turnwatch: "+printable.Text(err.Error()))
}

type versionCmd struct{ format }

// Run prints the version.
func (c versionCmd) Run(s *screen.Screen) error {
	if c.JSON {
		body, err := json.Marshal(map[string]string{"version": programVersion()})
		if err != nil {
			return err
		}
		return printJSON(s, body)
	}
	s.Println("turnwatch " + programVersion())
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
