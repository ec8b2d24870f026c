package fold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// ended closes the open turn, which consumed so much as a whole.
func (s *script) ended(model string, ofTree bool, in, out int64) *script {
	return s.add(collector.Event{Kind: collector.EventTurnEnd, Model: model, Usage: &collector.Usage{Rank: collector.UsageExact, Tokens: tokens(in, out), OfTree: ofTree}})
}

func perToken(model string, t collector.Tokens) collector.Amount {
	if model != "m" {
		return collector.Amount{}
	}
	return collector.Exact(float64(t.Input.Value + t.Output.Value))
}

// TestUsageOfATurn: what a turn consumed is the turn's, and no round trip's.
func TestUsageOfATurn(t *testing.T) {
	s := (&script{}).prompt("a").text("r1", "one", "").text("r2", "two", "").ended("m", false, 70, 7).
		prompt("b").text("r3", "three", "").ended("m", false, 30, 3).run(t)
	s.Settle(fold.Judges{Cost: perToken})
	for i, want := range []collector.Tokens{tokens(70, 7), tokens(30, 3)} {
		n := s.Turns()[i].Totals
		if diff := cmp.Diff(want, n.Tokens); diff != "" || !n.OfTurn || n.OfTree {
			t.Errorf("turn %d: %v %v (-want +got):\n%s", i, n.OfTurn, n.OfTree, diff)
		}
	}
	for _, r := range s.Turns()[0].RoundTrips {
		if r.Tokens.Known() {
			t.Errorf("round trip %d knows %+v", r.Seq, r.Tokens)
		}
	}
	if diff := cmp.Diff(tokens(100, 10), s.Row().Totals.Tokens); diff != "" {
		t.Errorf("session (-want +got):\n%s", diff)
	}
}

func TestUsageOfATurnIsPricedByItsModel(t *testing.T) {
	for model, want := range map[string]collector.Amount{"m": collector.Exact(77.0), "other": {}} {
		s := fold.New(session)
		for i, ev := range (&script{}).prompt("a").text("r1", "one", "").ended(model, false, 70, 7).events {
			s.Apply(&ev, ref(i))
		}
		s.Settle(fold.Judges{Cost: perToken})
		if got := s.Turns()[0].Totals.CostUSD; got == nil || *got != want {
			t.Errorf("%s costs %v, want %v", model, got, want)
		}
	}
}

// TestResponsesKnowBetter: where responses state their usage, the turn's says nothing new.
func TestResponsesKnowBetter(t *testing.T) {
	s := (&script{}).prompt("a").text("r1", "one", "").usage("r1", collector.UsageExact, 10, 1).ended("m", false, 70, 7).run(t)
	if n := s.Turns()[0].Totals; n.OfTurn || n.Tokens != tokens(10, 1) {
		t.Errorf("%+v", n)
	}
}

// TestATurnWithoutUsageIsALowerBound: one that was killed told nothing.
func TestATurnWithoutUsageIsALowerBound(t *testing.T) {
	s := (&script{}).prompt("a").text("r1", "one", "").ended("m", false, 70, 7).prompt("b").text("r2", "two", "").run(t)
	if got := s.Row().Totals.Tokens.Input; got != collector.Partial[int64](70) {
		t.Errorf("input %+v, want 70, partial", got)
	}
}

// TestUsageOfATree: a session's totals are its tree's if a turn's are; what sub-agents that it did not wait for consumed
// is missing then.
func TestUsageOfATree(t *testing.T) {
	spawn := func(s *script, call string) *script {
		return s.add(collector.Event{Kind: collector.EventCall, RoundTrip: "r" + call, Call: call, Tool: "spawn", Category: collector.CategoryAgent}).
			result(call, collector.CallOK)
	}
	waited := spawn((&script{}).prompt("a"), "1").ended("m", true, 70, 7).prompt("b").text("r9", "x", "").ended("m", false, 30, 3)
	s := waited.run(t)
	if n := s.Row().Totals; !n.OfTree || n.Tokens != tokens(100, 10) {
		t.Errorf("%+v", n)
	}
	s = spawn(waited.prompt("c"), "2").ended("m", false, 5, 1).run(t)
	if n := s.Row().Totals; !n.OfTree || n.Tokens.Input != collector.Partial[int64](105) {
		t.Errorf("%+v", n)
	}
}
