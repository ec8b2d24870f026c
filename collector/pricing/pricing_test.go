package pricing_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pricing"
)

func table(t testing.TB, override string) *pricing.Table {
	t.Helper()
	p, err := pricing.New([]byte(override))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exact are tokens of which every class is known; reasoning is part of the output and costs nothing by itself.
func exact(input, read, write5m, write1h, output int64) collector.Tokens {
	e := collector.Exact[int64]
	return collector.Tokens{Input: e(input), CacheRead: e(read), CacheWrite5m: e(write5m), CacheWrite1h: e(write1h), Output: e(output), Reasoning: e(output)}
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// TestCosts compares with what the package that the prices come from says itself (gen wrote it down).
func TestCosts(t *testing.T) {
	data, err := os.ReadFile("testdata/costs.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Model string
		Usage struct{ Input, CacheRead, CacheWrite5m, CacheWrite1h, Output int64 }
		USD   float64
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 500 {
		t.Fatalf("%d cases, want at least 500", len(cases))
	}
	p := table(t, "")
	for _, c := range cases {
		u := c.Usage
		got := p.Cost(c.Model, exact(u.Input, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.Output))
		if got.Quality != collector.QualityExact || !same(got.Value, c.USD) {
			t.Errorf("%s %+v: got %v %s, want %v exact", c.Model, u, got.Value, got.Quality, c.USD)
		}
	}
}

// TestNames prices a million output tokens of models under the names that stand in logs.
func TestNames(t *testing.T) {
	data, err := os.ReadFile("testdata/names.json")
	if err != nil {
		t.Fatal(err)
	}
	var names map[string]*float64
	if err := json.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	p := table(t, "")
	for name, want := range names {
		got := p.Cost(name, exact(0, 0, 0, 0, 1e6))
		switch {
		case want == nil && got != (collector.Amount{}):
			t.Errorf("%q: got %v %s, want unknown", name, got.Value, got.Quality)
		case want != nil && got != collector.Exact(*want):
			t.Errorf("%q: got %v %s, want %v exact", name, got.Value, got.Quality, *want)
		}
	}
}

func TestQuality(t *testing.T) {
	p := table(t, `{"models": [{"id": "m", "input": 1, "cacheRead": 0.1, "cacheWrite": 2, "output": 10}]}`)
	f := func(name string, tokens collector.Tokens, want collector.Amount) {
		t.Helper()
		if got := p.Cost("m", tokens); got.Quality != want.Quality || !same(got.Value, want.Value) {
			t.Errorf("%s: got %v %s, want %v %s", name, got.Value, got.Quality, want.Value, want.Quality)
		}
	}
	f("all known", exact(1e6, 1e6, 1e6, 1e6, 1e6), collector.Exact(15.1)) // one-hour writes cost what writes cost
	f("nothing used", collector.ZeroTokens(), collector.Exact(0.0))
	f("nothing known", collector.Tokens{}, collector.Amount{})
	f("output only", collector.Tokens{Output: collector.Exact[int64](1e6)}, collector.Partial(10.0))
	partial := exact(1e6, 0, 0, 0, 1e6)
	partial.Input = collector.Partial[int64](1e6)
	f("input is a lower bound", partial, collector.Partial(11.0))
	unsure := exact(1e6, 0, 0, 0, 1e6)
	unsure.Reasoning = collector.Count{}
	f("reasoning is part of the output", unsure, collector.Exact(11.0))
}

func TestOverride(t *testing.T) {
	million := exact(1e6, 0, 0, 0, 0)
	base := table(t, "").Cost("gpt-5", million)
	own := table(t, `{"models": [{"id": "gpt-5", "input": 7, "output": 8}]}`)
	if got := own.Cost("gpt-5", million); got != collector.Exact(7.0) || got == base {
		t.Errorf("own price: got %v %s, want 7 instead of %v", got.Value, got.Quality, base.Value)
	}
	tiered := table(t, `{"providers": [{"id": "house", "match": {"starts_with": "house-"}, "models": [
		{"id": "any", "match": {"not": {"ends_with": "-free"}}, "input": {"base": 1, "tiers": [{"start": 100, "price": 3}]}, "output": 1}]}]}`)
	f := func(name string, tokens collector.Tokens, want collector.Amount) {
		t.Helper()
		if got := tiered.Cost(name, tokens); got.Quality != want.Quality || !same(got.Value, want.Value) {
			t.Errorf("%s: got %v %s, want %v %s", name, got.Value, got.Quality, want.Value, want.Quality)
		}
	}
	f("house-1", exact(100, 0, 0, 0, 0), collector.Exact(100e-6))
	f("house-1", exact(50, 51, 0, 0, 0), collector.Exact(303e-6)) // cached context counts, and costs what input costs
	f("house-1-free", exact(100, 0, 0, 0, 0), collector.Amount{})
	f("other", exact(100, 0, 0, 0, 0), collector.Amount{})

	for bad, want := range map[string]string{
		`{"models": [{"id": "x", "input": 1}]}`:                                                 "model x: input and output",
		`{"models": [{"input": 1, "output": 1}]}`:                                               "no id",
		`{"models": [{"id": "x", "match": {}, "input": 1, "output": 1}]}`:                       "exactly one of",
		`{"models": [{"id": "x", "match": {"regex": "("}, "input": 1, "output": 1}]}`:           "error parsing regexp",
		`{"models": [{"id": "x", "match": {"or": [{"equal": "x"}]}, "input": 1, "output": 1}]}`: "exactly one of",
		`[]`: "cannot unmarshal",
	} {
		if _, err := pricing.New([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "own prices: ") {
			t.Errorf("%s: got error %v, want one with %q", bad, err, want)
		}
	}
}

// TestDate checks that the table says of which day it is, and carries the licence of its source.
func TestDate(t *testing.T) {
	p := table(t, "")
	data, err := os.ReadFile("prices.json")
	if err != nil {
		t.Fatal(err)
	}
	var head struct{ Date, Source, Licence string }
	if err := json.Unmarshal(data, &head); err != nil {
		t.Fatal(err)
	}
	if p.Date() != head.Date || len(head.Date) != len("2006-01-02") {
		t.Errorf("date %q, the file says %q", p.Date(), head.Date)
	}
	if !strings.Contains(head.Licence, "MIT License") || !strings.Contains(head.Licence, "Copyright (c)") || head.Source == "" {
		t.Errorf("source %q and licence %.40q are not complete", head.Source, head.Licence)
	}
}

// TestManyNames prices more names than are remembered, from several goroutines.
func TestManyNames(t *testing.T) {
	p := table(t, "")
	done := make(chan bool)
	for g := range 4 {
		go func() {
			ok := true
			for i := range 3000 {
				ok = ok && p.Cost(strings.Repeat("x", i+g), exact(1, 0, 0, 0, 0)) == collector.Amount{} && p.Cost("gpt-5", exact(1, 0, 0, 0, 0)).Quality == collector.QualityExact
			}
			done <- ok
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("a price changed while others were looked up")
		}
	}
}

func BenchmarkCost(b *testing.B) {
	p, tokens := table(b, ""), exact(12, 48210, 1530, 0, 812)
	b.ReportAllocs()
	for b.Loop() {
		if p.Cost("gpt-5", tokens).Quality != collector.QualityExact {
			b.Fatal("unknown")
		}
	}
}
