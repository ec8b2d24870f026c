package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// Insights shows what many sessions add up to.
func Insights(s *screen.Screen, in insights.Insights) {
	sum := in.Summary
	if sum.Sessions == 0 {
		s.Println("No session.")
		return
	}
	head := screen.Plural(sum.Sessions, "session")
	if in.Total > sum.Sessions {
		head += " (the newest of " + strconv.Itoa(in.Total) + ")"
	}
	s.Println(s.In(screen.Bold, head))
	fact(s, "turns", join(screen.Plural(sum.Turns, "turn"), screen.Plural(sum.RoundTrips, "round trip"), screen.Plural(sum.Calls, "call")+failRate(s, sum.Sums)))
	fact(s, "tokens", join(tokens(sum.Tokens), cacheHits(sum.CacheHitRate, " from cache")))
	if usd := costOf(sum.Sums); usd != "" {
		fact(s, "cost", join(usd, "prices of "+in.PricesDate))
	}
	fact(s, "time", clocks(collector.Clocks{ModelMs: sum.ModelMs, ToolMs: sum.ToolMs, WaitMs: sum.WaitMs}))
	fact(s, "lines", lines(sum.LinesAdded, sum.LinesRemoved))
	fact(s, "flags", flagRates(in.Flags))
	days(s, in.Days)
	models(s, in.Models)
	toolStats(s, in.Tools)
	unverified(s, in.Unverified)
}

func failRate(s *screen.Screen, sum insights.Sums) string {
	if sum.FailedCalls == 0 || sum.FailRate == nil {
		return ""
	}
	return " (" + s.In(screen.Bad, fmt.Sprintf("%d failed", sum.FailedCalls)) + fmt.Sprintf(", %.0f %%)", 100**sum.FailRate)
}

// cacheHits writes a rate, "≈" before one of a part.
func cacheHits(rate *collector.Amount, what string) string {
	if rate == nil || rate.Quality == collector.QualityUnknown {
		return ""
	}
	text := fmt.Sprintf("%.0f %%%s", 100*rate.Value, what)
	if rate.Quality == collector.QualityPartial {
		return "≈" + text
	}
	return text
}

func costOf(sum insights.Sums) string {
	return cost(collector.Totals{CostUSD: sum.CostUSD, PremiumRequests: sum.PremiumRequests, Credits: sum.Credits})
}

func lines(added, removed int) string {
	if added+removed == 0 {
		return ""
	}
	return fmt.Sprintf("+%d −%d", added, removed)
}

func flagRates(all []insights.FlagRate) string {
	var parts []string
	for _, f := range all {
		if f.Count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%.0f %% of turns)", f.Count, f.Kind, 100*f.Rate))
		}
	}
	return strings.Join(parts, ", ")
}

// mostDays is how many days with turns are listed, the newest.
const mostDays = 14

func days(s *screen.Screen, all []insights.Day) {
	t := screen.Table{Columns: []screen.Column{
		{Head: "DAY"}, {Head: "SESSIONS", Right: true, Drop: 2}, {Head: "TURNS", Right: true}, {Head: "CALLS", Right: true}, {Head: "FAILED", Right: true},
		{Head: "FLAGS", Right: true}, {Head: "TOKENS", Right: true, Drop: 1}, {Head: "COST"},
	}}
	all = slices.DeleteFunc(slices.Clone(all), func(d insights.Day) bool { return d.Turns == 0 })
	earlier := max(0, len(all)-mostDays)
	for _, d := range all[earlier:] {
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: d.Day}, {Text: strconv.Itoa(d.Sessions)}, {Text: strconv.Itoa(d.Turns)}, {Text: strconv.Itoa(d.Calls)}, some(d.FailedCalls, screen.Bad),
			some(d.Flags, screen.Care), {Text: count(d.TotalTokens)}, {Text: costOf(d.Sums)},
		})
	}
	section(s, t)
	if earlier > 0 {
		s.Println(s.In(screen.Dim, "… and "+screen.Plural(earlier, "earlier day")+" (--json has all)"))
	}
}

func models(s *screen.Screen, all []insights.ModelUse) {
	t := screen.Table{Columns: []screen.Column{
		{Head: "MODEL"}, {Head: "SESSIONS", Right: true, Drop: 1}, {Head: "TRIPS", Right: true}, {Head: "TOKENS", Right: true}, {Head: "CACHED", Right: true}, {Head: "COST"},
	}}
	for _, m := range all {
		name, usd := screen.Line(m.Model), amount(m.CostUSD, "$%.2f")
		if name == "" {
			name = "(not said)"
		}
		if !m.Priced && usd == "" {
			usd = "unknown"
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: name, Style: screen.Name}, {Text: strconv.Itoa(m.Sessions)}, {Text: strconv.Itoa(m.RoundTrips)}, {Text: count(m.TotalTokens)},
			{Text: cacheHits(m.CacheHitRate, "")}, {Text: usd},
		})
	}
	section(s, t)
}

func toolStats(s *screen.Screen, all []collector.ToolStat) {
	t := screen.Table{Columns: []screen.Column{
		{Head: "TOOL"}, {Head: "CALLS", Right: true}, {Head: "FAILED", Right: true}, {Head: "RATE", Right: true}, {Head: "RETRIES", Right: true, Drop: 1},
		{Head: "P50", Right: true}, {Head: "P95", Right: true}, {Head: "IN ALL", Right: true, Drop: 2}, {Head: ""},
	}}
	for i, x := range all {
		if i == mostTools {
			break
		}
		failed := ""
		if x.Failed > 0 {
			failed = fmt.Sprintf("%.0f %%", 100*x.FailRate)
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: screen.Line(x.Tool), Style: screen.Name}, {Text: strconv.Itoa(x.Calls)}, some(x.Failed, screen.Bad), {Text: failed},
			some(x.Retries, screen.Care), {Text: quantile(x.P50Ms)}, {Text: quantile(x.P95Ms)}, {Text: screen.Took(x.TotalMs)}, {},
		})
	}
	section(s, t)
}

func quantile(ms *float64) string {
	if ms == nil {
		return ""
	}
	return screen.Took(int64(*ms))
}

// section is a table with a line before it, if there is something in it.
func section(s *screen.Screen, t screen.Table) {
	if len(t.Rows) > 0 {
		s.Println("")
		s.Table(t)
	}
}
