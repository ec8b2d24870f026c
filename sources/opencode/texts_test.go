package opencode_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

// ready closes when a pipeline has read all history.
type ready chan struct{}

func (r ready) Publish(msgs ...collector.Message) {
	for _, m := range msgs {
		if m.Type == collector.MessageProgress && m.Progress.Ready {
			close(r)
			return
		}
	}
}

// stored reads a home into a store, and returns it and a reader of whole texts.
func stored(t testing.TB, home string) (*sqlite.DB, *transcript.Reader) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	sources := []collector.Source{opencode.New(host(t, home))}
	over := make(ready)
	p := pipeline.New(pipeline.Config{}, pipeline.Deps{
		Sources: sources, Store: store, Publisher: over, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Judges: fold.Judges{Analyzers: analyzers.All(analyzers.Config{})},
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	select {
	case <-over:
		cancel()
		err = <-done
	case err = <-done:
		cancel()
		t.Error("the pipeline ended before it had read all")
	}
	if err != nil {
		t.Fatal(err)
	}
	return store, transcript.New(store, sources)
}

// TestWholeTexts: what the store keeps as a preview is found again in the database, by its place.
func TestWholeTexts(t *testing.T) {
	dir, db := home(t, "tools")
	long := strings.Repeat("a long story; ", 100)
	for id, set := range map[string]string{
		"prt_22dbf432c001l3FjCU9MQND2nq": "$.text",          // the first prompt
		"prt_22dbf9f25001jHh7pbAFdLfd7S": "$.text",          // its reply
		"prt_22dbf72f5001t2RdSF7UC4u92J": "$.state.output",  // of call 2
		"prt_22dbff4e000151vLS8RAPljCsV": "$.state.input.x", // of call 10, in the second turn
	} {
		exec(t, db, "UPDATE part SET data = json_set(data, ?, ?) WHERE id = ?", set, long, id)
	}
	_, r := stored(t, dir)
	id := collector.NewSessionID("opencode", toolsSession)
	turn, err := r.Turn(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if turn.Prompt.Preview != long || turn.Reply.Preview != long {
		t.Errorf("prompt of %d bytes, reply of %d, want %d", len(turn.Prompt.Preview), len(turn.Reply.Preview), len(long))
	}
	for seq, text := range map[int]func(*collector.ToolCall) string{
		2:  func(c *collector.ToolCall) string { return c.Result.Preview },
		10: func(c *collector.ToolCall) string { return c.Args.Preview },
	} {
		call, err := r.Call(t.Context(), id, seq)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text(call), long) {
			t.Errorf("call %d: %.80q", seq, text(call))
		}
	}
	raw, err := r.Raw(t.Context(), id, turn.Prompt.Ref.Offset, turn.Prompt.Ref.Length)
	if err != nil || !strings.Contains(raw.Text, long) || strings.Contains(raw.Text, "\n") {
		t.Errorf("raw: %.100q, %v", raw.Text, err)
	}
	all, err := r.Conversation(t.Context(), id, collector.ConversationQuery{Limit: 200})
	if err != nil || len(all.Messages) != 15 || all.Messages[0].Content[0].Text != long {
		t.Errorf("conversation of %d messages, %v", len(all.Messages), err)
	}
}
