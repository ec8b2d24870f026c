package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

type statusCmd struct {
	format
	Token string `help:"Token of the running Turnwatch, if it asks for one." env:"TURNWATCH_TOKEN" secret:""`
}

// Help is the command's longer help.
func (statusCmd) Help() string {
	return `Asks the Turnwatch that runs with this data directory; fails if none does.

  turnwatch status
  turnwatch status --json | jq .progress`
}

// Run asks the running instance how it is.
func (c *statusCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	if g.DataDir == "" {
		dir, err := defaultDataDir()
		if err != nil {
			return err
		}
		g.DataDir = dir
	}
	in, err := readInstance(g.DataDir)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if in.URL == "" {
		return &collector.Error{Code: collector.CodeUnavailable, Message: "no Turnwatch runs with the data directory " + g.DataDir + "; start one with: turnwatch, or name another's with --data-dir"}
	}
	body, err := c.ask(ctx, in)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s, body)
	}
	var h api.Health
	if err := json.Unmarshal(body, &h); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	s.Printf("Turnwatch %s, pid %d, %s\n%d live sessions; history: %d of %d logs\n", h.Version, in.Pid, in.URL, h.LiveSessions, h.Progress.Streams, h.Progress.StreamsTotal)
	for _, w := range h.Warnings {
		s.Println(s.In(screen.Care, "warning: ") + screen.Line(w.Message+" "+w.Path))
	}
	return nil
}

func (c *statusCmd) ask(ctx context.Context, in instance) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL+"/api/health", nil)
	if err != nil {
		return nil, err
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("Turnwatch (pid %d) does not answer at %s: %w", in.Pid, in.URL, err)
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusOK:
		return io.ReadAll(resp.Body)
	case http.StatusUnauthorized:
		return nil, errToken
	}
	return nil, fmt.Errorf("Turnwatch (pid %d) answers at %s: %s", in.Pid, in.URL, resp.Status)
}
