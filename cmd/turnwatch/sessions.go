package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// format is how a command answers.
type format struct {
	JSON bool `name:"json" xor:"json" help:"Print the API's JSON instead of text."`
}

type sessionsCmd struct {
	format
	Text  string                 `arg:"" optional:"" help:"Only sessions whose title, folder, repo, branch or id contains it."`
	Agent string                 `short:"a" help:"Only this agent's." enum:",${agents}" default:"" placeholder:"NAME"`
	Repo  string                 `short:"r" help:"Only those whose repo or folder contains it." placeholder:"TEXT"`
	State collector.SessionState `short:"s" help:"Only those that are busy, idle, waiting, ended or crashed." enum:",busy,idle,waiting,ended,crashed" default:"" placeholder:"STATE"`
	Live  bool                   `short:"l" help:"Only those that a running process holds."`
	Sort  collector.SessionSort  `help:"Order: last, start, turns, calls, failed or tokens; the most first." enum:"last,start,turns,calls,failed,tokens" default:"last"`
	Limit int                    `short:"n" help:"How many to list; 0 = all." default:"20"`
}

// Help is the command's longer help.
func (sessionsCmd) Help() string {
	return `Ids may be shortened, here and everywhere: the beginning that is shown is enough.

  turnwatch sessions                      the 20 newest
  turnwatch sessions --live               who is at work now
  turnwatch sessions login -r acme/web    those about "login" in a repo
  turnwatch sessions --sort tokens -n 5   the five largest
  turnwatch sessions --json | jq -r '.sessions[].id'`
}

// Validate refuses what is no number of sessions.
func (c *sessionsCmd) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit %d: want how many to list, 0 = all", c.Limit)
	}
	return nil
}

// Run lists sessions.
func (c *sessionsCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	q := url.Values{
		"text": {c.Text}, "agent": {c.Agent}, "repo": {c.Repo}, "sort": {string(c.Sort)}, "live": {strconv.FormatBool(c.Live)},
	}
	if c.State != "" {
		q.Set("state", string(c.State))
	}
	page, raw, err := r.pages(ctx, q, c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		body, err := json.Marshal(raw)
		if err != nil {
			return err
		}
		return printJSON(s, body)
	}
	report.Sessions(s, page, r.ids.Shorten())
	return nil
}

// rawPage is a collector.SessionPage whose sessions are as the API wrote them.
type rawPage struct {
	Sessions []json.RawMessage `json:"sessions"`
	Total    int               `json:"total"`
	Next     string            `json:"next,omitempty"`
}

// mostListed is how many sessions the API lists on a page.
const mostListed = 500

// pages lists limit sessions, 0 = all, of as many pages as it takes.
func (r *reader) pages(ctx context.Context, q url.Values, limit int) (page collector.SessionPage, raw rawPage, err error) {
	raw.Sessions = []json.RawMessage{}
	for limit == 0 || len(raw.Sessions) < limit {
		want := mostListed
		if limit > 0 {
			want = min(want, limit-len(raw.Sessions))
		}
		q.Set("limit", strconv.Itoa(want))
		var next rawPage
		body, err := r.get(ctx, "/api/sessions", q, &next)
		if err != nil {
			return page, raw, err
		}
		var read collector.SessionPage
		if err := json.Unmarshal(body, &read); err != nil {
			return page, raw, fmt.Errorf("read sessions: %w", err)
		}
		page.Sessions, page.Total = append(page.Sessions, read.Sessions...), read.Total
		raw.Sessions, raw.Total, raw.Next = append(raw.Sessions, next.Sessions...), next.Total, next.Next
		if next.Next == "" {
			break
		}
		q.Set("cursor", next.Next)
	}
	return page, raw, nil
}
