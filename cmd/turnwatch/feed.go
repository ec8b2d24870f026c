package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/pubsub"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// feed yields the messages of a Turnwatch until ctx ends. An error ends it.
type feed = iter.Seq2[collector.Message, error]

var errToken = errors.New("the running Turnwatch asks for its token: set TURNWATCH_TOKEN, or token in the configuration file")

// socketFeed follows a running Turnwatch. Of a session's turns it tells only if the session is named.
func socketFeed(ctx context.Context, in instance, token string, session collector.SessionID) (feed, error) {
	address := "ws" + strings.TrimPrefix(in.URL, "http") + "/ws"
	if session != "" {
		address += "?session=" + url.QueryEscape(string(session))
	}
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	conn, resp, err := websocket.DefaultDialer.DialContext(ctx, address, header) //nolint:bodyclose // the library's answer needs no closing
	if err != nil {
		if resp != nil && resp.StatusCode == http.StatusUnauthorized {
			return nil, errToken
		}
		return nil, fmt.Errorf("follow %s: %w", in.URL, err)
	}
	return func(yield func(collector.Message, error) bool) {
		defer func() { _ = conn.Close() }()
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		defer stop()
		for {
			var m collector.Message
			if err := conn.ReadJSON(&m); err != nil {
				if ctx.Err() == nil {
					yield(m, fmt.Errorf("the Turnwatch that was followed has gone: %w", err))
				}
				return
			}
			if !yield(m, nil) {
				return
			}
		}
	}, nil
}

// pipelineFeed reads the logs in this process, tells on the screen how reading history goes, and follows what comes.
func pipelineFeed(ctx context.Context, s *screen.Screen, store *sqlite.DB, how reading, every time.Duration) (feed, func() error) {
	broker := pubsub.New(4096)
	ready := &historyIn{ready: make(chan struct{})}
	pipe := pipeline.New(pipeline.Config{LiveEvery: every}, pipeline.Deps{
		Sources: how.sources, Store: store, Publisher: publishers{broker, ready}, Now: time.Now, Judges: how.judges,
		Logger: s.Logger(slog.LevelWarn),
	})
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- pipe.Run(ctx)
		cancel()
	}()
	stop := func() error {
		cancel()
		return <-ended
	}
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for waiting := true; waiting; {
		select {
		case <-ready.ready:
			waiting = false
		case <-ctx.Done():
			waiting = false
		case <-tick.C:
			p := pipe.Ingest().Progress
			s.Progress(fmt.Sprintf("reading %d of %d logs, %s of %s", p.Streams, p.StreamsTotal, screen.Size(p.Bytes), screen.Size(p.BytesTotal)))
		}
	}
	s.Progress("")
	sub := broker.Subscribe(ctx, -1, func(*collector.Message) bool { return true })
	return func(yield func(collector.Message, error) bool) {
		defer sub.Close()
		for m := range sub.All() {
			if !yield(m, nil) {
				return
			}
		}
	}, stop
}

// publishers tells several.
type publishers []pipeline.Publisher

// Publish takes messages of the pipeline.
func (p publishers) Publish(msgs ...collector.Message) {
	for _, each := range p {
		each.Publish(msgs...)
	}
}
