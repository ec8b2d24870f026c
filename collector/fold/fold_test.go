package fold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

const session = collector.SessionID("agent:s")

// script builds events a second apart, each in a record of its own.
type script struct {
	events []collector.Event
}

func (s *script) add(ev collector.Event) *script {
	if ev.Time == 0 {
		ev.Time = int64(len(s.events)+1) * 1000
	}
	s.events = append(s.events, ev)
	return s
}

func (s *script) prompt(text string) *script {
	return s.add(collector.Event{Kind: collector.EventPrompt, Key: fmt.Sprint("p", len(s.events)), Text: textOf(text)})
}

func (s *script) text(trip, text, stop string) *script {
	return s.add(collector.Event{Kind: collector.EventText, RoundTrip: trip, Text: textOf(text), StopReason: stop})
}

func (s *script) call(trip, id, tool string) *script {
	return s.add(collector.Event{Kind: collector.EventCall, RoundTrip: trip, Call: id, Tool: tool, Args: textOf("{}")})
}

func (s *script) result(id string, status collector.CallStatus) *script {
	return s.add(collector.Event{Kind: collector.EventResult, Call: id, CallStatus: status, Text: textOf("result")})
}

func (s *script) usage(trip string, rank collector.UsageRank, in, out int64) *script {
	return s.add(collector.Event{Kind: collector.EventUsage, RoundTrip: trip, Usage: &collector.Usage{Rank: rank, Tokens: tokens(in, out)}})
}

func tokens(in, out int64) collector.Tokens {
	t := collector.ZeroTokens()
	t.Input, t.Output = collector.Exact(in), collector.Exact(out)
	return t
}

func textOf(s string) collector.Text { return collector.Text{Preview: s, Bytes: int64(len(s))} }

func ref(i int) collector.Ref {
	return collector.Ref{Offset: int64(i) * 100, Length: 99, Line: int64(i) + 1}
}

// run folds the script in one go, and checks that cutting it at any record and restoring gives the same.
func (s *script) run(t *testing.T) *fold.Session {
	t.Helper()
	whole := fold.New(session)
	for i := range s.events {
		ev := s.events[i]
		whole.Apply(&ev, ref(i))
	}
	whole.Settle(fold.Judges{})
	want := describe(whole)
	for cut := 1; cut < len(s.events); cut++ {
		part := fold.New(session)
		for i := range cut {
			ev := s.events[i]
			part.Apply(&ev, ref(i))
		}
		ch := part.Settle(fold.Judges{})
		rest, err := fold.Restore(part.Row(), part.Turns(), ch.Cursor)
		if err != nil {
			t.Fatal(err)
		}
		var waiting []*collector.Marker
		for _, m := range ch.Markers {
			if m.Turn >= len(part.Turns()) {
				waiting = append(waiting, m)
			}
		}
		rest.RestoreMarkers(waiting)
		for i := cut; i < len(s.events); i++ {
			ev := s.events[i]
			rest.Apply(&ev, ref(i))
		}
		rest.Settle(fold.Judges{})
		if diff := cmp.Diff(describe(rest), want); diff != "" {
			t.Errorf("cut at record %d: (-restored +whole)\n%s", cut, diff)
		}
	}
	return whole
}

// describe writes a session in few words.
func describe(s *fold.Session) string {
	var b strings.Builder
	row := s.Row()
	fmt.Fprintf(&b, "%s in=%d/%s out=%d/%s trips=%d calls=%d failed=%d turns=%d\n", row.Title, row.Totals.Tokens.Input.Value,
		row.Totals.Tokens.Input.Quality, row.Totals.Tokens.Output.Value, row.Totals.Tokens.Output.Quality, row.Totals.RoundTrips,
		row.Totals.Calls, row.Totals.FailedCalls, row.Totals.Turns)
	for _, t := range s.Turns() {
		fmt.Fprintf(&b, "turn %d %s %q reply=%q steers=%d inherited=%t\n", t.Index, t.Status, t.Prompt.Preview, t.Reply.Preview, t.Steers, t.Inherited)
		for _, r := range t.RoundTrips {
			fmt.Fprintf(&b, " trip %d %s in=%d out=%d calls=%d %q\n", r.Seq, r.Key, r.Tokens.Input.Value, r.Tokens.Output.Value, r.Calls, r.Text.Preview)
		}
		for _, c := range t.ToolCalls {
			fmt.Fprintf(&b, " call %d %s trip=%d %s %dms/%s\n", c.Seq, c.Key, c.RoundTrip, c.Status, c.DurationMs.Value, c.DurationMs.Quality)
		}
		for _, m := range t.Markers {
			fmt.Fprintf(&b, " marker %d %s %s %s inflight=%v\n", m.Seq, m.Kind, m.Name, m.Status, m.InFlight)
		}
	}
	return b.String()
}

func TestFold(t *testing.T) {
	f := func(name, want string, s *script) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			t.Helper()
			got := strings.TrimSpace(describe(s.run(t)))
			if diff := cmp.Diff(got, strings.TrimSpace(strings.ReplaceAll(want, "\t", ""))); diff != "" {
				t.Errorf("(-got +want)\n%s", diff)
			}
		})
	}
	f("a turn with a failed call", `
		fix it in=10/exact out=5/exact trips=2 calls=1 failed=1 turns=1
		turn 0 ok "fix it" reply="done" steers=0 inherited=false
		 trip 0 a in=7 out=3 calls=1 "look"
		 trip 1 b in=3 out=2 calls=0 "done"
		 call 0 c1 trip=0 failed 1000ms/exact`,
		new(script).prompt("fix it").text("a", "look", "").call("a", "c1", "Bash").result("c1", collector.CallFailed).
			usage("a", collector.UsageExact, 7, 3).text("b", "done", "end_turn").usage("b", collector.UsageExact, 3, 2))
	f("usage that grows counts once", `
		hi in=4/exact out=159/exact trips=1 calls=0 failed=0 turns=1
		turn 0 ok "hi" reply="x" steers=0 inherited=false
		 trip 0 a in=4 out=159 calls=0 "x"`,
		new(script).prompt("hi").usage("a", collector.UsageExact, 4, 9).text("a", "x", "end_turn").usage("a", collector.UsageExact, 4, 159))
	cumulative := func(total int64) collector.Event {
		sum := tokens(total, 0)
		return collector.Event{Kind: collector.EventUsage, Usage: &collector.Usage{Rank: collector.UsageCumulative, Tokens: tokens(10, 1), Cumulative: &sum}}
	}
	f("a repeated running total says nothing new", `
		hi in=10/exact out=1/exact trips=1 calls=0 failed=0 turns=1
		turn 0 open "hi" reply="x" steers=0 inherited=false
		 trip 0  in=10 out=1 calls=0 "x"`,
		new(script).prompt("hi").text("", "x", "").add(cumulative(10)).add(cumulative(10)))
	f("an unnamed response ends at a result", `
		hi in=20/exact out=2/exact trips=2 calls=1 failed=0 turns=1
		turn 0 open "hi" reply="y" steers=0 inherited=false
		 trip 0  in=10 out=1 calls=1 "x"
		 trip 1  in=10 out=1 calls=0 "y"
		 call 0 c trip=0 ok 2000ms/exact`,
		new(script).prompt("hi").text("", "x", "").call("", "c", "shell").add(cumulative(10)).result("c", "").text("", "y", "").add(cumulative(20)))
	f("the agent works on through the night; the next prompt is not tool time", `
		one in=0/unknown out=0/unknown trips=1 calls=1 failed=0 turns=2
		turn 0 abandoned "one" reply="" steers=0 inherited=false
		 trip 0 a in=0 out=0 calls=1 ""
		 call 0 c trip=0 lost 0ms/unknown
		turn 1 open "two" reply="" steers=0 inherited=false`,
		new(script).prompt("one").call("a", "c", "Bash").add(collector.Event{Kind: collector.EventPrompt, Key: "p9", Text: textOf("two"), Time: 50_000_000}))
	f("a steering prompt joins, a slash command without an answer opens nothing", `
		one in=0/unknown out=0/unknown trips=1 calls=0 failed=0 turns=1
		turn 0 open "one" reply="ok" steers=1 inherited=false
		 trip 0 a in=0 out=0 calls=0 "ok"`,
		new(script).prompt("one").add(collector.Event{Kind: collector.EventPrompt, Key: "s", Joins: true, Text: textOf("also")}).text("a", "ok", "").
			add(collector.Event{Kind: collector.EventPrompt, Key: "c", Tentative: true, Text: textOf("/compact")}))
	f("a slash command that the model answers is a turn", `
		/review x in=0/unknown out=0/unknown trips=1 calls=0 failed=0 turns=1
		turn 0 open "/review x" reply="ok" steers=0 inherited=false
		 trip 0 a in=0 out=0 calls=0 "ok"`,
		new(script).add(collector.Event{Kind: collector.EventPrompt, Key: "c", Tentative: true, Text: textOf("/review x")}).text("a", "ok", ""))
	f("a record read twice counts once", `
		hi in=0/unknown out=0/unknown trips=1 calls=1 failed=0 turns=1
		turn 0 open "hi" reply="" steers=0 inherited=false
		 trip 0 a in=0 out=0 calls=1 ""
		 call 0 c trip=0 ok 1000ms/exact`,
		new(script).prompt("hi").call("a", "c", "Bash").result("c", "").call("a", "c", "Bash").result("c", collector.CallFailed).
			add(collector.Event{Kind: collector.EventPrompt, Key: "p0", Text: textOf("hi")}))
	f("an interrupted turn interrupts its calls", `
		hi in=0/unknown out=0/unknown trips=1 calls=1 failed=0 turns=1
		turn 0 interrupted "hi" reply="" steers=0 inherited=false
		 trip 0 a in=0 out=0 calls=1 ""
		 call 0 c trip=0 interrupted 0ms/unknown`,
		new(script).prompt("hi").call("a", "c", "Bash").add(collector.Event{Kind: collector.EventTurnEnd, TurnStatus: collector.TurnInterrupted}))
	f("a compaction lists the calls in flight", `
		hi in=0/unknown out=0/unknown trips=1 calls=2 failed=0 turns=1
		turn 0 open "hi" reply="" steers=0 inherited=false
		 trip 0 a in=0 out=0 calls=2 ""
		 call 0 c trip=0 ok 2000ms/exact
		 call 1 d trip=0 pending 0ms/unknown
		 marker 0 compaction  ok inflight=[1]`,
		new(script).prompt("hi").call("a", "c", "Bash").call("a", "d", "Bash").result("c", "").
			add(collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerCompaction, Key: "k", MarkerStatus: collector.MarkerPending}).
			add(collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerCompaction, Key: "k"}))
	f("a call of the newest response is no response of its own", `
		hi in=1/exact out=1/exact trips=1 calls=1 failed=0 turns=1
		turn 0 interrupted "hi" reply="x" steers=0 inherited=false
		 trip 0 a in=1 out=1 calls=1 "x"
		 call 0 c trip=0 interrupted 1000ms/exact`,
		new(script).prompt("hi").text("a", "x", "end_turn").usage("a", collector.UsageExact, 1, 1).
			add(collector.Event{Kind: collector.EventTurnEnd, TurnStatus: collector.TurnInterrupted}).
			call(collector.LatestRoundTrip, "c", "Bash").result("c", collector.CallInterrupted).
			call(collector.LatestRoundTrip, "c", "Bash").result("c", collector.CallInterrupted))
	f("copied history is shown but not counted", `
		new in=2/exact out=1/exact trips=1 calls=0 failed=0 turns=1
		turn 0 abandoned "old" reply="x" steers=0 inherited=true
		 trip 0 a in=9 out=9 calls=0 "x"
		turn 1 open "new" reply="y" steers=0 inherited=false
		 trip 1 b in=2 out=1 calls=0 "y"`,
		new(script).add(collector.Event{Kind: collector.EventInherit}).add(collector.Event{Kind: collector.EventTurnStart, Turn: "t0", Inherited: true}).
			add(collector.Event{Kind: collector.EventPrompt, Turn: "t0", Text: textOf("old"), Inherited: true}).
			add(collector.Event{Kind: collector.EventText, RoundTrip: "a", Text: textOf("x"), Inherited: true}).
			add(collector.Event{Kind: collector.EventUsage, RoundTrip: "a", Inherited: true, Usage: &collector.Usage{Rank: collector.UsageExact, Tokens: tokens(9, 9)}}).
			add(collector.Event{Kind: collector.EventTurnStart, Turn: "t1", Time: 90_000}).
			add(collector.Event{Kind: collector.EventPrompt, Turn: "t1", Text: textOf("new"), Time: 90_001}).text("b", "y", "").usage("b", collector.UsageExact, 2, 1))
}

// TestRewind: what was taken back stays and counts; what comes later is not taken back.
func TestRewind(t *testing.T) {
	for name, c := range map[string]struct {
		event collector.Event
		want  []bool
	}{
		"to before a prompt":       {collector.Event{Key: "p2"}, []bool{false, true, true, false}},
		"to the end of its turn":   {collector.Event{Key: "p2", After: true}, []bool{false, false, true, false}},
		"to the end of the newest": {collector.Event{Key: "p4", After: true}, []bool{false, false, false, false}},
		"to nothing that is known": {collector.Event{Key: "x"}, []bool{false, false, false, false}},
		"to nothing":               {collector.Event{}, []bool{false, false, false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			c.event.Kind = collector.EventRewind
			s := new(script).prompt("one").usage("a", collector.UsageExact, 1, 1).prompt("two").usage("b", collector.UsageExact, 1, 1).
				prompt("three").usage("c", collector.UsageExact, 1, 1).add(c.event).prompt("four").usage("d", collector.UsageExact, 1, 1).run(t)
			var got []bool
			for _, turn := range s.Turns() {
				got = append(got, turn.Rewound)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if in := s.Row().Totals.Tokens.Input; in != collector.Exact[int64](4) {
				t.Errorf("input %v: what was consumed was spent", in)
			}
		})
	}
}

func TestWaiting(t *testing.T) {
	asked := collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerPermission, Name: "Bash", Key: "w", Call: "c", MarkerStatus: collector.MarkerPending}
	open := new(script).prompt("hi").call("a", "c", "Bash").add(asked).run(t)
	if got := open.Row().WaitingFor; got != "Bash" {
		t.Errorf("a turn that asks a human waits for %q, want Bash", got)
	}
	answered := new(script).prompt("hi").call("a", "c", "Bash").add(asked).result("c", "").run(t)
	if got := answered.Row().WaitingFor; got != "" {
		t.Errorf("after the answer it waits for %q", got)
	}
	if c := answered.Turns()[0].ToolCalls[0]; c.WaitMs != 1000 {
		t.Errorf("waited %d ms, want the second between question and answer", c.WaitMs)
	}
	unknown := collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerPermission, Call: "c"}
	for name, s := range map[string]*script{
		"before": new(script).prompt("hi").call("a", "c", "Bash").add(unknown).result("c", ""),
		"after":  new(script).prompt("hi").call("a", "c", "Bash").result("c", "").add(unknown),
	} {
		turn := s.run(t).Turns()[0]
		if c := turn.ToolCalls[0]; c.DurationMs.Quality != collector.QualityUnknown || turn.Totals.Clocks.ToolMs != 0 {
			t.Errorf("marker %s the result: the call took %v, tools %d ms; how long the human took is not known", name, c.DurationMs, turn.Totals.Clocks.ToolMs)
		}
	}
}
