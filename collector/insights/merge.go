package insights

import (
	"cmp"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Insights is what many sessions add up to.
type Insights struct {
	Total      int           `json:"total" doc:"Sessions that match; sessions has the newest of them"`
	Truncated  bool          `json:"truncated" doc:"There are older ones than the limit took: nothing here counts them"`
	TZ         string        `json:"tz" doc:"Time zone of the days"`
	PricesDate string        `json:"pricesDate" doc:"Day of the price table"`
	Summary    Summary       `json:"summary"`
	Sessions   []SessionSums `json:"sessions" doc:"Newest first"`
	Days       []Day         `json:"days" doc:"Every day from the first to the last, by the start of each turn"`
	Flags      []FlagRate    `json:"flags"`
	// Tools and Models are sorted by use.
	Tools  []collector.ToolStat `json:"tools"`
	Models []ModelUse           `json:"models"`
	// Unverified lists those agents of the sessions whose numbers were never compared with what their programs do.
	Unverified []collector.UnverifiedAgent `json:"unverified"`
}

// Sums are totals in a form for tables. Billing units that nothing is billed in are left out.
type Sums struct {
	Turns           int               `json:"turns"`
	RoundTrips      int               `json:"roundTrips"`
	Calls           int               `json:"calls"`
	FailedCalls     int               `json:"failedCalls"`
	Errors          int               `json:"errors"`
	Flags           int               `json:"flags"`
	Compactions     int               `json:"compactions"`
	Tokens          collector.Tokens  `json:"tokens"`
	TotalTokens     collector.Count   `json:"totalTokens"`
	CostUSD         *collector.Amount `json:"costUsd,omitempty"`
	PremiumRequests *collector.Amount `json:"premiumRequests,omitempty"`
	Credits         *collector.Amount `json:"credits,omitempty"`
	WallMs          int64             `json:"wallMs"`
	ModelMs         int64             `json:"modelMs"`
	ToolMs          int64             `json:"toolMs"`
	WaitMs          int64             `json:"waitMs"`
	LinesAdded      int               `json:"linesAdded"`
	LinesRemoved    int               `json:"linesRemoved"`
	Rates
}

// Rates are ratios of sums; null where there is nothing to divide by.
type Rates struct {
	ToolsPerTurn *float64 `json:"toolsPerTurn"`
	FailRate     *float64 `json:"failRate" doc:"Failed calls of all calls, 0…1"`
	// CacheHitRate is left out if nothing was read.
	CacheHitRate *collector.Amount `json:"cacheHitRate,omitempty" doc:"Tokens read from a cache of all tokens read, 0…1; partial = of those that are known"`
}

// Summary sums up all sessions.
type Summary struct {
	Sessions int `json:"sessions"`
	Sums
}

// SessionSums is one session with its sub-agents.
type SessionSums struct {
	ID        collector.SessionID `json:"id"`
	Agent     collector.Agent     `json:"agent"`
	Title     string              `json:"title"`
	Repo      string              `json:"repo"`
	Branch    string              `json:"branch"`
	Model     string              `json:"model"`
	Cwd       string              `json:"cwd"`
	StartedAt int64               `json:"startedAt"`
	LastAt    int64               `json:"lastAt"`
	Labels    []string            `json:"labels"`
	Children  int                 `json:"children" doc:"Sub-agents, also those of sub-agents"`
	FlagCount map[string]int      `json:"flagCounts" doc:"By kind"`
	Sums
}

// Day sums up the turns that started on a day.
type Day struct {
	Day      string `json:"day" doc:"YYYY-MM-DD"`
	Sessions int    `json:"sessions" doc:"With a turn on that day"`
	Sums
}

// FlagRate is how often a kind of flag was raised.
type FlagRate struct {
	Kind     collector.FlagKind `json:"kind"`
	Count    int                `json:"count"`
	Turns    int                `json:"turns" doc:"Turns with it"`
	Rate     float64            `json:"rate" doc:"Of all turns, 0…1"`
	Sessions int                `json:"sessions" doc:"Sessions with it, a sub-agent being one of its own"`
}

// ModelUse is what one model was used for.
type ModelUse struct {
	Model        string            `json:"model" doc:"Empty if the log does not say"`
	RoundTrips   int               `json:"roundTrips"`
	Sessions     int               `json:"sessions" doc:"Sessions that used it, a sub-agent being one of its own"`
	Tokens       collector.Tokens  `json:"tokens"`
	TotalTokens  collector.Count   `json:"totalTokens"`
	CostUSD      *collector.Amount `json:"costUsd,omitempty"`
	CacheHitRate *collector.Amount `json:"cacheHitRate,omitempty"`
	Priced       bool              `json:"priced" doc:"Its price is known, and it is billed in USD"`
}

// Options are what Merge needs beside the runs.
type Options struct {
	Zone       *time.Location // of the days; nil = UTC
	PricesDate string
	Unverified []collector.UnverifiedAgent
}

// Merge sums up a page of runs.
func Merge(page collector.RunPage, o Options) Insights {
	zone := cmp.Or(o.Zone, time.UTC)
	all, cal := newSums(), newCalendar(zone)
	all.quarters = cal.add
	out := Insights{Total: page.Total, Truncated: page.Truncated, TZ: zone.String(), PricesDate: o.PricesDate, Sessions: make([]SessionSums, 0, len(page.Runs)), Unverified: o.Unverified}
	total := collector.ZeroTotals()
	for _, run := range page.Runs {
		cal.session()
		all.ofRun = map[string]int{}
		total = total.Plus(run.Session.TreeTotals) // of accounts of whole trees too: nothing below is added again
		for _, p := range run.Parts {
			all.add(p.Rollup)
		}
		out.Sessions = append(out.Sessions, sessionOf(run, all.ofRun))
	}
	out.Summary = Summary{len(page.Runs), SumsOf(total)}
	out.Days = cal.days()
	out.Flags = all.flagRates(total.Turns)
	out.Tools = all.toolStats()
	out.Models = all.modelUses()
	return out
}

func sessionOf(run collector.Run, flags map[string]int) SessionSums {
	s := run.Session
	return SessionSums{
		ID: s.ID, Agent: s.Agent, Title: s.Title, Repo: s.Repo, Branch: s.Branch, Model: s.Model, Cwd: s.Cwd, StartedAt: s.StartedAt,
		LastAt: s.LastAt, Labels: s.Labels, Children: len(run.Parts) - 1, FlagCount: flags, Sums: SumsOf(s.TreeTotals),
	}
}

// SumsOf returns totals in a form for tables.
func SumsOf(t collector.Totals) Sums {
	c := t.Clocks
	return Sums{
		Turns: t.Turns, RoundTrips: t.RoundTrips, Calls: t.Calls, FailedCalls: t.FailedCalls, Errors: t.Errors, Flags: t.Flags,
		Compactions: t.Compactions, Tokens: t.Tokens, TotalTokens: t.Tokens.Total(), CostUSD: t.CostUSD, PremiumRequests: t.PremiumRequests,
		Credits: t.Credits, WallMs: c.WallMs, ModelMs: c.ModelMs, ToolMs: c.ToolMs, WaitMs: c.WaitMs, LinesAdded: t.LinesAdded,
		LinesRemoved: t.LinesRemoved,
		Rates:        Rates{ratio(int64(t.Calls), int64(t.Turns)), ratio(int64(t.FailedCalls), int64(t.Calls)), t.Tokens.CacheHitRate()},
	}
}

func ratio(a, b int64) *float64 {
	if b == 0 {
		return nil
	}
	r := float64(a) / float64(b)
	return &r
}

func (s *sums) flagRates(turns int) []FlagRate {
	rates := make([]FlagRate, 0, len(s.flags))
	for _, f := range s.flags {
		rates = append(rates, FlagRate{f.kind, f.count, f.turns, float64(f.turns) / float64(max(turns, 1)), f.sessions})
	}
	slices.SortFunc(rates, func(a, b FlagRate) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Kind, b.Kind)) })
	return rates
}

func (s *sums) modelUses() []ModelUse {
	uses := make([]ModelUse, 0, len(s.models))
	for _, m := range s.models {
		u := ModelUse{
			Model: m.model, RoundTrips: m.roundTrips, Sessions: m.sessions, Tokens: m.tokens, TotalTokens: m.tokens.Total(),
			CacheHitRate: m.tokens.CacheHitRate(), Priced: m.cost != nil && m.cost.Quality != collector.QualityUnknown,
		}
		if u.Priced {
			u.CostUSD = m.cost
		}
		uses = append(uses, u)
	}
	slices.SortFunc(uses, func(a, b ModelUse) int {
		return cmp.Or(cmp.Compare(b.TotalTokens.Value, a.TotalTokens.Value), cmp.Compare(a.Model, b.Model))
	})
	return uses
}
