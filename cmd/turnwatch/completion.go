package main

import (
	"context"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/completion"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector/redact"
)

type completionCmd struct {
	// The scripts ask for "ids" themselves.
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish,ids"`
}

// Help is the command's longer help.
func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags, their values, and session ids.

  eval "$(turnwatch completion bash)"                 in ~/.bashrc
  source <(turnwatch completion zsh)                  in ~/.zshrc, behind compinit
  turnwatch completion fish | source                  in ~/.config/fish/config.fish`
}

// Run prints the script.
func (c *completionCmd) Run(ctx context.Context, k *kong.Context, g *globals, s *screen.Screen) error {
	if c.Shell == "ids" {
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
