package api_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// held is a store whose list of sessions takes until the test lets go, or the reading is given up.
type held struct {
	*store
	addr           string
	asked, release chan struct{}
}

func (h held) Sessions(ctx context.Context, q collector.SessionQuery) (collector.SessionPage, error) {
	h.asked <- struct{}{}
	select {
	case <-h.release:
		return h.store.Sessions(ctx, q)
	case <-ctx.Done():
		return collector.SessionPage{}, ctx.Err()
	}
}

// stopWhileAsked stops a server that is at a request, and has a socket. It returns how that request will be answered, and
// how stopping ends.
func stopWhileAsked(t *testing.T, cfg api.Config) (h held, answered chan int, stopped chan error) {
	t.Helper()
	d := deps()
	h = held{d.Store.(*store), "", make(chan struct{}), make(chan struct{})}
	d.Store = h
	addr, stop := running(t, cfg, d)
	h.addr = addr
	answered, stopped = make(chan int, 1), make(chan error, 1)
	go func() {
		status := 0
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/api/sessions", nil)
		if err == nil {
			var resp *http.Response
			if resp, err = http.DefaultClient.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				status = resp.StatusCode
			}
		}
		answered <- status
	}()
	<-h.asked
	s := dial(t, addr, "")
	s.next()
	go func() { stopped <- stop() }()
	_ = s.SetReadDeadline(time.Now().Add(patience))
	if _, _, err := s.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the socket got %v, want 1001", err)
	}
	return h, answered, stopped
}

// TestStopFinishesRequests: sockets are closed first, then whoever asked before gets his answer.
func TestStopFinishesRequests(t *testing.T) {
	h, answered, stopped := stopWhileAsked(t, api.Config{StopTime: patience})
	for { // until nobody is let in any more
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", h.addr)
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	close(h.release)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("answered with %d", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestStopWaitsForNobody: a request that takes too long is given up, and is no reason to end with an error.
func TestStopWaitsForNobody(t *testing.T) {
	_, answered, stopped := stopWhileAsked(t, api.Config{StopTime: time.Millisecond})
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if status := <-answered; status == http.StatusOK {
		t.Errorf("answered with %d", status)
	}
}
