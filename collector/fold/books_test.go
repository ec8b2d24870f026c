package fold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// account adds what the agent says that the session consumed so far.
func (s *script) account(a collector.Accounting) *script {
	return s.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Accounting: &a}})
}

func (s *script) resumed() *script {
	return s.add(collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Resumed: true}})
}

// said adds a response of which only the output is known, and only as a lower bound.
func (s *script) said(trip string, out int64) *script {
	return s.text(trip, "ok", "").add(collector.Event{
		Kind: collector.EventUsage, RoundTrip: trip,
		Usage: &collector.Usage{Rank: collector.UsagePartial, Tokens: collector.Tokens{Output: collector.Partial(out)}},
	})
}

func credits(n float64) *collector.Amount {
	a := collector.Exact(n)
	return &a
}

func TestBooks(t *testing.T) {
	exact, partial := collector.Exact[int64], collector.Partial[int64]
	type want struct {
		input, output collector.Count
		credits       *collector.Amount
		ofTree        bool
	}
	for _, c := range []struct {
		name   string
		script *script
		want   want
	}{
		{
			"an account fills in what round trips do not know",
			new(script).prompt("p").said("a", 5).account(collector.Accounting{RoundTrips: 1, Tokens: tokens(100, 10), Credits: credits(2)}),
			want{exact(100), exact(10), credits(2), false},
		},
		{
			"one of a tree says that it is",
			new(script).prompt("p").said("a", 5).account(collector.Accounting{RoundTrips: 4, Tokens: tokens(100, 10), Credits: credits(2), Tree: true}),
			want{exact(100), exact(10), credits(2), true},
		},
		{
			"and counts even if the session's own share is known",
			new(script).prompt("p").text("a", "ok", "").usage("a", collector.UsageExact, 30, 5).
				account(collector.Accounting{RoundTrips: 4, Tokens: tokens(100, 10), Tree: true}),
			want{exact(100), exact(10), nil, true},
		},
		{
			"responses after it make it a lower bound",
			new(script).prompt("p").text("a", "ok", "").usage("a", collector.UsageExact, 30, 5).
				account(collector.Accounting{RoundTrips: 4, Tokens: tokens(100, 10), Tree: true}).text("b", "more", "").usage("b", collector.UsageExact, 200, 1),
			want{partial(230), partial(10), nil, true},
		},
		{
			"segments add up, though sub-agents answered in each",
			new(script).prompt("p").said("a", 5).said("b", 5).account(collector.Accounting{RoundTrips: 7, Tokens: tokens(100, 10), Tree: true}).
				resumed().prompt("q").said("c", 5).account(collector.Accounting{RoundTrips: 4, Tokens: tokens(50, 8), Tree: true}),
			want{exact(150), exact(18), nil, true},
		},
		{
			"an account of the whole session replaces the one before",
			new(script).prompt("p").said("a", 5).said("b", 5).account(collector.Accounting{RoundTrips: 7, Tokens: tokens(100, 10), Tree: true}).
				resumed().prompt("q").said("c", 5).account(collector.Accounting{RoundTrips: 11, Tokens: tokens(150, 18), Tree: true}),
			want{exact(150), exact(18), nil, true},
		},
		{
			"a smaller account is of a segment, however many responses it names",
			new(script).prompt("p").said("a", 5).account(collector.Accounting{RoundTrips: 2, Tokens: tokens(100, 10), Tree: true}).
				resumed().prompt("q").said("c", 5).account(collector.Accounting{RoundTrips: 3, Tokens: tokens(50, 18), Tree: true}),
			want{exact(150), exact(28), nil, true},
		},
		{
			"a segment that was never accounted for leaves a lower bound",
			new(script).prompt("p").said("a", 5).said("b", 5).said("c", 5).
				resumed().prompt("q").said("d", 5).account(collector.Accounting{RoundTrips: 1, Tokens: tokens(50, 8)}),
			want{partial(50), partial(20), nil, false},
		},
		{
			"a summary's request is in no account",
			new(script).prompt("p").said("a", 5).
				add(collector.Event{Kind: collector.EventUsage, Key: "s", Usage: &collector.Usage{Tokens: tokens(40, 4), Unattributed: true}}).
				account(collector.Accounting{RoundTrips: 1, Tokens: tokens(100, 10)}),
			want{exact(140), exact(14), nil, false},
		},
		{
			"nor in round trips",
			new(script).prompt("p").text("a", "ok", "").usage("a", collector.UsageExact, 30, 5).
				add(collector.Event{Kind: collector.EventUsage, Key: "s", Usage: &collector.Usage{Tokens: tokens(40, 4), Unattributed: true}}),
			want{exact(70), exact(9), nil, false},
		},
	} {
		n := c.script.run(t).Row().Totals
		got := want{n.Tokens.Input, n.Tokens.Output, n.Credits, n.OfTree}
		if diff := cmp.Diff(got, c.want, cmp.AllowUnexported(want{})); diff != "" {
			t.Errorf("%s: got (-) and want (+):\n%s", c.name, diff)
		}
	}
}
