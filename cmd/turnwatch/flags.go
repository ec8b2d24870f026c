package main

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

type flagsCmd struct {
	format
	ID      string `arg:"" optional:"" help:"Only this session's, its sub-agents' included; id#3: only its third turn's."`
	Since   string `help:"Only turns that began since: 24h, 7d, 2w, a day, today, yesterday or all." default:"7d" placeholder:"WHEN"`
	Kind    string `short:"k" help:"Only flags of this kind." enum:",${flags}" default:"" placeholder:"KIND"`
	Explain bool   `help:"Say what each kind of flag means."`
}

// Help is the command's longer help.
func (flagsCmd) Help() string {
	return `A flag says that something in a turn looks wrong: a call that failed, the same call again, a loop, too many round trips.

  turnwatch flags                    of the last seven days
  turnwatch flags --since today -k loop
  turnwatch flags 7f3c21aa           of one session
  turnwatch flags 7f3c21aa#3         of its third turn
  turnwatch flags --explain          what the kinds mean`
}

// Run lists flags.
func (c *flagsCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	from, err := since(c.Since, s.Now().In(s.Zone))
	if err != nil {
		return err
	}
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	if c.Explain {
		return c.explain(ctx, r)
	}
	raised, err := c.raised(ctx, r, from.UnixMilli())
	if err != nil {
		return err
	}
	slices.SortStableFunc(raised, func(a, b report.Raised) int { return cmp.Compare(b.StartedAt, a.StartedAt) })
	if c.JSON {
		body, err := json.Marshal(map[string]any{"flags": raised})
		if err != nil {
			return err
		}
		return printJSON(s, body)
	}
	report.Flags(s, raised, r.ids.Shorten())
	return nil
}

func (c *flagsCmd) explain(ctx context.Context, r *reader) error {
	var docs api.FlagList
	body, err := r.get(ctx, "/api/flags", nil, &docs)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(r.screen, body)
	}
	for _, d := range docs.Flags {
		report.Explain(r.screen, string(d.Kind), d.Doc)
	}
	return nil
}

// raised returns the flags of the session or turn that was named, else of all turns since a moment in unix ms.
func (c *flagsCmd) raised(ctx context.Context, r *reader, at int64) ([]report.Raised, error) {
	raised := []report.Raised{}
	if c.ID == "" {
		sessions, err := r.since(ctx, at)
		for _, x := range sessions {
			if err == nil {
				raised, err = r.raised(ctx, x, at, c.Kind, raised)
			}
		}
		return raised, err
	}
	id, turn, err := r.reference(c.ID)
	if err != nil {
		return nil, err
	}
	var x collector.Session
	if _, err := r.get(ctx, ofSession(id, ""), nil, &x); err != nil {
		return nil, err
	}
	if turn == nil {
		return r.raised(ctx, &x, 0, c.Kind, raised)
	}
	if _, err := r.get(ctx, ofSession(id, "/turns/"+strconv.Itoa(*turn)), nil, nil); err != nil {
		return nil, err // there is no such turn
	}
	x.Children = nil
	raised, err = r.raised(ctx, &x, 0, c.Kind, raised)
	return slices.DeleteFunc(raised, func(f report.Raised) bool { return f.Turn != *turn }), err
}

// since returns the root sessions that wrote since a moment in unix ms.
func (r *reader) since(ctx context.Context, at int64) ([]*collector.Session, error) {
	var all []*collector.Session
	for cursor := ""; ; {
		var page collector.SessionPage
		if _, err := r.get(ctx, "/api/sessions", url.Values{"limit": {"500"}, "cursor": {cursor}}, &page); err != nil {
			return nil, err
		}
		for _, x := range page.Sessions {
			if x.TreeTotals.Flags > 0 && newest(x) >= at {
				all = append(all, x)
			}
		}
		if n := len(page.Sessions); page.Next == "" || page.Sessions[n-1].LastAt < at {
			return all, nil
		}
		cursor = page.Next
	}
}

// newest is when a session or one of its children last wrote.
func newest(x *collector.Session) int64 {
	at := x.LastAt
	for _, c := range x.Children {
		at = max(at, newest(c))
	}
	return at
}

// raised adds the flags of a session and its children.
func (r *reader) raised(ctx context.Context, x *collector.Session, at int64, kind string, all []report.Raised) ([]report.Raised, error) {
	if x.Totals.Flags > 0 {
		var page collector.TurnPage
		if _, err := r.get(ctx, ofSession(x.ID, "/turns"), url.Values{"flag": {kind}}, &page); err != nil {
			return nil, err
		}
		for _, t := range page.Turns {
			for _, f := range t.Flags {
				if t.StartedAt >= at && (kind == "" || string(f.Kind) == kind) {
					all = append(all, report.Raised{Session: x.ID, Turn: t.Index, StartedAt: t.StartedAt, Flag: f})
				}
			}
		}
	}
	var err error
	for _, c := range x.Children {
		if all, err = r.raised(ctx, c, at, kind, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}
