package collector

import (
	"fmt"
	"math"
)

// Quality says what a number is: exact, partial (a lower bound) or unknown.
type Quality uint8

// The qualities, in ascending order of knowledge.
const (
	QualityUnknown Quality = iota
	QualityPartial
	QualityExact
)

var qualityNames = [...]string{"unknown", "partial", "exact"}

// String returns "unknown", "partial" or "exact".
func (q Quality) String() string { return qualityNames[min(int(q), len(qualityNames)-1)] }

// MarshalText writes the quality's name.
func (q Quality) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads the quality's name.
func (q *Quality) UnmarshalText(b []byte) error {
	for i, name := range qualityNames {
		if name == string(b) {
			*q = Quality(i)
			return nil
		}
	}
	return fmt.Errorf("quality %q: want exact, partial or unknown", b)
}

// Number is what a Measure can hold.
type Number interface{ ~int64 | ~float64 }

// Measure is a number that knows what it is. The zero Measure is an unknown one.
type Measure[N Number] struct {
	Value   N       `json:"value"`
	Quality Quality `json:"quality"`
}

// Count is a measured whole number, such as tokens.
type Count = Measure[int64]

// Amount is a measured quantity that may be fractional, such as premium requests, AI credits or USD.
type Amount = Measure[float64]

// Exact returns an exact measure of n.
func Exact[N Number](n N) Measure[N] { return Measure[N]{Value: n, Quality: QualityExact} }

// Partial returns a measure of which n is a lower bound.
func Partial[N Number](n N) Measure[N] { return Measure[N]{Value: n, Quality: QualityPartial} }

// Plus adds two measures. The sum is exact only if both are; with one unknown, what is known is a lower bound, and a
// lower bound of nothing says nothing. A log may state any number: a sum that is too large is the largest number that
// there is, as a lower bound.
func (m Measure[N]) Plus(o Measure[N]) Measure[N] {
	sum := Measure[N]{Value: m.Value + o.Value, Quality: m.Quality}
	if o.Quality != m.Quality {
		sum.Quality = QualityPartial
	}
	most, least := int64(math.MaxInt64), int64(math.MinInt64)
	switch {
	case m.Value > 0 && o.Value > 0 && sum.Value < 0:
		sum = Measure[N]{N(most), min(sum.Quality, QualityPartial)}
	case m.Value < 0 && o.Value < 0 && sum.Value >= 0:
		sum = Measure[N]{N(least), min(sum.Quality, QualityPartial)}
	}
	if sum.Quality == QualityPartial && sum.Value == 0 {
		sum.Quality = QualityUnknown
	}
	return sum
}

// Max merges two observations of the same number: the better known wins, and of two as good the larger.
func (m Measure[N]) Max(o Measure[N]) Measure[N] {
	if o.Quality > m.Quality || o.Quality == m.Quality && o.Value > m.Value {
		return o
	}
	return m
}

// Tokens counts the tokens of one or more round trips, one Count per class. Input is what was not read from a cache;
// Reasoning is part of Output and never added to it.
type Tokens struct {
	Input        Count `json:"input"`
	CacheRead    Count `json:"cacheRead"`
	CacheWrite5m Count `json:"cacheWrite5m"` // also writes whose lifetime the log does not say
	CacheWrite1h Count `json:"cacheWrite1h"`
	Output       Count `json:"output"`
	Reasoning    Count `json:"reasoning"`
}

// ZeroTokens is the exact sum over no round trip, the start of a sum.
func ZeroTokens() Tokens {
	z := Exact[int64](0)
	return Tokens{z, z, z, z, z, z}
}

// Plus adds class by class.
func (t Tokens) Plus(o Tokens) Tokens {
	return Tokens{
		t.Input.Plus(o.Input), t.CacheRead.Plus(o.CacheRead), t.CacheWrite5m.Plus(o.CacheWrite5m),
		t.CacheWrite1h.Plus(o.CacheWrite1h), t.Output.Plus(o.Output), t.Reasoning.Plus(o.Reasoning),
	}
}

// Max merges two observations of the same round trip class by class (an agent may write a response's usage several
// times while it grows).
func (t Tokens) Max(o Tokens) Tokens {
	return Tokens{
		t.Input.Max(o.Input), t.CacheRead.Max(o.CacheRead), t.CacheWrite5m.Max(o.CacheWrite5m),
		t.CacheWrite1h.Max(o.CacheWrite1h), t.Output.Max(o.Output), t.Reasoning.Max(o.Reasoning),
	}
}

// Total is everything that the model read and wrote: input of all cache classes plus output.
func (t Tokens) Total() Count {
	return t.Context().Plus(t.Output)
}

// Context is everything that the model read: uncached input, cache reads and cache writes.
func (t Tokens) Context() Count {
	return t.Input.Plus(t.CacheRead).Plus(t.CacheWrite5m).Plus(t.CacheWrite1h)
}

// CacheHitRate is the share of what the model read that came from a cache: read / (input + read + writes). It is partial
// if it is the rate of what is known while some class is not, or not exactly: that is no lower bound. It is unknown without
// the input or the reads, and nil if nothing was read.
func (t Tokens) CacheHitRate() *Amount {
	all := t.Context()
	switch {
	case t.Input.Quality == QualityUnknown || t.CacheRead.Quality == QualityUnknown:
		return &Amount{}
	case all.Value == 0:
		return nil
	}
	// As fractions of floating point: whole numbers that were cut off are not cut off in the same way.
	read := float64(t.CacheRead.Value)
	rate := read / (float64(t.Input.Value) + read + float64(t.CacheWrite5m.Value) + float64(t.CacheWrite1h.Value))
	return &Amount{Value: rate, Quality: all.Quality}
}

// Known reports whether any class is known.
func (t Tokens) Known() bool {
	return t.Input.Quality|t.CacheRead.Quality|t.CacheWrite5m.Quality|t.CacheWrite1h.Quality|t.Output.Quality|t.Reasoning.Quality != 0
}

// Totals sums up a turn or a session. Inherited and duplicated round trips are left out.
type Totals struct {
	Turns       int    `json:"turns"`
	RoundTrips  int    `json:"roundTrips"`
	Calls       int    `json:"calls"`
	FailedCalls int    `json:"failedCalls"`
	Errors      int    `json:"errors"` // markers that failed: aborts, errors, hooks
	Flags       int    `json:"flags"`
	Compactions int    `json:"compactions"`
	Tokens      Tokens `json:"tokens"`
	// Billing units. Nil where the agent does not bill in that unit; never converted into one another.
	PremiumRequests *Amount `json:"premiumRequests,omitempty"`
	Credits         *Amount `json:"credits,omitempty"`
	CostUSD         *Amount `json:"costUsd,omitempty"`
	Clocks          Clocks  `json:"clocks"`
	LinesAdded      int     `json:"linesAdded"`
	LinesRemoved    int     `json:"linesRemoved"`
	// OfTree says that Tokens and Credits are those of the session and all its descendants in one number, so that
	// Plus adds none of theirs. Of a turn: of it and the descendants that it waited for.
	OfTree bool `json:"-"`
	// OfTurn says that the agent stated Tokens of the turn as a whole: its round trips know none.
	OfTurn bool `json:"-"`
}

// ZeroTotals is the start of a sum.
func ZeroTotals() Totals { return Totals{Tokens: ZeroTokens()} }

// Plus adds two totals. A billing unit that only one side has is kept.
func (t Totals) Plus(o Totals) Totals {
	t.Turns += o.Turns
	t.RoundTrips += o.RoundTrips
	t.Calls += o.Calls
	t.FailedCalls += o.FailedCalls
	t.Errors += o.Errors
	t.Flags += o.Flags
	t.Compactions += o.Compactions
	if !t.OfTree {
		t.Tokens = t.Tokens.Plus(o.Tokens)
		t.Credits = plusAmount(t.Credits, o.Credits)
	}
	t.PremiumRequests = plusAmount(t.PremiumRequests, o.PremiumRequests)
	t.CostUSD = plusAmount(t.CostUSD, o.CostUSD)
	t.Clocks = t.Clocks.Plus(o.Clocks)
	t.LinesAdded += o.LinesAdded
	t.LinesRemoved += o.LinesRemoved
	return t
}

func plusAmount(a, b *Amount) *Amount {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	sum := a.Plus(*b)
	return &sum
}

// Clocks splits a turn's time, in milliseconds. Calls that ran side by side count once; an unanswered call counts as
// nothing, so an idle night is never tool time.
type Clocks struct {
	WallMs  int64 `json:"wallMs"`  // first to last record of the turn
	ModelMs int64 `json:"modelMs"` // the model worked
	ToolMs  int64 `json:"toolMs"`  // at least one call ran
	WaitMs  int64 `json:"waitMs"`  // a human was asked
}

// Plus adds clock by clock.
func (c Clocks) Plus(o Clocks) Clocks {
	return Clocks{c.WallMs + o.WallMs, c.ModelMs + o.ModelMs, c.ToolMs + o.ToolMs, c.WaitMs + o.WaitMs}
}
