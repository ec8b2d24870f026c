package fold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// said is what another stream said of a call.
func said(call string, status collector.CallStatus, ms int64) collector.Event {
	return collector.Event{Kind: collector.EventResult, Call: call, CallStatus: status, Duration: collector.Exact(ms), Enriches: true, Late: true}
}

// TestAsideInAnyOrder: what another stream says of calls may come at any time; a fold that is restored in between has it.
func TestAsideInAnyOrder(t *testing.T) {
	log := func() *script {
		return (&script{}).prompt("a").call("r1", "c1", "sh").call("r1", "c2", "sh").call("r1", "c3", "sh").
			result("c1", collector.CallOK).
			add(collector.Event{Kind: collector.EventResult, Call: "c2", CallStatus: collector.CallOK, Background: true, Text: textOf("begun")})
	}
	asides := []collector.Event{said("c1", collector.CallFailed, 7), said("c2", "", 8), said("c3", collector.CallDenied, 9), said("c4", "", 1)}
	orders := map[string]*script{"behind": log(), "ahead": {}}
	orders["behind"].events = append(orders["behind"].events, asides...)
	orders["ahead"].events = append(orders["ahead"].events, asides...)
	orders["ahead"].events = append(orders["ahead"].events, log().events...)
	for name, s := range orders {
		got := map[string]collector.ToolCall{}
		for _, c := range s.run(t).Turns()[0].ToolCalls {
			got[c.Key] = collector.ToolCall{Status: c.Status, DurationMs: c.DurationMs}
		}
		want := map[string]collector.ToolCall{
			"c1": {Status: collector.CallFailed, DurationMs: collector.Exact[int64](7)},
			"c2": {Status: collector.CallOK}, // it goes on: what took 8 ms was its beginning
			"c3": {Status: collector.CallDenied, DurationMs: collector.Exact[int64](9)},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAsideIsNoOrphan(t *testing.T) {
	s := fold.New(session)
	ev := said("c", "", 1)
	s.Apply(&ev, collector.Ref{})
	if n := s.Orphans(); n != 0 {
		t.Errorf("%d orphans", n)
	}
}

// TestAnsweredBeforeTheCompaction: an answer that was only written after a compaction was not lost by it.
func TestAnsweredBeforeTheCompaction(t *testing.T) {
	s := (&script{}).prompt("a").call("r1", "early", "sh").call("r1", "late", "sh").
		add(collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerCompaction, Time: 10_000}).
		add(collector.Event{Kind: collector.EventResult, Call: "early", Time: 9_000, Text: textOf("x")}).
		add(collector.Event{Kind: collector.EventResult, Call: "late", Time: 11_000, Text: textOf("x")}).run(t)
	if diff := cmp.Diff([]int{1}, s.Turns()[0].Markers[0].InFlight); diff != "" {
		t.Errorf("in flight (-want +got):\n%s", diff)
	}
}
