package fold_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// TestReadAgain: a record that comes again as a whole, as a row that was updated in place does, counts once, however much
// it holds and however much came in between.
func TestReadAgain(t *testing.T) {
	long := func(s *script) *script {
		for i := range 70 {
			s.add(collector.Event{Kind: collector.EventText, RoundTrip: "a", Key: fmt.Sprint("t", i), Text: textOf("x"), Time: 1})
		}
		return s
	}
	steer := collector.Event{Kind: collector.EventPrompt, Key: "steer", Turn: "steer", Joins: true, Text: textOf("also"), Time: 1}
	begun := func() *script { return new(script).prompt("hi") }
	steered := func() *script {
		return long(begun().text("0", "y", "").add(steer)).text("a", "done", collector.StopEndTurn)
	}
	for _, tt := range []struct {
		name        string
		once, again *script
	}{
		{"a response of many texts", long(begun()), long(long(begun()))},
		{"a prompt that joined the turn", steered(), steered().add(steer)},
	} {
		once, again := tt.once.run(t), tt.again.run(t)
		if diff := cmp.Diff(describe(once), describe(again)); diff != "" {
			t.Errorf("%s (-once +again):\n%s", tt.name, diff)
		}
		if got, want := again.Turns()[0].Reply.Bytes, once.Turns()[0].Reply.Bytes; got != want {
			t.Errorf("%s: a reply of %d bytes, want %d", tt.name, got, want)
		}
	}
}

// TestCallToldOfBeforeItBegins: a call that was seen before anybody said when it began is as long a part of its response
// as one that was first seen afterwards.
func TestCallToldOfBeforeItBegins(t *testing.T) {
	ended := func(told ...int64) int64 {
		s := new(script).prompt("hi").text("a", "x", "")
		for _, at := range told {
			s.events = append(s.events, collector.Event{Kind: collector.EventCall, RoundTrip: "a", Call: "c", Tool: "bash", Time: at})
		}
		return s.run(t).Turns()[0].RoundTrips[0].EndedAt
	}
	if late, early := ended(9000), ended(0, 9000); late != 9000 || early != late {
		t.Errorf("the response ended at %d, told of before at %d, want 9000", late, early)
	}
}
