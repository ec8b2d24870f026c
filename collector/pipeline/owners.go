package pipeline

import (
	"context"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// contest is a round trip's name, and the sessions of this batch that began to show it.
type contest struct {
	agent     collector.Agent
	claimants []*entry
}

// settleClaims decides which session owns round trips that several show: it is the same whatever order they are read in.
func (p *Pipeline) settleClaims(ctx context.Context) {
	contests := map[string]*contest{}
	for e := range p.batch.dirty {
		for _, r := range e.fold.Claims() {
			e.claims[r] = true
			c := contests[r.Key]
			if c == nil {
				c = &contest{agent: e.id.Agent()}
				contests[r.Key] = c
			}
			c.claimants = append(c.claimants, e)
		}
	}
	for key, agent := range p.batch.released {
		if contests[key] == nil {
			contests[key] = &contest{agent: agent}
		}
	}
	if len(contests) > 0 && p.claimed == nil {
		var err error
		if p.claimed, err = loadClaims(ctx, p.deps.Store); err != nil {
			p.batch.broken = err
			return
		}
	}
	for key, c := range contests {
		if err := p.contenders(ctx, key, c); err != nil {
			p.batch.broken = err
			return
		}
		p.award(key, c.claimants)
	}
}

// contenders adds the sessions that showed the name before.
func (p *Pipeline) contenders(ctx context.Context, key string, c *contest) error {
	if p.claimed.mayHave(key) {
		others, err := p.deps.Store.Claimants(ctx, c.agent, key, "")
		if err != nil {
			return err
		}
		for _, id := range others {
			// One that is read anew may not show it any more.
			if e := p.session(ctx, id); e != nil && e.fold.Shows(key) && !slices.Contains(c.claimants, e) {
				c.claimants = append(c.claimants, e)
			}
		}
	}
	p.claimed.add(key)
	return nil
}

// award gives the round trip to one of the sessions that show it.
func (p *Pipeline) award(key string, claimants []*entry) {
	if len(claimants) == 0 {
		return
	}
	owner := slices.MinFunc(claimants, fold.ByOwnership(func(e *entry) *collector.Session { return e.fold.Row() }))
	for _, e := range claimants {
		by := owner.id
		if e == owner {
			by = ""
		}
		if e.fold.Disown(key, by) {
			p.batch.dirty[e] = struct{}{}
		}
	}
}
