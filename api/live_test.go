package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// patience bounds waiting for a message that must come.
const patience = 30 * time.Second

// frame is a message as a client sees it.
type frame struct {
	Type     collector.MessageType
	Revision int64
	Session  collector.SessionID
	Data     json.RawMessage
}

// socket is a client.
type socket struct {
	*websocket.Conn
	t *testing.T
}

func dial(t *testing.T, addr, query string) *socket {
	t.Helper()
	conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/ws"+query, http.Header{"Origin": {"http://" + addr}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	t.Cleanup(func() { conn.Close() })
	return &socket{conn, t}
}

func (s *socket) next() frame {
	s.t.Helper()
	_ = s.SetReadDeadline(time.Now().Add(patience))
	var f frame
	if err := s.ReadJSON(&f); err != nil {
		s.t.Fatal(err)
	}
	return f
}

// wantAll reads frames and compares their types, revisions and sessions.
func (s *socket) wantAll(want ...frame) {
	s.t.Helper()
	for _, w := range want {
		got := s.next()
		got.Data = nil
		if diff := cmp.Diff(w, got); diff != "" {
			s.t.Fatalf("another frame: %s", diff)
		}
	}
}

func turn(t collector.MessageType, revision int64, session collector.SessionID) collector.Message {
	index := 0
	return collector.Message{Type: t, Revision: revision, Session: session, Turn: &index}
}

func TestHelloComesFirst(t *testing.T) {
	d := deps()
	d.Broker.Start(41)
	addr, _ := start(t, api.Config{}, d)
	got := dial(t, addr, "?session=acme:one&raw=1").next()
	var h api.Hello
	if err := json.Unmarshal(got.Data, &h); err != nil {
		t.Fatal(err)
	}
	if got.Type != collector.MessageHello || got.Revision != 41 || h.Version != "1.2.3" || h.Session != "acme:one" || !h.Raw || !h.Progress.Ready || h.Focus.AutoAttach.Candidates == nil {
		t.Errorf("got %+v %+v", got, h)
	}
}

// TestWhoGetsWhat sends one of each to a client without a session and to one with.
func TestWhoGetsWhat(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	general, watching, raw := dial(t, addr, ""), dial(t, addr, ""), dial(t, addr, "?raw=1&session=acme:one")
	general.next()
	watching.next()
	raw.next()
	if err := watching.WriteJSON(map[string]any{"type": "subscribe", "session": "acme:one", "raw": false}); err != nil {
		t.Fatal(err)
	}
	watching.wantAll(frame{Type: collector.MessageHello, Session: "acme:one"})
	d.Broker.Publish(
		turn(collector.MessageTurnStarted, 1, "acme:one"), turn(collector.MessageTurnToolCall, 1, "acme:one~kid"),
		turn(collector.MessageTurnCompleted, 1, "acme:onetwo"), turn(collector.MessageTurnUpdated, 1, "acme:two"),
		collector.Message{Type: collector.MessageLogRaw, Revision: 1, Session: "acme:one", Ref: &collector.Ref{Line: 7}},
		collector.Message{Type: collector.MessageSessionContext, Revision: 1, Session: "acme:one"},
		collector.Message{Type: collector.MessageSessionUpdated, Revision: 1, Session: "acme:two"},
	)
	d.Broker.Publish(collector.Message{Type: collector.MessageAttached, Session: "acme:two"})
	d.Broker.Publish(collector.Message{Type: collector.MessageProgress, Progress: &collector.Progress{}})
	everybody := []frame{
		{Type: collector.MessageSessionUpdated, Revision: 1, Session: "acme:two"},
		{Type: collector.MessageAttached, Revision: 1, Session: "acme:two"},
		{Type: collector.MessageProgress, Revision: 1},
	}
	mine := []frame{{Type: collector.MessageTurnStarted, Revision: 1, Session: "acme:one"}, {Type: collector.MessageTurnToolCall, Revision: 1, Session: "acme:one~kid"}}
	log := frame{Type: collector.MessageLogRaw, Revision: 1, Session: "acme:one"}
	state := frame{Type: collector.MessageSessionContext, Revision: 1, Session: "acme:one"}
	general.wantAll(everybody...)
	watching.wantAll(append(append(mine, state), everybody...)...)
	raw.wantAll(append(append(mine, log, state), everybody...)...)
}

func TestSubscribeToNothingAgain(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	s := dial(t, addr, "?session=acme:one")
	s.next()
	for _, message := range []string{`{"type":"later"}`, `{"type":"subscribe","session":null}`} {
		if err := s.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	s.wantAll(frame{Type: collector.MessageHello})
	d.Broker.Publish(turn(collector.MessageTurnStarted, 1, "acme:one"), collector.Message{Type: collector.MessageSessionUpdated, Revision: 1, Session: "acme:one"})
	s.wantAll(frame{Type: collector.MessageSessionUpdated, Revision: 1, Session: "acme:one"})
}

// TestReconnect breaks off, misses messages and comes back with the last revision.
func TestReconnect(t *testing.T) {
	d := deps()
	d.Broker.Start(0)
	addr, _ := start(t, api.Config{}, d)
	s := dial(t, addr, "?session=acme:one")
	s.next()
	d.Broker.Publish(turn(collector.MessageTurnStarted, 1, "acme:one"))
	s.wantAll(frame{Type: collector.MessageTurnStarted, Revision: 1, Session: "acme:one"})
	s.Close()
	d.Broker.Publish(turn(collector.MessageTurnToolCall, 2, "acme:one"))
	d.Broker.Publish(turn(collector.MessageTurnToolCall, 3, "acme:two"), turn(collector.MessageTurnCompleted, 3, "acme:one"))
	again := dial(t, addr, "?session=acme:one&since=1")
	again.wantAll(
		frame{Type: collector.MessageHello, Revision: 1, Session: "acme:one"},
		frame{Type: collector.MessageTurnStarted, Revision: 1, Session: "acme:one"},
		frame{Type: collector.MessageTurnToolCall, Revision: 2, Session: "acme:one"},
		frame{Type: collector.MessageTurnCompleted, Revision: 3, Session: "acme:one"},
	)
	other := dial(t, addr, "?since=99")
	other.wantAll(frame{Type: collector.MessageHello, Revision: 3}, frame{Type: collector.MessageResync, Revision: 3})
}

func TestClientsAreCounted(t *testing.T) {
	addr, s := start(t, api.Config{}, deps())
	until := func(want int) {
		t.Helper()
		again := time.NewTicker(5 * time.Millisecond)
		defer again.Stop()
		for late := time.After(patience); s.Clients() != want; {
			select {
			case <-again.C:
			case <-late:
				t.Fatalf("%d clients, want %d", s.Clients(), want)
			}
		}
	}
	until(0)
	a, b := dial(t, addr, ""), dial(t, addr, "")
	until(2)
	a.Close()
	until(1)
	b.Close()
	until(0)
}

// TestLabelsAreTold: whoever watches hears of a label, also who was away meanwhile; a refused one is no news.
func TestLabelsAreTold(t *testing.T) {
	d := deps()
	d.Broker.Start(41)
	addr, _ := start(t, api.Config{}, d)
	s := dial(t, addr, "")
	s.wantAll(frame{Type: collector.MessageHello, Revision: 41})
	d.Broker.Publish(collector.Message{Type: collector.MessageSessionUpdated, Revision: 42, Session: "acme:two"})
	updated := frame{Type: collector.MessageSessionUpdated, Revision: 42, Session: "acme:two"}
	s.wantAll(updated)
	const path = "/api/sessions/one/labels"
	told := frame{Type: collector.MessageSessionLabels, Revision: 42, Session: "acme:one"}
	for _, c := range []scenario{
		{name: "add", method: "POST", url: path, body: `{"label":"x"}`, status: 200},
		{name: "remove", method: "DELETE", url: path + "?label=x", status: 200},
		{name: "remove again", method: "DELETE", url: path + "?label=x", status: 404},
		{name: "add again", method: "POST", url: path, body: `{"label":"y"}`, status: 200},
	} {
		if c.run(t, addr); c.status == 200 {
			s.wantAll(told) // one at a time: those that wait together are one
		}
	}
	dial(t, addr, "?since=42").wantAll(frame{Type: collector.MessageHello, Revision: 42}, updated, told)
}
