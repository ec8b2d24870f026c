package metrics_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/metrics"
)

// TestWhatCannotBeReadHidesNothingElse has the store fail.
func TestWhatCannotBeReadHidesNothingElse(t *testing.T) {
	m := toy(t)
	broken := errors.New("disk on fire")
	m.Watch(metrics.Gauges{
		States:   func(context.Context) ([]collector.StateCount, error) { return nil, broken },
		Size:     func(context.Context) (int64, error) { return 0, broken },
		Revision: func(context.Context) (int64, error) { return 1, nil },
		Backlog:  func() map[collector.Agent]int64 { return map[collector.Agent]int64{"toy": 7} },
		Clients:  func() int { return 3 },
		Dropped:  func() int64 { return 11 },
	})
	text := scrape(t, m)
	for _, want := range []string{"turnwatch_websocket_clients 3\n", "turnwatch_websocket_dropped_messages_total 11\n", `turnwatch_ingest_backlog_bytes{agent="toy"} 7` + "\n",
		`turnwatch_turns_total{agent="toy",outcome="ok"} 0` + "\n", `version="1.2.3"`, "go_goroutines", "process_resident_memory_bytes"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "turnwatch_sessions{") || strings.Contains(text, "turnwatch_store_size_bytes ") {
		t.Error("a number that nobody knows is shown")
	}
}

// TestStatesAreCountedWhenTheyMayHaveChanged: a scrape of an idle program reads no sessions.
func TestStatesAreCountedWhenTheyMayHaveChanged(t *testing.T) {
	m := toy(t)
	asked, revision := 0, int64(1)
	m.Watch(metrics.Gauges{
		States: func(context.Context) ([]collector.StateCount, error) {
			asked++
			return []collector.StateCount{{Agent: "toy", State: collector.SessionBusy, Sessions: asked}, {Agent: "nobody's", State: collector.SessionEnded, Sessions: 1}}, nil
		},
		Revision: func(context.Context) (int64, error) { return revision, nil },
		Size:     func(context.Context) (int64, error) { return 0, nil },
		Backlog:  func() map[collector.Agent]int64 { return nil },
		Clients:  func() int { return 0 },
		Dropped:  func() int64 { return 0 },
	})
	for _, want := range []float64{1, 1, 2, 2} {
		if want == 2 {
			revision = 2
		}
		expect(t, m, "sessions", map[string]float64{`sessions{state="busy"}`: want, `sessions{agent="other",state="ended"}`: 1})
	}
}
