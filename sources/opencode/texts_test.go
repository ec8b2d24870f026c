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

// TestPictures: what is pasted or read as a picture says nothing here, and stays where it is; what is far too long is
// counted as not readable, and takes nothing else with it.
func TestPictures(t *testing.T) {
	dir, db := home(t, "tools")
	long := strings.Repeat("A", 1<<20)
	exec(t, db, "UPDATE message SET data = json_set(data, '$.summary', json_object('diffs', json_array(?))) WHERE data ->> 'role' = 'user'", long)
	exec(t, db, "UPDATE part SET data = json_set(data, '$.state.attachments', json_array(json_object('url', ?))) WHERE data ->> 'type' = 'tool'", long)
	exec(t, db, "UPDATE part SET data = json_object('type', 'file', 'url', ?) WHERE data ->> 'type' = 'step-start'", long)
	exec(t, db, "UPDATE part SET data = json_set(data, '$.text', ?) WHERE id = 'prt_22dbf9f25001jHh7pbAFdLfd7S'", strings.Repeat(long, 17))
	src := opencode.New(host(t, dir))
	st, cp, calls, unreadable := stream(t, src), collector.Checkpoint{}, 0, 0
	for r, err := range src.Read(t.Context(), st, &cp) {
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Data) > 100_000 {
			t.Errorf("record of %d bytes", len(r.Data))
		}
		events, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range events {
			switch ev.Kind {
			case collector.EventCall:
				calls++
			case collector.EventMalformed:
				unreadable++
			}
		}
	}
	if calls != 12 || unreadable != 1 {
		t.Errorf("%d calls and %d unreadable, want 12 and 1", calls, unreadable)
	}
}
