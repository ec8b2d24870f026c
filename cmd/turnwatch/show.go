package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

type showCmd struct {
	format
	ID       string `arg:"" help:"The session's id, or its beginning; id#3 is its third turn."`
	Turn     *int   `short:"t" help:"Show the turn of that number, the first being 1, with all that happened in it." placeholder:"N"`
	Previews bool   `help:"Do not read whole texts from the agent's log."`
}

// Help is the command's longer help.
func (showCmd) Help() string {
	return `Without --turn: what the session is, and its turns, one line each. With --turn: the prompt, every response, call,
result and marker, in order, with whole texts from the agent's own log as long as that is there.

  turnwatch show 7f3c21aa
  turnwatch show 7f3c21aa --turn 3     the same as: turnwatch show 7f3c21aa#3
  turnwatch show 7f3c --json | jq .totals`
}

// Validate refuses what is no turn's number.
func (c *showCmd) Validate() error {
	if c.Turn != nil && *c.Turn < 1 {
		return fmt.Errorf("--turn %d: want its number, the first being 1", *c.Turn)
	}
	return nil
}

// Run shows a session or a turn.
func (c *showCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	id, turn, err := r.reference(c.ID)
	if err != nil {
		return err
	}
	if c.Turn != nil {
		if turn != nil {
			return &collector.Error{Code: collector.CodeInvalid, Message: "name the turn once: behind the #, or with --turn"}
		}
		turn = new(*c.Turn - 1)
	}
	var session collector.Session
	body, err := r.get(ctx, ofSession(id, ""), nil, &session)
	if err != nil {
		return err
	}
	if turn != nil {
		return c.turn(ctx, r, &session, *turn)
	}
	if c.JSON {
		return printJSON(s, body)
	}
	var page collector.TurnPage
	if _, err := r.get(ctx, ofSession(id, "/turns"), nil, &page); err != nil {
		return err
	}
	report.Session(s, &session, page.Turns, r.ids.Shorten())
	return nil
}

func (c *showCmd) turn(ctx context.Context, r *reader, session *collector.Session, index int) error {
	turn, body, _, err := r.turn(ctx, session.ID, index, !c.Previews)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(r.screen, body)
	}
	report.Turn(r.screen, session, turn, r.ids.Shorten())
	return nil
}

// turn reads a turn, with whole texts if they are wanted and still there, and says whether they are.
func (r *reader) turn(ctx context.Context, id collector.SessionID, index int, full bool) (turn *collector.Turn, body []byte, whole bool, err error) {
	turn = &collector.Turn{}
	path := ofSession(id, "/turns/"+strconv.Itoa(index))
	if full {
		body, err = r.get(ctx, path, url.Values{"full": {"true"}}, turn)
		if collector.ErrorCode(err) != collector.CodeUnavailable {
			return turn, body, true, err
		}
		r.screen.Notef("%v", err)
	}
	body, err = r.get(ctx, path, nil, turn)
	return turn, body, false, err
}
