package api

import (
	"context"
	"net/http"
	"strings"
	"time"
	_ "time/tzdata" // days are the user's, also where the system has no time zones

	"github.com/danielgtaylor/huma/v2"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// Prices is the price table.
type Prices interface {
	Date() string
	Cost(model string, t collector.Tokens) collector.Amount
}

type insightsInput struct {
	Limit  int    `query:"limit" default:"200" minimum:"1" maximum:"5000" doc:"sessions, the newest first"`
	Agent  string `query:"agent" doc:"short name of the agent"`
	Repo   string `query:"repo" doc:"repo or cwd contains it"`
	Branch string `query:"branch"`
	Model  string `query:"model" doc:"a round trip of the session, or of a sub-agent, used it"`
	Label  string `query:"label"`
	From   string `query:"from" doc:"YYYY-MM-DD: a turn started on this day or later"`
	To     string `query:"to" doc:"YYYY-MM-DD: a turn started on this day or earlier"`
	Brush  string `query:"brush" doc:"YYYY-MM-DD..YYYY-MM-DD: of the sessions so far, those with a turn on these days; unlike from and to, the limit comes first"`
	TZ     string `query:"tz" default:"UTC" doc:"IANA time zone of the days"`
}

type insightsOutput struct{ Body Insights }

// Insights is what many sessions add up to.
type Insights struct{ insights.Insights }

type csvOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

func (s *Server) insightOperations() {
	operation(s, http.MethodGet, "/api/insights", "getInsights", "What the newest sessions add up to",
		func(ctx context.Context, in *insightsInput) (*insightsOutput, error) {
			all, err := s.insights(ctx, in)
			return &insightsOutput{Insights{all}}, err
		})
	operation(s, http.MethodGet, "/api/insights.csv", "exportInsights", "The same, one line per session, for spreadsheets",
		func(ctx context.Context, in *insightsInput) (*csvOutput, error) {
			all, err := s.insights(ctx, in)
			if err != nil {
				return nil, err
			}
			insightsOut(&all)
			body, err := insights.CSV(all.Sessions)
			return &csvOutput{"text/csv; charset=utf-8", `attachment; filename="turnwatch-sessions.csv"`, body}, err
		})
	s.huma.OpenAPI().Paths["/api/insights.csv"].Get.Responses["200"].Content = map[string]*huma.MediaType{
		"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}},
	}
}

func (s *Server) insights(ctx context.Context, in *insightsInput) (insights.Insights, error) {
	zone, err := zoneOf(in.TZ)
	if err != nil {
		return insights.Insights{}, err
	}
	q := selection{
		RunQuery: collector.RunQuery{Agent: collector.Agent(in.Agent), Repo: in.Repo, Branch: in.Branch, Label: in.Label, Limit: in.Limit},
		Filter:   insights.Filter{Model: in.Model},
	}
	if q.From, q.To, err = daysOf(in.From, in.To, zone); err != nil {
		return insights.Insights{}, err
	}
	if from, to, ok := strings.Cut(in.Brush, ".."); ok {
		q.Brush.From, q.Brush.To, err = daysOf(from, to, zone)
	} else if in.Brush != "" {
		err = invalid("brush wants two days, such as 2026-01-30..2026-01-31")
	}
	if err != nil {
		return insights.Insights{}, err
	}
	page, err := s.runs(ctx, q)
	if err != nil {
		return insights.Insights{}, err
	}
	return insights.Merge(page, insights.Options{Zone: zone, PricesDate: s.pricesDate(), Unverified: s.unverifiedAmong(page.Runs)}), nil
}

func (s *Server) pricesDate() string {
	if s.deps.Prices == nil {
		return ""
	}
	return s.deps.Prices.Date()
}

func zoneOf(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" { // the server's zone is nobody's wish
		return nil, invalid("tz wants the name of a time zone, such as Europe/Berlin")
	}
	return zone, nil
}

// daysOf returns the half-open range, in unix ms, of the days from and to; 0 = no bound.
func daysOf(from, to string, zone *time.Location) (lo, hi int64, err error) {
	day := func(s string, add int) int64 {
		if s == "" {
			return 0
		}
		t, perr := time.Parse(time.DateOnly, s)
		if perr != nil {
			err = invalid("from and to want a day, such as 2026-01-31")
		}
		y, m, d := t.Date()
		return insights.DayStart(y, m, d+add, zone).UnixMilli()
	}
	lo, hi = day(from, 0), day(to, 1)
	return lo, hi, err
}

func (s *Server) cost() insights.Cost {
	if s.deps.Prices == nil {
		return nil
	}
	return s.deps.Prices.Cost
}

func (in Insights) outbound() any {
	insightsOut(&in.Insights)
	return &in // WriteJSON is a pointer's
}

// insightsOut masks the titles, which may be the beginnings of prompts, and where the sessions work.
func insightsOut(in *insights.Insights) {
	places := map[string]string{} // masked once each: thousands of sessions stand in few places
	maskPlace := func(s *string) {
		done, ok := places[*s]
		if !ok {
			done = *s
			mask(&done)
			places[*s] = done
		}
		*s = done
	}
	in.Unverified = unverifiedOut(in.Unverified)
	for i := range in.Sessions {
		x := &in.Sessions[i]
		mask(&x.Title)
		maskPlace(&x.Cwd)
		maskPlace(&x.Repo)
		maskPlace(&x.Branch)
		x.Labels = list(x.Labels)
	}
}
