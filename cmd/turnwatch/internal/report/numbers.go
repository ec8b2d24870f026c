package report

import (
	"fmt"
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

// cost writes what totals cost in the units that the agent bills in. They are never added up; what cost nothing is left
// out.
func cost(t collector.Totals) string {
	var all []string
	for _, unit := range []struct {
		amount       *collector.Amount
		format, noun string
	}{{t.CostUSD, "$%.2f", ""}, {t.PremiumRequests, "%.2f", " premium"}, {t.Credits, "%.2f", " credits"}} {
		text := amount(unit.amount, unit.format)
		if text == "" || unit.amount.Value == 0 && unit.amount.Quality == collector.QualityExact {
			continue
		}
		if unit.noun != "" {
			text = trim(text) + unit.noun
		}
		all = append(all, text)
	}
	return strings.Join(all, " + ")
}

// trim takes zeros off the end of a number with decimals.
func trim(n string) string { return strings.TrimSuffix(strings.TrimRight(n, "0"), ".") }

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
