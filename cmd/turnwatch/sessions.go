package main

import (
	"context"
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
	Agent string                 `short:"a" help:"Only this agent's." placeholder:"NAME"`
	Repo  string                 `short:"r" help:"Only those whose repo or folder contains it." placeholder:"TEXT"`
	State collector.SessionState `short:"s" help:"Only those that are busy, idle, waiting, ended or crashed." enum:",busy,idle,waiting,ended,crashed" default:"" placeholder:"STATE"`
	Live  bool                   `short:"l" help:"Only those that a running process holds."`
	Sort  collector.SessionSort  `help:"Order: last, start, turns, calls, failed or tokens; the most first." enum:"last,start,turns,calls,failed,tokens" default:"last"`
	Limit int                    `short:"n" help:"How many to list." default:"20"`
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

// Run lists sessions.
func (c *sessionsCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	path, q := "/api/sessions/live", url.Values{}
	if !c.Live {
		path = "/api/sessions"
		q = url.Values{
			"text": {c.Text}, "agent": {c.Agent}, "repo": {c.Repo}, "sort": {string(c.Sort)}, "limit": {strconv.Itoa(c.Limit)},
		}
		if c.State != "" {
			q.Set("state", string(c.State))
		}
	}
	var page collector.SessionPage
	body, err := r.get(ctx, path, q, &page)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s, body)
	}
	report.Sessions(s, page, r.ids.Shorten())
	return nil
}
