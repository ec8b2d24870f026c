package fold_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

func (s *script) ahead(id string, began, at int64) *script {
	return s.add(collector.Event{Kind: collector.EventResult, Call: id, Ahead: true, Began: began, Time: at, Text: textOf("result of " + id)})
}

func TestResultAheadOfItsCall(t *testing.T) {
	s := new(script).prompt("p").ahead("c2", 0, 5000).call("a", "c1", "Read").call("a", "c2", "Read").result("c1", "").run(t)
	calls := s.Turns()[0].ToolCalls
	if len(calls) != 2 || calls[0].Result.Preview != "result" || calls[1].Result.Preview != "result of c2" || calls[1].Status != collector.CallOK {
		t.Errorf("calls %+v", calls)
	}
	if n := s.Orphans(); n != 0 {
		t.Errorf("%d results count as answers to no call", n)
	}
}

// A result whose call does not come is given up when the next turn begins, or when too many wait.
func TestResultsThatNobodyAskedFor(t *testing.T) {
	s := new(script).prompt("p").ahead("x", 0, 0)
	if n := s.run(t).Orphans(); n != 0 {
		t.Errorf("%d given up while the turn goes on", n)
	}
	if n := s.prompt("q").run(t).Orphans(); n != 1 {
		t.Errorf("%d given up when the next turn began, want 1", n)
	}
	many := new(script).prompt("p")
	for i := range 20 {
		many.ahead(fmt.Sprint("x", i), 0, 0)
	}
	if n := many.run(t).Orphans(); n != 4 {
		t.Errorf("%d of 20 given up, want those before the latest 16", n)
	}
}

// The record that asks for a call is older than the call's beginning: the response was still being written.
func TestResultSaysWhenItsCallBegan(t *testing.T) {
	s := new(script).prompt("p").call("a", "c", "Bash").ahead("c", 9000, 12_000).run(t)
	c := s.Turns()[0].ToolCalls[0]
	got := []int64{c.StartedAt, c.EndedAt, c.DurationMs.Value, s.Turns()[0].RoundTrips[0].EndedAt}
	if diff := cmp.Diff([]int64{9000, 12_000, 3000, 9000}, got); diff != "" {
		t.Errorf("started, ended, took, its response ended (-want +got):\n%s", diff)
	}
}
