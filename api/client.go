package api

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/gofiber/contrib/websocket"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

// goodbyeTimeout is how long a client may take to answer a close.
const goodbyeTimeout = time.Second

// client is one socket. Two goroutines work for it: the handler reads, and one other is the only one that writes frames.
type client struct {
	hub     *hub
	conn    *websocket.Conn
	view    atomic.Pointer[view]
	replies chan struct{} // the view changed: confirm it
	leaving atomic.Pointer[time.Time]
}

// view is what a client asked to see.
type view struct {
	session collector.SessionID
	raw     bool
}

// wants is the client's filter: turns and raw records of its session and that one's children; and what concerns all.
func (c *client) wants(m *collector.Message) bool {
	v := c.view.Load()
	switch m.Type {
	case collector.MessageLogRaw:
		return v.raw && v.session.Covers(m.Session)
	case collector.MessageSessionContext, collector.MessageTurnStarted, collector.MessageTurnToolCall,
		collector.MessageTurnUpdated, collector.MessageTurnCompleted:
		return v.session.Covers(m.Session)
	}
	return true
}

// read takes what the client sends until the connection ends.
func (c *client) read() {
	c.conn.SetReadLimit(readLimit)
	c.conn.SetPongHandler(c.alive)
	_ = c.alive("")
	for {
		_, data, err := c.conn.ReadMessage()
		if err != nil {
			return
		}
		var s Subscribe
		if err := json.Unmarshal(data, &s); err != nil {
			c.goodbye(websocket.CloseInvalidFramePayloadData, "not JSON")
			return
		}
		if s.Type != "subscribe" {
			continue // a newer page may say more
		}
		v := &view{raw: s.Raw}
		if s.Session != nil {
			v.session = *s.Session
		}
		c.view.Store(v)
		select {
		case c.replies <- struct{}{}:
		default: // one is due already, and will tell the present view
		}
	}
}

// write sends messages until ctx ends or the client does not take them in time; it sees to it that read ends too.
func (c *client) write(ctx context.Context, sub *pubsub.Subscription) {
	ping := time.NewTicker(c.hub.cfg.PingEvery)
	defer ping.Stop()
	for ok := c.sendHello(sub.From()); ok; {
		select {
		case <-ctx.Done():
			// Not closed at once: the client's answer would meet a closed port, and it would see a broken connection.
			c.goodbye(websocket.CloseGoingAway, "the server is stopping")
			c.leave(goodbyeTimeout)
			return
		case <-sub.Wake():
			msgs, _ := sub.Take()
			ok = c.send(msgs)
		case <-c.replies:
			// The revision first: all messages up to it are then in the queue and go out before the hello.
			revision := c.hub.broker.Revision()
			msgs, _ := sub.Take()
			ok = c.send(msgs) && c.sendHello(revision)
		case <-ping.C:
			ok = c.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(c.hub.cfg.WriteTimeout)) == nil
		}
	}
	c.leave(0)
}

// alive grants the client another while of silence.
func (c *client) alive(string) error {
	err := c.conn.SetReadDeadline(time.Now().Add(c.hub.cfg.PongTimeout))
	if until := c.leaving.Load(); until != nil {
		return c.conn.SetReadDeadline(*until)
	}
	return err
}

// leave ends read after a while. Close would not: fasthttp closes a hijacked connection only after its handler returned.
func (c *client) leave(after time.Duration) {
	until := time.Now().Add(after)
	c.leaving.Store(&until)
	_ = c.conn.SetReadDeadline(until)
}

func (c *client) sendHello(revision int64) bool {
	h := c.hub.hello()
	v := c.view.Load()
	h.Session, h.Raw = v.session, v.raw
	return c.send([]collector.Message{{Type: collector.MessageHello, Revision: revision, Session: v.session, Data: h}})
}

func (c *client) send(msgs []collector.Message) bool {
	for i := range msgs {
		frame, err := json.Marshal(messageOut(msgs[i]))
		if err != nil {
			c.hub.log.Error("message cannot be encoded", "type", msgs[i].Type, "err", err)
			return false
		}
		// Without a deadline a client that does not read would hold the writer for ever.
		_ = c.conn.SetWriteDeadline(time.Now().Add(c.hub.cfg.WriteTimeout))
		if c.conn.WriteMessage(websocket.TextMessage, frame) != nil {
			return false
		}
	}
	return true
}

// goodbye sends a close frame; control frames may be sent beside the writer.
func (c *client) goodbye(code int, reason string) {
	_ = c.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(goodbyeTimeout))
}
