package pubsub_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func msg(t collector.MessageType, revision int64, session collector.SessionID, turn int) collector.Message {
	m := collector.Message{Type: t, Revision: revision, Session: session}
	if turn >= 0 {
		m.Turn = &turn
	}
	return m
}

// brief writes messages as "type@revision session/turn".
func brief(msgs []collector.Message) []string {
	var lines []string
	for _, m := range msgs {
		line := fmt.Sprintf("%s@%d", m.Type, m.Revision)
		if m.Session != "" {
			line += " " + string(m.Session)
		}
		if m.Turn != nil {
			line += fmt.Sprintf("/%d", *m.Turn)
		}
		lines = append(lines, line)
	}
	return lines
}

func taken(s *pubsub.Subscription) []string {
	msgs, _ := s.Take()
	return brief(msgs)
}

// published returns a broker with room for size messages, to which revisions 1…n were published, two messages each.
func published(size, n int) *pubsub.Broker {
	b := pubsub.New(size)
	b.Start(0)
	for r := int64(1); r <= int64(n); r++ {
		b.Publish(msg(collector.MessageTurnStarted, r, "a", int(r)), msg(collector.MessageTurnCompleted, r, "a", int(r)))
	}
	return b
}

func TestSubscribeSince(t *testing.T) {
	for _, c := range []struct {
		name  string
		size  int
		since int64
		from  int64
		want  []string
	}{
		{"only what comes", 8, -1, 4, nil},
		{"the last revision again", 8, 4, 4, []string{"turn.started@4 a/4", "turn.completed@4 a/4"}},
		{"what was missed", 8, 3, 3, []string{"turn.started@3 a/3", "turn.completed@3 a/3", "turn.started@4 a/4", "turn.completed@4 a/4"}},
		{"all there is", 100, 1, 1, []string{
			"turn.started@1 a/1", "turn.completed@1 a/1", "turn.started@2 a/2", "turn.completed@2 a/2",
			"turn.started@3 a/3", "turn.completed@3 a/3", "turn.started@4 a/4", "turn.completed@4 a/4",
		}},
		{"too old", 4, 2, 4, []string{"resync@4"}},
		{"a revision that is only half there", 5, 2, 4, []string{"resync@4"}},
		{"before the first", 100, 0, 4, []string{"resync@4"}},
		{"of another store", 8, 5, 4, []string{"resync@4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := published(c.size, 4).Subscribe(t.Context(), c.since, nil)
			defer s.Close()
			if s.From() != c.from {
				t.Errorf("from %d, want %d", s.From(), c.from)
			}
			if diff := cmp.Diff(c.want, taken(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSubscribeAfterRestart has a client come back to a broker that knows nothing of the revision that it saw.
func TestSubscribeAfterRestart(t *testing.T) {
	b := pubsub.New(8)
	b.Start(7)
	s := b.Subscribe(t.Context(), 7, nil)
	defer s.Close()
	b.Publish(msg(collector.MessageTurnStarted, 8, "a", 0))
	if diff := cmp.Diff([]string{"resync@7", "turn.started@8 a/0"}, taken(s)); diff != "" {
		t.Error(diff)
	}
}

func TestFilter(t *testing.T) {
	b := pubsub.New(8)
	s := b.Subscribe(t.Context(), -1, func(m *collector.Message) bool { return m.Session == "b" })
	defer s.Close()
	b.Publish(msg(collector.MessageTurnStarted, 1, "a", 0), msg(collector.MessageTurnStarted, 1, "b", 0))
	if diff := cmp.Diff([]string{"turn.started@1 b/0"}, taken(s)); diff != "" {
		t.Error(diff)
	}
}

func TestSlowSubscriberGetsTheLatest(t *testing.T) {
	b := pubsub.New(8)
	s := b.Subscribe(t.Context(), -1, nil)
	defer s.Close()
	for r := int64(1); r <= 5000; r++ {
		b.Publish(msg(collector.MessageSessionUpdated, r, "a", -1), msg(collector.MessageTurnUpdated, r, "a", 1), msg(collector.MessageTurnUpdated, r, "a", int(r%2)))
	}
	b.Publish(msg(collector.MessageTurnCompleted, 5001, "a", 1))
	want := []string{"session.updated@5000 a", "turn.updated@5000 a/1", "turn.updated@5000 a/0", "turn.completed@5001 a/1"}
	if diff := cmp.Diff(want, taken(s)); diff != "" {
		t.Error(diff)
	}
}

func TestOverflowIsOneResync(t *testing.T) {
	b := pubsub.New(8)
	s := b.Subscribe(t.Context(), -1, nil)
	defer s.Close()
	for r := int64(1); r <= 3*pubsub.QueueSize; r++ {
		b.Publish(msg(collector.MessageTurnStarted, r, "a", int(r)))
	}
	msgs, more := s.Take()
	resyncs := 0
	for i, m := range msgs {
		if m.Type == collector.MessageResync {
			resyncs++
		}
		if i > 1 && m.Revision != msgs[i-1].Revision+1 {
			t.Fatalf("a gap after the resync: %d, %d", msgs[i-1].Revision, m.Revision)
		}
	}
	if resyncs != 1 || msgs[0].Type != collector.MessageResync || len(msgs) > pubsub.QueueSize || !more {
		t.Errorf("%d messages with %d resyncs, the first %s", len(msgs), resyncs, msgs[0].Type)
	}
	if last := msgs[len(msgs)-1].Revision; last != 3*pubsub.QueueSize {
		t.Errorf("last revision %d", last)
	}
	if got := b.Dropped(); got != int64(3*pubsub.QueueSize-(len(msgs)-resyncs)) {
		t.Errorf("%d messages were dropped, of which %d came", got, len(msgs)-resyncs)
	}
	b.Publish(msg(collector.MessageTurnStarted, 9999, "a", 0))
	if diff := cmp.Diff([]string{"turn.started@9999 a/0"}, taken(s)); diff != "" {
		t.Error("it does not go on:", diff)
	}
}

func TestMessagesOfNoCommit(t *testing.T) {
	b := published(8, 2)
	s := b.Subscribe(t.Context(), -1, nil)
	defer s.Close()
	b.Publish(msg(collector.MessageAttached, 0, "a", -1))
	if diff := cmp.Diff([]string{"attached@2 a"}, taken(s)); diff != "" {
		t.Error(diff)
	}
	again := b.Subscribe(t.Context(), 2, nil)
	defer again.Close()
	if diff := cmp.Diff([]string{"turn.started@2 a/2", "turn.completed@2 a/2"}, taken(again)); diff != "" {
		t.Error("kept:", diff)
	}
	b.Publish(msg(collector.MessageSessionLabels, 0, "a", -1), msg(collector.MessageSessionLabels, 0, "a", -1))
	if diff := cmp.Diff([]string{"session.labels@2 a"}, taken(s)); diff != "" {
		t.Error("labels:", diff)
	}
	away := b.Subscribe(t.Context(), 2, nil)
	defer away.Close()
	if diff := cmp.Diff([]string{"turn.started@2 a/2", "turn.completed@2 a/2", "session.labels@2 a"}, taken(away)); diff != "" {
		t.Error("labels that were given meanwhile:", diff)
	}
}

func TestAllEndsWithItsContext(t *testing.T) {
	b := pubsub.New(8)
	ctx, cancel := context.WithCancel(t.Context())
	s := b.Subscribe(ctx, -1, nil)
	var got []collector.Message
	done := make(chan struct{})
	first := make(chan struct{})
	go func() {
		defer close(done)
		for m := range s.All() {
			got = append(got, m)
			if len(got) == 1 {
				close(first)
			}
		}
	}()
	b.Publish(msg(collector.MessageTurnStarted, 1, "a", 0))
	<-first
	cancel()
	<-done
	if diff := cmp.Diff([]string{"turn.started@1 a/0"}, brief(got)); diff != "" {
		t.Error(diff)
	}
	s.Close()
	b.Publish(msg(collector.MessageTurnStarted, 2, "a", 0))
	if msgs, more := s.Take(); len(msgs) != 0 || more {
		t.Errorf("%d messages after the end, more %v", len(msgs), more)
	}
}

// TestConcurrently publishes from several goroutines while subscribers come and go; each sees ascending revisions.
func TestConcurrently(t *testing.T) {
	b := pubsub.New(64)
	b.Start(0)
	ctx, cancel := context.WithCancel(t.Context())
	var subs, pubs sync.WaitGroup
	for i := range 8 {
		subs.Go(func() {
			s := b.Subscribe(ctx, int64(i%2)-1, nil)
			last := int64(-1)
			for m := range s.All() {
				if m.Revision < last {
					t.Errorf("revision %d after %d", m.Revision, last)
				}
				last = m.Revision
			}
		})
	}
	var mu sync.Mutex
	var revision int64
	for range 4 {
		pubs.Go(func() {
			for range 500 {
				mu.Lock()
				revision++
				b.Publish(msg(collector.MessageTurnUpdated, revision, "a", int(revision%3)), msg(collector.MessageTurnToolCall, revision, "a", 0))
				mu.Unlock()
				b.Publish(msg(collector.MessageProgress, 0, "", -1))
			}
		})
	}
	pubs.Wait()
	cancel()
	subs.Wait()
}
