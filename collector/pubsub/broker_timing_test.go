package pubsub_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

// BenchmarkPublish hands a commit of four messages to twenty subscribers that keep up.
func BenchmarkPublish(b *testing.B) {
	br := pubsub.New(4096)
	var subs []*pubsub.Subscription
	for range 20 {
		s := br.Subscribe(b.Context(), -1, nil)
		defer s.Close()
		subs = append(subs, s)
	}
	revision := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		revision++
		br.Publish(
			msg(collector.MessageTurnToolCall, revision, "a", 1), msg(collector.MessageTurnUpdated, revision, "a", 1),
			msg(collector.MessageSessionUpdated, revision, "a", -1), msg(collector.MessageLogRaw, revision, "a", -1),
		)
		for _, s := range subs {
			s.Take()
		}
	}
}
