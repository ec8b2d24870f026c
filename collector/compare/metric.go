package compare

import (
	"github.com/turnwatch/turnwatch/collector"
)

// Unit is what a metric is counted in.
type Unit string

// The units.
const (
	UnitCount   Unit = "count"
	UnitRatio   Unit = "ratio" // 0…1
	UnitTokens  Unit = "tokens"
	UnitUSD     Unit = "usd"
	UnitPremium Unit = "premiumRequests"
	UnitCredits Unit = "credits"
	UnitMs      Unit = "ms"
	UnitLines   Unit = "lines"
)

// Better says which direction of a metric is the better one.
type Better string

// The directions.
const (
	Less    Better = "less"
	More    Better = "more"
	Neither Better = "neither"
)

// metric is one number of a run.
type metric struct {
	key    string
	label  string
	unit   Unit
	better Better
	value  func(*collector.Totals) *collector.Amount // nil = the run has none
}

// metrics in the order in which they are shown.
var metrics = []metric{
	{"turns", "Turns", UnitCount, Neither, whole(func(t *collector.Totals) int { return t.Turns })},
	{"roundTrips", "Round trips", UnitCount, Less, whole(func(t *collector.Totals) int { return t.RoundTrips })},
	{"calls", "Tool calls", UnitCount, Neither, whole(func(t *collector.Totals) int { return t.Calls })},
	{"failedCalls", "Failed calls", UnitCount, Less, whole(func(t *collector.Totals) int { return t.FailedCalls })},
	{"failRate", "Failed of all calls", UnitRatio, Less, failRate},
	{"errors", "Errors", UnitCount, Less, whole(func(t *collector.Totals) int { return t.Errors })},
	{"flags", "Flags", UnitCount, Less, whole(func(t *collector.Totals) int { return t.Flags })},
	{"compactions", "Compactions", UnitCount, Less, whole(func(t *collector.Totals) int { return t.Compactions })},
	{"tokens", "Tokens", UnitTokens, Less, count(func(t *collector.Totals) collector.Count { return t.Tokens.Total() })},
	{"input", "Input, not cached", UnitTokens, Less, count(func(t *collector.Totals) collector.Count { return t.Tokens.Input })},
	{"cacheRead", "Read from cache", UnitTokens, Neither, count(func(t *collector.Totals) collector.Count { return t.Tokens.CacheRead })},
	{"cacheWrite", "Written to cache", UnitTokens, Less, count(func(t *collector.Totals) collector.Count {
		return t.Tokens.CacheWrite5m.Plus(t.Tokens.CacheWrite1h)
	})},
	{"output", "Output", UnitTokens, Less, count(func(t *collector.Totals) collector.Count { return t.Tokens.Output })},
	{"reasoning", "Reasoning, part of output", UnitTokens, Less, count(func(t *collector.Totals) collector.Count { return t.Tokens.Reasoning })},
	{"cacheHitRate", "Cache hits", UnitRatio, More, func(t *collector.Totals) *collector.Amount { return t.Tokens.CacheHitRate() }},
	{"costUsd", "Cost", UnitUSD, Less, func(t *collector.Totals) *collector.Amount { return t.CostUSD }},
	{"premiumRequests", "Premium requests", UnitPremium, Less, func(t *collector.Totals) *collector.Amount { return t.PremiumRequests }},
	{"credits", "Credits", UnitCredits, Less, func(t *collector.Totals) *collector.Amount { return t.Credits }},
	{"wallMs", "Time", UnitMs, Less, whole(func(t *collector.Totals) int64 { return t.Clocks.WallMs })},
	{"modelMs", "Time of the model", UnitMs, Less, whole(func(t *collector.Totals) int64 { return t.Clocks.ModelMs })},
	{"toolMs", "Time of tools", UnitMs, Less, whole(func(t *collector.Totals) int64 { return t.Clocks.ToolMs })},
	{"waitMs", "Time waiting for you", UnitMs, Less, whole(func(t *collector.Totals) int64 { return t.Clocks.WaitMs })},
	{"linesAdded", "Lines added", UnitLines, Neither, whole(func(t *collector.Totals) int { return t.LinesAdded })},
	{"linesRemoved", "Lines removed", UnitLines, Neither, whole(func(t *collector.Totals) int { return t.LinesRemoved })},
}

func whole[N int | int64](get func(*collector.Totals) N) func(*collector.Totals) *collector.Amount {
	return func(t *collector.Totals) *collector.Amount { return new(collector.Exact(float64(get(t)))) }
}

func count(get func(*collector.Totals) collector.Count) func(*collector.Totals) *collector.Amount {
	return func(t *collector.Totals) *collector.Amount {
		c := get(t)
		return &collector.Amount{Value: float64(c.Value), Quality: c.Quality}
	}
}

func failRate(t *collector.Totals) *collector.Amount {
	if t.Calls == 0 {
		return nil
	}
	return new(collector.Exact(float64(t.FailedCalls) / float64(t.Calls)))
}

// Verdict is how B does beside A in one metric.
type Verdict string

// The verdicts.
const (
	VerdictBetter  Verdict = "better"
	VerdictWorse   Verdict = "worse"
	VerdictSame    Verdict = "same"
	VerdictNeutral Verdict = "neutral" // it differs, and neither direction is better
	VerdictUnknown Verdict = "unknown" // it cannot be told
)

func judge(better Better, diff float64) Verdict {
	switch {
	case diff == 0:
		return VerdictSame
	case better == Neither:
		return VerdictNeutral
	case (diff < 0) == (better == Less):
		return VerdictBetter
	}
	return VerdictWorse
}

// MetricDelta is how one number differs.
type MetricDelta struct {
	Key     string            `json:"key"`
	Label   string            `json:"label"`
	Unit    Unit              `json:"unit" enum:"count,ratio,tokens,usd,premiumRequests,credits,ms,lines"`
	Better  Better            `json:"better" enum:"less,more,neither"`
	A       *collector.Amount `json:"a,omitempty" doc:"Left out if A has no such number; of a group the median"`
	B       *collector.Amount `json:"b,omitempty"`
	Delta   *float64          `json:"delta" doc:"B − A; null if the two cannot be subtracted"`
	Percent *float64          `json:"percent" doc:"Of A; null if A is 0"`
	Verdict Verdict           `json:"verdict" enum:"better,worse,same,neutral,unknown"`
	Reason  string            `json:"reason" doc:"Why there is no delta, or no difference"`
	Group   *GroupDelta       `json:"group,omitempty"`
}

// delta subtracts one metric of two runs, or says why not.
func delta(m metric, a, b collector.Totals) MetricDelta {
	d := MetricDelta{Key: m.key, Label: m.label, Unit: m.unit, Better: m.better, A: m.value(&a), B: m.value(&b), Verdict: VerdictUnknown}
	if d.Reason = whyNot(m, d.A, d.B, billedIn(a), billedIn(b)); d.Reason == "" {
		d.subtract()
	}
	return d
}

func (d *MetricDelta) subtract() {
	diff := d.B.Value - d.A.Value
	d.Delta = &diff
	if d.A.Value != 0 {
		d.Percent = new(100 * diff / d.A.Value)
	}
	d.Verdict = judge(d.Better, diff)
}

// unsaid says why a value is unknown.
func unsaid(u Unit) string {
	if u == UnitUSD {
		return "the log states no cost, and no price is known for all of its models"
	}
	return "the log does not say"
}

// whyNot says why B − A makes no sense; "" = it does.
func whyNot(m metric, a, b *collector.Amount, unitsA, unitsB string) string {
	billing := m.unit == UnitUSD || m.unit == UnitPremium || m.unit == UnitCredits
	switch {
	case a == nil && b == nil && billing:
		return "neither is billed in " + unitWord(m.unit)
	case billing && (a == nil || b == nil):
		return "A is billed in " + unitsA + ", B in " + unitsB + ": these units are never converted into one another"
	case a == nil && b == nil:
		return "neither has any"
	case a == nil:
		return "A has none"
	case b == nil:
		return "B has none"
	}
	qa, qb := a.Quality, b.Quality
	switch {
	case qa == collector.QualityExact && qb == collector.QualityExact:
		return ""
	case qa == collector.QualityUnknown && qb == collector.QualityUnknown:
		return "unknown in both: " + unsaid(m.unit)
	case qa == collector.QualityUnknown:
		return "unknown in A: " + unsaid(m.unit)
	case qb == collector.QualityUnknown:
		return "unknown in B: " + unsaid(m.unit)
	case m.unit == UnitRatio:
		return "a rate of a part: the log does not say all"
	case qa == collector.QualityPartial && qb == collector.QualityPartial:
		return "both are lower bounds: their logs say only a part"
	case qa == collector.QualityPartial:
		return "A is a lower bound: its log says only a part"
	}
	return "B is a lower bound: its log says only a part"
}

func unitWord(u Unit) string {
	switch u {
	case UnitUSD:
		return "USD"
	case UnitPremium:
		return "premium requests"
	}
	return "credits"
}

// billedIn names the units that a run is billed in.
func billedIn(t collector.Totals) string {
	words := ""
	for _, u := range []struct {
		amount *collector.Amount
		unit   Unit
	}{{t.CostUSD, UnitUSD}, {t.PremiumRequests, UnitPremium}, {t.Credits, UnitCredits}} {
		if u.amount == nil {
			continue
		}
		if words != "" {
			words += " and "
		}
		words += unitWord(u.unit)
	}
	if words == "" {
		return "nothing that its log tells"
	}
	return words
}
