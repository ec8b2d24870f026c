package main

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

type tailCmd struct {
	JSON      bool     `name:"json" help:"Print the WebSocket's messages, one JSON object per line."`
	ID        string   `arg:"" optional:"" help:"Follow this session and its sub-agents only."`
	Turns     int      `short:"n" help:"Begin with the last N turns of the session." default:"1" placeholder:"N"`
	Token     string   `help:"Token of the running Turnwatch, if it asks for one." env:"TURNWATCH_TOKEN" secret:""`
	LiveEvery interval `help:"How often to look which agents run." default:"5s" env:"TURNWATCH_LIVE_EVERY"`
}

// Help is the command's longer help.
func (tailCmd) Help() string {
	return `Follows the running Turnwatch, or, if none runs, reads the logs itself for as long as it is watched. Ctrl-C ends it.

  ▸ prompt   ● response   → call   ✓ ✗ result   ◆ marker   ⚑ flag   ■ end of the turn

  turnwatch tail                 all agents at work
  turnwatch tail 7f3c21aa        one session, from its latest turn on
  turnwatch tail --json | jq -c 'select(.type == "turn.completed")'`
}

// Run follows until interrupted.
func (c *tailCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	if g.Demo {
		return &collector.Error{Code: collector.CodeInvalid, Message: "the recordings do not grow: turnwatch show --demo shows them"}
	}
	if _, err := g.settle(); err != nil {
		return err
	}
	if in, err := readInstance(g.DataDir); err == nil && in.answers(ctx) {
		return c.beside(ctx, g, s, in)
	}
	return c.alone(ctx, g, s)
}

// beside follows a running Turnwatch, and reads what it writes.
func (c *tailCmd) beside(ctx context.Context, g *globals, s *screen.Screen, in instance) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	id, err := c.session(r)
	if err != nil {
		return err
	}
	messages, err := socketFeed(ctx, in, c.Token, id)
	if err != nil {
		return err
	}
	return c.follow(ctx, r, id, messages)
}

// alone does what a Turnwatch does, but serves nobody. It has the data directory to itself meanwhile.
func (c *tailCmd) alone(ctx context.Context, g *globals, s *screen.Screen) (err error) {
	lock, err := lockDataDir(g.DataDir)
	if err != nil {
		return err
	}
	defer lock.release()
	how, err := g.reading()
	if err != nil {
		return err
	}
	store, _, err := openStore(ctx, g.DataDir, s.Err)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if _, err := store.Reprice(ctx, how.own); err != nil {
		return err
	}
	messages, stop := pipelineFeed(ctx, s, store, how, time.Duration(c.LiveEvery))
	defer func() {
		if e := stop(); err == nil && ctx.Err() == nil {
			err = e
		}
	}()
	r := &reader{screen: s, store: store}
	r.serve(how)
	if err := r.refresh(ctx); err != nil {
		return err
	}
	id, err := c.session(r)
	if err != nil {
		return err
	}
	return c.follow(ctx, r, id, messages)
}

func (c *tailCmd) session(r *reader) (collector.SessionID, error) {
	if c.ID == "" {
		return "", nil
	}
	return r.resolve(c.ID)
}

// follow writes what the messages are about.
func (c *tailCmd) follow(ctx context.Context, r *reader, id collector.SessionID, messages feed) error {
	t := &tailing{reader: r, out: &report.Follower{Screen: r.screen, Short: r.ids.Shorten(), Named: id == ""}, from: map[collector.SessionID]int{}}
	now := r.screen.Now().UnixMilli()
	if id == "" {
		t.out.Since = now
	}
	if !c.JSON {
		if err := t.begin(ctx, id, c.Turns); err != nil {
			return err
		}
	}
	for m, err := range messages {
		if err != nil {
			return err
		}
		switch {
		case id != "" && m.Session != "" && !id.Covers(m.Session):
		case c.JSON:
			line, err := json.Marshal(m)
			if err != nil {
				return err
			}
			r.screen.Println(string(screen.JSON(line)))
		case m.Type == collector.MessageSessionUpdated:
			err = t.updated(ctx, m.Session)
		case m.Type == collector.MessageResync && id != "":
			err = t.updated(ctx, id)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// tailing is what was written of each session.
type tailing struct {
	reader *reader
	out    *report.Follower
	from   map[collector.SessionID]int // first turn that can still change
}

// begin writes the last n turns of the session.
func (t *tailing) begin(ctx context.Context, id collector.SessionID, n int) error {
	if id == "" {
		t.reader.screen.Notef("following all agents; Ctrl-C ends it")
		return nil
	}
	var page collector.TurnPage
	if _, err := t.reader.get(ctx, ofSession(id, "/turns"), nil, &page); err != nil {
		return err
	}
	t.from[id] = max(0, page.Total-n)
	return t.updated(ctx, id)
}

// updated writes what is new in a session.
func (t *tailing) updated(ctx context.Context, id collector.SessionID) error {
	if _, known := t.from[id]; !known {
		if err := t.meet(ctx, id); err != nil {
			return err
		}
	}
	var page collector.TurnPage
	_, err := t.reader.get(ctx, ofSession(id, "/turns"), url.Values{"from": {strconv.Itoa(t.from[id])}}, &page)
	if collector.ErrorCode(err) == collector.CodeNotFound {
		return nil // its log is being read anew
	}
	if err != nil {
		return err
	}
	for i, listed := range page.Turns {
		turn, _, _, err := t.reader.turn(ctx, id, listed.Index, false)
		if err != nil {
			return err
		}
		t.out.Turn(id, turn, i == len(page.Turns)-1)
		t.from[id] = turn.Index
	}
	return nil
}

// meet begins to follow a session that was not followed before: with its last turn, of which only what is new counts.
func (t *tailing) meet(ctx context.Context, id collector.SessionID) error {
	if err := t.reader.refresh(ctx); err != nil {
		return err
	}
	t.out.Short = t.reader.ids.Shorten()
	var page collector.TurnPage
	if _, err := t.reader.get(ctx, ofSession(id, "/turns"), nil, &page); err != nil && collector.ErrorCode(err) != collector.CodeNotFound {
		return err
	}
	t.from[id] = max(0, page.Total-1)
	return nil
}
