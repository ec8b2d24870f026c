package compare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

// group returns samples with these numbers of tokens.
func group(name string, tokens ...int64) []compare.Sample {
	var all []compare.Sample
	for i, n := range tokens {
		all = append(all, sample(fmt.Sprintf("x:%s%d", name, i), totals(10, 1, n)))
	}
	return all
}

func TestGroups(t *testing.T) {
	lowA := []int64{100, 104, 96, 110, 90, 101, 99, 103}
	unknown := group("u", 1, 2, 3, 4, 5)
	for i := range unknown {
		unknown[i].Totals.Tokens.Input.Quality = collector.QualityPartial
	}
	tests := []struct {
		name     string
		a, b     []compare.Sample
		told     bool
		verdict  compare.Verdict
		sentence string // of tokens
		whole    string // of all
	}{
		{
			"fewer", group("a", lowA...), group("b", 80, 84, 79, 85, 90, 78, 82, 81, 83), true, compare.VerdictBetter,
			"B used fewer tokens: −18 % (", "B used fewer tokens: −18 % (",
		},
		{"much the same", group("a", lowA...), group("b", 98, 105, 91, 112, 100, 97), false, compare.VerdictUnknown, "no difference in tokens can be told: ", "No difference in failures, tokens, cost or time can be told from 8 against 6 runs"},
		{"all the same", group("a", 5, 5, 5, 5), group("b", 5, 5, 5, 5, 5), false, compare.VerdictSame, "no difference in tokens, n = 4 vs 5", "No difference"},
		{"no spread", group("a", 5, 5, 5, 5), group("b", 7, 7, 7, 7), true, compare.VerdictWorse, "B used more tokens: +40 % (+40 … +40), n = 4 vs 4", "B used more tokens"},
		{"none fewer than none", group("a", 0, 0, 10, 10, 10, 30, 40, 40), group("b", 0, 0, 0, 0, 0, 0, 0), false, compare.VerdictUnknown, "no difference in tokens can be told: −10 (−40 … 0), n = 8 vs 7", "No difference"},
		{"two runs", group("a", 5, 6), group("b", 1, 2), false, compare.VerdictUnknown, "no difference can be told from 2 runs", "No difference can be told from 2 runs"},
		{"one against nine", group("a", 5), group("b", 1, 2, 3, 4, 5, 6, 7, 8, 9), false, compare.VerdictUnknown, "no difference can be told from 1 run against 9", "No difference can be told from 1 run against 9"},
		{"lower bounds", unknown, group("b", 1, 2, 3, 4, 5), false, compare.VerdictUnknown, "A is a lower bound", "No difference"},
		{"nobody", nil, group("b", 1, 2, 3, 4), false, compare.VerdictUnknown, "A has none", "Nothing to compare: A has 0 runs, B has 4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := compare.Many(tt.a, tt.b)
			d := metric(t, c, "tokens")
			if d.Group.Told != tt.told || d.Verdict != tt.verdict {
				t.Errorf("told %t, verdict %s; want %t, %s", d.Group.Told, d.Verdict, tt.told, tt.verdict)
			}
			if !strings.HasPrefix(d.Group.Sentence, tt.sentence) {
				t.Errorf("got  %s\nwant %s…", d.Group.Sentence, tt.sentence)
			}
			if !strings.HasPrefix(c.Sentence, tt.whole) {
				t.Errorf("got  %s\nwant %s…", c.Sentence, tt.whole)
			}
			if diff := cmp.Diff(d, metric(t, compare.Many(tt.a, tt.b), "tokens"), cmp.AllowUnexported(compare.Spread{})); diff != "" {
				t.Errorf("asked again: %s", diff)
			}
		})
	}
}

// TestIntervalsHold draws both groups from one distribution again and again: at most about one interval in twenty may say that they differ.
func TestIntervalsHold(t *testing.T) {
	wrong := 0
	const rounds = 40
	seed := uint64(1)
	next := func() int64 { // xorshift, so that the test is the same on every Go version
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return 1000 + int64(math.Round(100*float64(seed%1000)/1000))
	}
	for range rounds {
		var a, b []int64
		for range 9 {
			a, b = append(a, next()), append(b, next())
		}
		if metric(t, compare.Many(group("a", a...), group("b", b...)), "tokens").Group.Told {
			wrong++
		}
	}
	if wrong > 5 {
		t.Errorf("%d of %d intervals tell a difference that is none", wrong, rounds)
	}
}

func TestSpread(t *testing.T) {
	a := group("a", 4, 1, 3, 2)
	a = append(a, sample("x:odd", collector.Totals{}))
	got := metric(t, compare.Many(a, group("b", 1, 2, 3, 4)), "tokens").Group.A
	if got.N != 4 || got.Median != 2.5 || got.Q1 != 1.75 || got.Q3 != 3.25 || got.Min != 1 || got.Max != 4 || got.LeftOut != 1 || len(got.Runs) != 4 || got.Runs[0].Session != "x:a0" {
		t.Errorf("got %+v", got)
	}
}

// TestSharesDifferInPoints: a percentage of a percentage says nothing to anybody.
func TestSharesDifferInPoints(t *testing.T) {
	runs := func(name string, failed ...int) []compare.Sample {
		var all []compare.Sample
		for i, n := range failed {
			all = append(all, sample(fmt.Sprintf("x:%s%d", name, i), totals(10, n, 100)))
		}
		return all
	}
	got := metric(t, compare.Many(runs("a", 1, 1, 1, 1), runs("b", 3, 3, 3, 3)), "failRate").Group.Sentence
	if want := "B failed more: +20.0 points (+20 … +20), n = 4 vs 4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
