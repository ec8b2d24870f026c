package fold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// TestUnnamedResponses: where responses have no names, what stands between their items tells where one ends.
func TestUnnamedResponses(t *testing.T) {
	for _, tt := range []struct {
		name    string
		between collector.Event
		want    []string
	}{
		{"a prompt that was queued while a response was written ends none", collector.Event{Kind: collector.EventPrompt, Key: "s", Joins: true, Late: true, Text: textOf("also")}, []string{"x\ny"}},
		{"one that the agent took in between two does", collector.Event{Kind: collector.EventPrompt, Key: "s", Joins: true, Text: textOf("also")}, []string{"x", "y"}},
		{"the model is asked anew", collector.Event{Kind: collector.EventRoundTripStart}, []string{"x", "y"}},
		{"a notice says nothing about it", collector.Event{Kind: collector.EventMarker, Marker: collector.MarkerNotice, Key: "n"}, []string{"x\ny"}},
	} {
		var got []string
		for _, r := range new(script).prompt("hi").text("", "x", "").add(tt.between).text("", "y", "").run(t).Turns()[0].RoundTrips {
			got = append(got, r.Text.Preview)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
