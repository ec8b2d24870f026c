package main

import (
	"context"
	"fmt"
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
	if c.JSON {
		return printJSON(s, body)
	}
	report.Comparison(s, all, r.ids.Shorten())
	return nil
}

// side adds one side to the query.
func (r *reader) side(q url.Values, side, written string) error {
	terms := strings.Split(written, ",")
	if len(terms) == 1 && !api.IsGroupFilter(written) {
		id, turn, isTurn := strings.Cut(written, "#")
		whole, err := r.resolve(id)
		if err != nil {
			return err
		}
		q.Set(strings.ToLower(side), string(whole))
		if !isTurn {
			return nil
		}
		n, err := strconv.Atoi(turn)
		if err != nil || n < 1 {
			return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("turn %q: want its number, the first being 1", turn)}
		}
		q.Set("turn"+side, strconv.Itoa(n-1))
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
