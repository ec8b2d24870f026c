package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

type statusCmd struct {
	format
}

// Help is the command's longer help.
func (statusCmd) Help() string {
	return `Asks the Turnwatch that runs with this data directory; fails if none does.

  turnwatch status
  turnwatch status --json | jq .progress`
}

// Run asks the running instance how it is.
func (c *statusCmd) Run(ctx context.Context, g *globals) error {
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
		return &collector.Error{Code: collector.CodeUnavailable, Message: "no Turnwatch runs with the data directory " + g.DataDir + "; start one with: turnwatch"}
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL+"/api/health", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("Turnwatch (pid %d) does not answer at %s: %w", in.Pid, in.URL, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if c.JSON {
		_, err := io.Copy(os.Stdout, resp.Body)
		return err
	}
	var h struct {
		Version      string             `json:"version"`
		Progress     collector.Progress `json:"progress"`
		LiveSessions int                `json:"liveSessions"`
		Warnings     []collector.Warning
	}
	if err := json.NewDecoder(resp.Body).Decode(&h); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	fmt.Printf("Turnwatch %s, pid %d, %s\n%d live sessions; history: %d of %d logs\n", h.Version, in.Pid, in.URL, h.LiveSessions, h.Progress.Streams, h.Progress.StreamsTotal)
	for _, w := range h.Warnings {
		fmt.Printf("warning: %s %s\n", w.Message, w.Path)
	}
	return nil
}
