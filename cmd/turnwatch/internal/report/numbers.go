package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// count writes a measure: "≥" before a lower bound, "" if it is unknown.
func count(c collector.Count) string {
	switch c.Quality {
	case collector.QualityUnknown:
		return ""
	case collector.QualityPartial:
		return "≥" + screen.Short(c.Value)
	}
	return screen.Short(c.Value)
}

// amount is count with a format of its own.
func amount(a *collector.Amount, format string) string {
	if a == nil || a.Quality == collector.QualityUnknown {
		return ""
	}
	text := fmt.Sprintf(format, a.Value)
	if a.Quality == collector.QualityPartial {
		return "≥" + text
	}
	return text
}

// cost writes what totals cost in the units that the agent bills in. They are never added up.
func cost(t collector.Totals) string {
	var all []string
	if usd := amount(t.CostUSD, "$%.2f"); usd != "" {
		all = append(all, usd)
	}
	if t.PremiumRequests != nil && t.PremiumRequests.Quality != collector.QualityUnknown {
		all = append(all, trim(amount(t.PremiumRequests, "%.2f"))+" premium")
	}
	if t.Credits != nil && t.Credits.Quality != collector.QualityUnknown {
		all = append(all, trim(amount(t.Credits, "%.2f"))+" credits")
	}
	return strings.Join(all, " + ")
}

// trim takes zeros off the end of a number with decimals.
func trim(n string) string { return strings.TrimSuffix(strings.TrimRight(n, "0"), ".") }

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// join joins what is not empty.
func join(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, " · ")
}
