package main

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/report"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

type compareCmd struct {
	format
	A string `arg:"" help:"What to compare with: a session's id, a turn (id#number), or a group (filter:value,…)."`
	B string `arg:"" help:"What is compared, of the same kind."`
}

// Help is the command's longer help.
func (compareCmd) Help() string {
	return `Filters of a group are repo:, branch:, label:, agent:, model:, from: and to: (days); all of them must hold. What is told of
groups is told only as far as their size allows.

  turnwatch compare 7f3c21aa 91ab03cd                two sessions, with their sub-agents
  turnwatch compare 7f3c21aa#3 91ab03cd#2            two turns, call by call
  turnwatch compare label:before label:after         two groups
  turnwatch compare repo:web,model:small repo:web,model:large`
}

// Run compares.
func (c *compareCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	q := url.Values{"tz": {zoneName(s.Zone)}}
	for side, written := range map[string]string{"A": c.A, "B": c.B} {
		if err := r.side(q, side, written); err != nil {
			return err
		}
	}
	if q.Has("groupA") != q.Has("groupB") || q.Has("turnA") != q.Has("turnB") {
		return &collector.Error{Code: collector.CodeInvalid, Message: "both must be sessions, or turns (id#number), or groups (filter:value)"}
	}
	var all compare.Comparison
	body, err := r.get(ctx, "/api/compare", q, &all)
	if err != nil {
		return err
	}
	if err := r.nobody(ctx, all); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s, body)
	}
	report.Comparison(s, all, r.ids.Shorten())
	return nil
}

// nobody says which group has no session, if one has none: there is nothing to compare then.
func (r *reader) nobody(ctx context.Context, c compare.Comparison) error {
	var empty []string
	for _, side := range []compare.Side{c.A, c.B} {
		if len(side.Sessions) == 0 {
			empty = append(empty, screen.Line(side.Label))
		}
	}
	if len(empty) == 0 {
		return nil
	}
	msg := "there is no session of " + strings.Join(empty, ", and none of ")
	if strings.Contains(msg, "label:") {
		var used api.LabelList
		if _, err := r.get(ctx, "/api/labels", nil, &used); err != nil {
			return err
		}
		var names []string
		for _, l := range used.Labels {
			names = append(names, screen.Line(l.Label))
		}
		if len(names) == 0 {
			msg += "; no session has a label yet: the page gives them"
		} else {
			msg += "; labels in use: " + strings.Join(names, ", ")
		}
	}
	return &collector.Error{Code: collector.CodeNotFound, Message: msg}
}

// side adds one side to the query.
func (r *reader) side(q url.Values, side, written string) error {
	terms := strings.Split(written, ",")
	if len(terms) == 1 && !api.IsGroupFilter(written) {
		id, turn, err := r.reference(written)
		if err != nil {
			return err
		}
		q.Set(strings.ToLower(side), string(id))
		if turn != nil {
			q.Set("turn"+side, strconv.Itoa(*turn))
		}
		return nil
	}
	for _, term := range terms {
		if !api.IsGroupFilter(term) {
			id, err := r.resolve(term)
			if err != nil {
				return err
			}
			term = string(id)
		}
		q.Add("group"+side, term)
	}
	return nil
}
