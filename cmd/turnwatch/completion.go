package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/completion"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/collector/redact"
)

type completionCmd struct {
	Shell string `arg:"" help:"bash, zsh or fish."`
}

// listIDs is what the scripts ask for themselves.
const listIDs = "ids"

// Help is the command's longer help.
func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags, their values, and session ids.

  eval "$(turnwatch completion bash)"                 in ~/.bashrc
  source <(turnwatch completion zsh)                  in ~/.zshrc, behind compinit
  turnwatch completion fish | source                  in ~/.config/fish/config.fish`
}

// Validate refuses a shell that cannot complete.
func (c *completionCmd) Validate() error {
	if shells := []string{"bash", "zsh", "fish"}; c.Shell != "" && c.Shell != listIDs && !slices.Contains(shells, c.Shell) {
		return fmt.Errorf("shell %s", settings.NoneOf(c.Shell, shells))
	}
	return nil
}

// Run prints the script.
func (c *completionCmd) Run(ctx context.Context, k *kong.Context, g *globals, s *screen.Screen) error {
	if c.Shell == listIDs {
		return c.ids(ctx, g, s)
	}
	script, err := completion.Script(completion.Shell(c.Shell), k.Model)
	s.Printf("%s", script)
	return err
}

// mostIDs is how many sessions a shell offers, the newest.
const mostIDs = 100

func (completionCmd) ids(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	short := r.ids.Shorten()
	for _, known := range r.known[:min(mostIDs, len(r.known))] {
		s.Printf("%s\t%s\n", screen.Line(short(known.ID)), screen.Clip(screen.Line(redact.Text(known.Title)), 60))
	}
	return nil
}
