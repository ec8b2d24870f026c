package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/focus"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/testdata"
)

// readDemo reads the recordings into a store in dir, as serve does.
func readDemo(ctx context.Context, dir string, how reading) (*sqlite.DB, error) {
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	done := &historyIn{ready: make(chan struct{})}
	pipe := pipeline.New(pipeline.Config{}, pipeline.Deps{
		Sources: how.sources, Store: store, Publisher: done, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Judges: how.judges,
	})
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- pipe.Run(ctx) }()
	select {
	case <-done.ready:
		stop()
		err = <-ended
	case err = <-ended:
		stop()
		err = errors.Join(err, ctx.Err())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the recordings: %w", err), store.Close())
	}
	return store, nil
}

// historyIn is a publisher that waits until history is in.
type historyIn struct {
	once  sync.Once
	ready chan struct{}
}

// Publish takes messages of the pipeline.
func (h *historyIn) Publish(msgs ...collector.Message) {
	for _, m := range msgs {
		if m.Progress != nil && m.Progress.Ready {
			h.once.Do(func() { close(h.ready) })
		}
	}
}

// attachFirst has pages begin with a recording that shows something. The newest, which they would take, says little.
func attachFirst(ctx context.Context, shared *focus.Focus) error {
	if _, err := shared.Attach(ctx, testdata.FirstDemo, true); err != nil && ctx.Err() == nil {
		return fmt.Errorf("demo: %w", err)
	}
	return ctx.Err()
}
