package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

const (
	clients = 20
	appends = 300
)

// live measures the time from an appended record to the message at each of 20 clients, with 2,000 files known.
func (b *bench) live(ctx context.Context) error {
	home, clean, err := b.work()
	if err != nil {
		return err
	}
	defer clean()
	m, err := corpus.Generate(home, corpus.Options{MB: 60, Sessions: 1999, Seed: 3})
	if err != nil {
		return err
	}
	l, err := corpus.NewLive(home, 1, 10, time.Now)
	if err != nil {
		return err
	}
	d, err := b.start(home, filepath.Join(home, "data"))
	if err != nil {
		return err
	}
	defer d.stop() //nolint:errcheck // what it used does not matter here
	if _, err := d.ready(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	w, err := watch(d, l.Session, clients)
	if err != nil {
		return err
	}
	defer w.close()
	time.Sleep(2 * time.Second)
	var ms []float64
	missed := 0
	for range appends {
		w.expect()
		at := time.Now()
		if err := l.Append(1); err != nil {
			return err
		}
		for _, t := range w.wait(2 * time.Second) {
			if t.IsZero() {
				missed++
			} else {
				ms = append(ms, float64(t.Sub(at).Microseconds())/1000)
			}
		}
		time.Sleep(30 * time.Millisecond)
	}
	p99 := quantile(ms, 0.99)
	b.add(p99 <= 50 && missed == 0, fmt.Sprintf("append → WebSocket message, %d clients, %d files: p99", clients, m.Total.Files+1), "≤ 50 ms",
		"%.1f ms (p50 %.1f, max %.1f; %d of %d missed)", p99, median(ms), quantile(ms, 1), missed, appends*clients)
	return nil
}

// watchers are clients that note when the next message about the session's turns arrives.
type watchers struct {
	conns []*websocket.Conn
	mu    sync.Mutex
	seen  []time.Time // per client, since expect; zero = nothing yet
	left  int
	all   chan struct{}
}

func watch(d *daemon, session string, n int) (*watchers, error) {
	w := &watchers{seen: make([]time.Time, n)}
	for i := range n {
		conn, resp, err := websocket.DefaultDialer.Dial(strings.Replace(d.url, "http", "ws", 1)+"/ws?session="+session, http.Header{"Origin": {d.url}})
		if err != nil {
			return nil, fmt.Errorf("dial: %w", err)
		}
		if resp.Body != nil {
			resp.Body.Close()
		}
		subscribe := map[string]any{"type": "subscribe", "session": session}
		if err := conn.WriteJSON(subscribe); err != nil {
			return nil, err
		}
		w.conns = append(w.conns, conn)
		go w.read(i, conn)
	}
	return w, nil
}

func (w *watchers) read(i int, conn *websocket.Conn) {
	for {
		_, data, err := conn.ReadMessage()
		if err != nil {
			return
		}
		now := time.Now()
		var m struct{ Type collector.MessageType }
		if json.Unmarshal(data, &m) != nil || !strings.HasPrefix(string(m.Type), "turn.") {
			continue
		}
		w.mu.Lock()
		if w.left > 0 && w.seen[i].IsZero() {
			w.seen[i] = now
			if w.left--; w.left == 0 {
				close(w.all)
			}
		}
		w.mu.Unlock()
	}
}

// expect begins to wait for the next message at every client.
func (w *watchers) expect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.seen)
	w.left, w.all = len(w.seen), make(chan struct{})
}

func (w *watchers) wait(limit time.Duration) []time.Time {
	select {
	case <-w.all:
	case <-time.After(limit):
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = 0
	return slices.Clone(w.seen)
}

func (w *watchers) close() {
	for _, c := range w.conns {
		c.Close()
	}
}
