package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

type insightsCmd struct {
	format
	CSV    bool   `name:"csv" help:"Print one line per session, for spreadsheets." xor:"json"`
	Since  string `help:"Only sessions with a turn since the day of: 24h, 7d, 2w, a day, today, yesterday or all." default:"all" placeholder:"WHEN"`
	Until  string `help:"Only sessions with a turn on that day or earlier." placeholder:"DAY"`
	Agent  string `short:"a" help:"Only this agent's." enum:",${agents}" default:"" placeholder:"NAME"`
	Repo   string `short:"r" help:"Only those whose repo or folder contains it." placeholder:"TEXT"`
	Branch string `help:"Only those of this branch." placeholder:"NAME"`
	Model  string `help:"Only those that used this model, themselves or in a sub-agent." placeholder:"NAME"`
	Label  string `help:"Only those with this label." placeholder:"NAME"`
	Limit  int    `short:"n" help:"How many sessions to sum up, the newest first." default:"1000"`
}

// Help is the command's longer help.
func (insightsCmd) Help() string {
	return `Numbers with a ≥ are lower bounds, and rates with a ≈ those of a part: some log did not say all. Days are those of your time zone.

  turnwatch insights --since 7d
  turnwatch insights --repo acme/web --label before
  turnwatch insights --csv > sessions.csv`
}

// mostSummed is how many sessions the API sums up at once.
const mostSummed = 5000

// Validate refuses what is no number of sessions.
func (c *insightsCmd) Validate() error {
	if c.Limit < 1 || c.Limit > mostSummed {
		return fmt.Errorf("--limit %d: want how many sessions to sum up, 1 to %d", c.Limit, mostSummed)
	}
	return nil
}

// Run sums up.
func (c *insightsCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	q, err := c.query(s)
	if err != nil {
		return err
	}
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	if c.CSV {
		body, err := r.get(ctx, "/api/insights.csv", q, nil)
		s.Printf("%s", body)
		return err
	}
	var all insights.Insights
	body, err := r.get(ctx, "/api/insights", q, &all)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s, body)
	}
	report.Insights(s, all)
	return nil
}

func (c *insightsCmd) query(s *screen.Screen) (url.Values, error) {
	q := url.Values{"limit": {strconv.Itoa(c.Limit)}, "tz": {zoneName(s.Zone)}, "to": {c.Until}}
	if c.Since != "all" {
		from, err := since(c.Since, s.Now().In(s.Zone))
		if err != nil {
			return nil, err
		}
		q.Set("from", from.Format(time.DateOnly))
	}
	for name, value := range map[string]string{"agent": c.Agent, "repo": c.Repo, "branch": c.Branch, "model": c.Model, "label": c.Label} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Until != "" {
		if _, err := time.Parse(time.DateOnly, c.Until); err != nil {
			return nil, &collector.Error{Code: collector.CodeInvalid, Message: "--until wants a day, such as 2026-01-31"}
		}
	}
	return q, nil
}
