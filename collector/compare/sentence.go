package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// sentence says how two runs differ: failures first, then what they used.
func sentence(a, b collector.Totals, deltas []MetricDelta) string {
	clauses := []string{failures(a, b)}
	for _, key := range []string{"tokens", "costUsd", "premiumRequests", "credits", "wallMs"} {
		if c := clause(find(deltas, key)); c != "" {
			clauses = append(clauses, c)
		}
	}
	return strings.Join(clauses, "; ")
}

func failures(a, b collector.Totals) string {
	of := func(t collector.Totals) string {
		return fmt.Sprintf("%d of %s", t.FailedCalls, plural(t.Calls, "call"))
	}
	short := func(t collector.Totals) string { return fmt.Sprintf("%d of %d", t.FailedCalls, t.Calls) }
	switch {
	case a.Calls == 0 && b.Calls == 0:
		return "Neither called a tool"
	case a.Calls == 0: // whoever calls nothing cannot fail, so nobody failed less
		return fmt.Sprintf("Only B called tools: %s failed", of(b))
	case b.Calls == 0:
		return fmt.Sprintf("Only A called tools: %s failed", of(a))
	case a.FailedCalls == 0 && b.FailedCalls == 0:
		return fmt.Sprintf("No call failed: %s in B, %d in A", plural(b.Calls, "call"), a.Calls)
	}
	// As fractions: b/B < a/A.
	switch diff := b.FailedCalls*a.Calls - a.FailedCalls*b.Calls; {
	case diff < 0:
		return fmt.Sprintf("B failed less: %s against %s", of(b), short(a))
	case diff > 0:
		return fmt.Sprintf("B failed more: %s against %s", of(b), short(a))
	}
	return fmt.Sprintf("Both failed alike: %s in B, %s in A", of(b), short(a))
}

// nouns name the metrics in sentences.
var nouns = map[string]string{
	"tokens": "tokens", "costUsd": "cost", "premiumRequests": "premium requests", "credits": "credits", "wallMs": "time",
}

// clause says a metric's change: «tokens −18 %».
func clause(d *MetricDelta) string {
	noun := nouns[d.Key]
	switch {
	case d.Delta == nil:
		if d.Key == "tokens" {
			return noun + " cannot be compared (" + d.Reason + ")"
		}
		return ""
	case *d.Delta == 0 && d.Key == "tokens":
		return "as many tokens"
	case *d.Delta == 0:
		return ""
	case d.Percent == nil:
		return noun + " " + number(*d.Delta, d.Unit) + " from none"
	}
	return noun + " " + percent(*d.Percent)
}

func find(deltas []MetricDelta, key string) *MetricDelta {
	for i := range deltas {
		if deltas[i].Key == key {
			return &deltas[i]
		}
	}
	return &MetricDelta{Key: key}
}

// told says what the runs tell about a metric: «B used fewer tokens: −18 % (−31 … −4), n = 8 vs 9».
func told(m metric, d MetricDelta) string {
	g := d.Group
	n := fmt.Sprintf(", n = %d vs %d", g.A.N, g.B.N)
	if *d.Delta == 0 && g.Interval.Low == 0 && g.Interval.High == 0 {
		return "no difference in " + subject(m) + n
	}
	var by string
	switch {
	case m.unit == UnitRatio: // a share of a share says nothing to anybody
		by = fmt.Sprintf("%s (%s … %s)", number(*d.Delta, m.unit), bare(100*g.Interval.Low), bare(100*g.Interval.High))
	case d.Percent != nil && *g.Interval.LowPercent >= -100: // nothing is less than none
		by = fmt.Sprintf("%s (%s … %s)", percent(*d.Percent), bare(*g.Interval.LowPercent), bare(*g.Interval.HighPercent))
	default:
		by = fmt.Sprintf("%s (%s … %s)", number(*d.Delta, m.unit), number(g.Interval.Low, m.unit), number(g.Interval.High, m.unit))
	}
	if !g.Told {
		return "no difference in " + subject(m) + " can be told: " + by + n
	}
	return "B " + verb(m, *d.Delta < 0) + ": " + by + n
}

func subject(m metric) string {
	if noun, ok := nouns[m.key]; ok {
		return noun
	}
	return "«" + m.label + "»"
}

// verb says what B did: used fewer tokens, cost less, was faster.
func verb(m metric, less bool) string {
	pick := func(a, b string) string {
		if less {
			return a
		}
		return b
	}
	switch m.key {
	case "tokens", "premiumRequests", "credits":
		return "used " + pick("fewer ", "more ") + nouns[m.key]
	case "costUsd":
		return "cost " + pick("less", "more")
	case "wallMs":
		return "was " + pick("faster", "slower")
	case "failRate", "failedCalls":
		return "failed " + pick("less", "more")
	case "calls":
		return "made " + pick("fewer", "more") + " calls"
	}
	return "has " + pick("less", "more") + " of «" + m.label + "»"
}

// groupSentence says what two groups tell: every headline metric that differs for certain, or that none does.
func groupSentence(a, b int, deltas []MetricDelta) string {
	if a == 0 || b == 0 {
		return fmt.Sprintf("Nothing to compare: A has %s, B has %d", plural(a, "run"), b)
	}
	if a < minRuns || b < minRuns {
		return upper(tooFew(a, b))
	}
	var said []string
	for _, key := range []string{"failRate", "tokens", "costUsd", "premiumRequests", "credits", "wallMs"} {
		if d := find(deltas, key); d.Group != nil && d.Group.Told {
			said = append(said, d.Group.Sentence)
		}
	}
	if len(said) == 0 {
		return fmt.Sprintf("No difference in failures, tokens, cost or time can be told from %d against %d runs", a, b)
	}
	return strings.Join(said, "; ")
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

const minus = "−"

// bare writes a number with its sign and without a unit.
func bare(v float64) string {
	digits := 0
	if v != 0 && math.Abs(v) < 1 {
		digits = 1
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	switch {
	case strings.Trim(s, "0.") == "":
		return "0"
	case v < 0:
		return minus + s
	}
	return "+" + s
}

// percent writes a change; from ten times as much on, percents say nothing to anybody.
func percent(p float64) string {
	if p >= 900 {
		return fmt.Sprintf("×%.0f", 1+p/100)
	}
	return bare(p) + " %"
}

// number writes a difference with its sign and unit.
func number(v float64, u Unit) string {
	s := ""
	switch {
	case v < 0:
		s = minus
	case v > 0:
		s = "+"
	}
	v = math.Abs(v)
	switch u {
	case UnitUSD:
		return fmt.Sprintf("%s$%.2f", s, v)
	case UnitRatio:
		return fmt.Sprintf("%s%.1f points", s, 100*v)
	case UnitMs:
		return fmt.Sprintf("%s%.1f s", s, v/1000)
	case UnitPremium, UnitCredits:
		return s + strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	}
	return s + strconv.FormatFloat(math.Round(v), 'f', -1, 64)
}
