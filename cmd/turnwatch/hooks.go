package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/printable"
	"github.com/turnwatch/turnwatch/hooks"
)

type hooksCmd struct {
	Status    hooksStatusCmd    `cmd:"" default:"withargs" help:"Say how the hooks stand (default)."`
	Install   hooksInstallCmd   `cmd:"" help:"Put hooks into the agents' configuration, so that calls are seen while they run."`
	Uninstall hooksUninstallCmd `cmd:"" help:"Take them out again; files become what they were before."`
}

// Help is the command's longer help.
func (hooksCmd) Help() string {
	return `Hooks tell Turnwatch of a call before it ends. They go into the repository that you are in, or, with --user, into
your own settings for all sessions. What others wrote into those files stays as it is. A hook never answers the agent,
and ends at once while no Turnwatch runs.

  turnwatch hooks                          how they stand in this repository
  turnwatch hooks install --dry-run        show what would be changed
  turnwatch hooks install                  for all agents, in this repository
  turnwatch hooks install --user -a NAME   for all sessions of one agent
  turnwatch hooks uninstall

What agents run is one line of shell that hands its input to curl, or, where there is no curl, to

  turnwatch hook AGENT EVENT`
}

// hooksPlace is where to look or write.
type hooksPlace struct {
	format
	Dir   string          `arg:"" optional:"" type:"path" help:"A folder in the repository (default: the one you are in)."`
	User  bool            `short:"u" help:"For all of your sessions, instead of one repository."`
	Agent collector.Agent `short:"a" help:"Only this agent." placeholder:"NAME"`
}

type hooksStatusCmd struct{ hooksPlace }

type hooksInstallCmd struct {
	hooksPlace
	DryRun bool `short:"n" help:"Change nothing, only show the difference."`
	Force  bool `help:"Move a foreign file with our name out of the way; uninstall moves it back."`
	Port   port `help:"Port that the hooks report to, if it is not the one that Turnwatch listens on, as through a forwarded port." placeholder:"PORT"`
}

type hooksUninstallCmd struct {
	hooksPlace
	DryRun bool `short:"n" help:"Change nothing, only show the difference."`
}

// Run prints how the hooks stand.
func (c *hooksStatusCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	return c.do(ctx, g, s, false, func(h *hooks.Hooks, cwd string) (hooks.Report, error) {
		return h.Status(ctx, hooks.Request{Cwd: cwd, Agent: c.Agent})
	})
}

// Run installs hooks.
func (c *hooksInstallCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	return c.do(ctx, g, s, c.DryRun, func(h *hooks.Hooks, cwd string) (hooks.Report, error) {
		return h.Install(ctx, hooks.Request{Cwd: cwd, Agent: c.Agent, Port: int(c.Port), Force: c.Force, DryRun: c.DryRun})
	})
}

// Run uninstalls hooks.
func (c *hooksUninstallCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	return c.do(ctx, g, s, c.DryRun, func(h *hooks.Hooks, cwd string) (hooks.Report, error) {
		return h.Uninstall(ctx, hooks.Request{Cwd: cwd, Agent: c.Agent, DryRun: c.DryRun})
	})
}

// do does something with the hooks of a place and prints the report. It works on the files themselves, beside a running
// Turnwatch, which sees the change, and without one.
func (c *hooksPlace) do(ctx context.Context, g *globals, s *screen.Screen, preview bool, what func(*hooks.Hooks, string) (hooks.Report, error)) error {
	cleanup, err := g.settle()
	if err != nil {
		return err
	}
	defer cleanup()
	cwd := c.Dir
	if cwd == "" && !c.User {
		if cwd, err = os.Getwd(); err != nil {
			return fmt.Errorf("the present folder is unknown (%w); name one, or use --user", err)
		}
	}
	if c.User {
		cwd = ""
	}
	report, err := what(g.hooks(func() string {
		if in, err := readInstance(g.DataDir); err == nil && in.answers(ctx) {
			return in.URL
		}
		return ""
	}), cwd)
	if err != nil && collector.ErrorCode(err) == collector.CodeConflict {
		return errors.New(err.Error()) // exit code 3 is for another Turnwatch
	}
	if err != nil {
		return err
	}
	if c.JSON {
		body, err := json.Marshal(report)
		if err != nil {
			return err
		}
		if err := printJSON(s, body); err != nil {
			return err
		}
	} else {
		printHooks(s, report, preview)
	}
	for _, a := range report.Agents {
		if a.Problem != "" {
			return fmt.Errorf("not all could be done, see above")
		}
	}
	return nil
}

// hooks returns what installs hooks. The demo leaves the user's files alone.
func (g *globals) hooks(url func() string) *hooks.Hooks {
	host := g.host()
	cfg := hooks.Config{DataDir: g.DataDir, Home: host.Home, Getenv: host.Getenv, URL: url, Now: host.Now}
	if g.Demo {
		cfg.Frozen = "the demo changes no files of yours; start turnwatch without --demo to install hooks"
	}
	return hooks.New(cfg)
}

// announce lets the installed hooks report to url, until the returned function ends that.
func (g *globals) announce(url string, logger *slog.Logger) (*hooks.Hooks, func()) {
	h := g.hooks(func() string { return url })
	if err := h.Announce(url); err != nil {
		logger.Warn("installed hooks cannot report", "err", err)
	}
	return h, func() {
		if err := h.Withdraw(); err != nil {
			logger.Warn("installed hooks go on reporting", "err", err)
		}
	}
}

var stateStyles = map[hooks.State]screen.Style{
	hooks.StateNone: screen.Dim, hooks.StateInstalled: screen.Good, hooks.StateModified: screen.Care,
	hooks.StateUnlinked: screen.Care, hooks.StateForeign: screen.Care, hooks.StateBroken: screen.Bad,
}

var stateWords = map[hooks.State]string{
	hooks.StateNone: "not installed", hooks.StateInstalled: "installed", hooks.StateModified: "changed",
	hooks.StateUnlinked: "not connected", hooks.StateForeign: "foreign file", hooks.StateBroken: "cannot be done",
}

var trustWords = map[hooks.Trust]string{
	hooks.TrustTrusted: "trusted", hooks.TrustPending: "waits for your trust", hooks.TrustModified: "waits for your trust again",
}

func printHooks(s *screen.Screen, r hooks.Report, preview bool) {
	if r.Scope == hooks.ScopeRepo {
		s.Printf("In the repository %s\n\n", printable.Line(r.Root))
	} else {
		s.Printf("For all of your sessions\n\n")
	}
	t := screen.Table{Columns: []screen.Column{{Head: "agent"}, {Head: "hooks"}, {Head: "trust"}, {Head: ""}, {Head: "file"}}}
	for _, a := range r.Agents {
		did := ""
		switch {
		case a.Changed && preview:
			did = "would change"
		case a.Changed:
			did = "changed"
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: string(a.Agent), Style: screen.Name}, {Text: stateWords[a.State], Style: stateStyles[a.State]},
			{Text: trustWords[a.Trust]}, {Text: did, Style: screen.Bold}, {Text: printable.Line(a.Path)},
		})
	}
	s.Table(t)
	printNotes(s, r)
	for _, a := range r.Agents {
		if preview && a.Diff != "" {
			s.Printf("\n%s", printable.Text(a.Diff))
		}
	}
}

// printNotes prints each remark once, with the agents that it is about.
func printNotes(s *screen.Screen, r hooks.Report) {
	about := map[string][]string{}
	var order []string
	for _, a := range r.Agents {
		notes := a.Notes
		if a.Problem != "" && !slices.Contains(notes, a.Problem) {
			notes = append(notes, a.Problem)
		}
		if a.Backup != "" {
			notes = append(notes, "The foreign file is in "+a.Backup+".")
		}
		for _, n := range notes {
			if about[n] == nil {
				order = append(order, n)
			}
			about[n] = append(about[n], string(a.Agent))
		}
	}
	for _, n := range order {
		s.Printf("\n%s  %s\n", s.In(screen.Name, strings.Join(about[n], ", ")), printable.Line(n))
	}
}
