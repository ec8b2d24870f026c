package collector_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// TestSumsSaturate: a log may state any number. What is more than can be counted is the most that can be, and a lower
// bound; it never turns around.
func TestSumsSaturate(t *testing.T) {
	most := collector.Exact[int64](math.MaxInt64)
	for name, tt := range map[string]struct{ a, b, want collector.Count }{
		"small":           {collector.Exact[int64](2), collector.Exact[int64](3), collector.Exact[int64](5)},
		"just":            {collector.Exact[int64](math.MaxInt64 - 1), collector.Exact[int64](1), most},
		"one too many":    {most, collector.Exact[int64](1), collector.Partial[int64](math.MaxInt64)},
		"far too many":    {most, most, collector.Partial[int64](math.MaxInt64)},
		"and it stays":    {collector.Partial[int64](math.MaxInt64), collector.Exact[int64](5), collector.Partial[int64](math.MaxInt64)},
		"six quintillion": {collector.Exact[int64](6e18), collector.Exact[int64](6e18), collector.Partial[int64](math.MaxInt64)},
		"negative":        {collector.Exact[int64](-5), collector.Exact[int64](3), collector.Exact[int64](-2)},
		"far below":       {collector.Exact[int64](math.MinInt64), collector.Exact[int64](-1), collector.Partial[int64](math.MinInt64)},
	} {
		if diff := cmp.Diff(tt.want, tt.a.Plus(tt.b)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	huge := collector.Tokens{Input: collector.Exact[int64](6e18), CacheRead: collector.Exact[int64](6e18), Output: collector.Exact[int64](6e18)}
	if got := huge.Total(); got.Value < 0 || got.Quality != collector.QualityPartial {
		t.Errorf("the total is %+v", got)
	}
	if got := huge.CacheHitRate(); got == nil || got.Value <= 0 || got.Value > 1 {
		t.Errorf("the rate of cache hits is %+v", got)
	}
}

func TestCacheHitRate(t *testing.T) {
	exact, none := collector.Exact[int64], collector.Count{}
	tokens := func(input, read, write collector.Count) collector.Tokens {
		return collector.Tokens{Input: input, CacheRead: read, CacheWrite5m: write, CacheWrite1h: exact(0), Output: exact(1)}
	}
	amount := func(a collector.Amount) *collector.Amount { return &a }
	for name, tt := range map[string]struct {
		tokens collector.Tokens
		want   *collector.Amount
	}{
		"exact (T25)":          {tokens(exact(5000), exact(400_000), exact(0)), amount(collector.Exact(400.0 / 405))},
		"writes count as read": {tokens(exact(10), exact(20), exact(10)), amount(collector.Exact(0.5))},
		"no hit":               {tokens(exact(10), exact(0), exact(0)), amount(collector.Exact(0.0))},
		"nothing was read":     {tokens(exact(0), exact(0), exact(0)), nil},
		"writes unknown":       {tokens(exact(10), exact(30), none), amount(collector.Partial(0.75))},
		"reads a lower bound":  {tokens(exact(10), collector.Partial[int64](10), exact(0)), amount(collector.Partial(0.5))},
		"reads unknown":        {tokens(exact(10), none, exact(0)), amount(collector.Amount{})},
		"input unknown":        {tokens(none, exact(10), exact(0)), amount(collector.Amount{})},
		"all unknown":          {collector.Tokens{}, amount(collector.Amount{})},
	} {
		if diff := cmp.Diff(tt.want, tt.tokens.CacheHitRate()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
