package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// partBits is how many bits of a part's id number it within its session.
const partBits = 24

// partID numbers a part of a session. A number that no part has, since it would be another session's, is that of the last.
func partID(session int64, seq int) int64 { return session<<partBits | min(int64(seq), 1<<partBits-1) }

func partSeq(id int64) int { return int(id & (1<<partBits - 1)) }

// tokenCols are the columns of collector.Tokens, quality first.
const tokenCols = "input, cache_read, cache_write_5m, cache_write_1h, output, reasoning, quality, premium, credits"

type billing struct {
	tokens                 collector.Tokens
	premium, credits, cost *collector.Amount
	ofTree, ofTurn         bool
}

// Bits behind the qualities of all measures.
const (
	ofTreeBit = 1 << 18
	ofTurnBit = 1 << 19
)

func (b *billing) counts() [6]*collector.Count {
	t := &b.tokens
	return [...]*collector.Count{&t.Input, &t.CacheRead, &t.CacheWrite5m, &t.CacheWrite1h, &t.Output, &t.Reasoning}
}

func (b *billing) quality() int64 {
	var q int64
	for i, c := range b.counts() {
		q |= int64(c.Quality) << (2 * i)
	}
	for i, a := range []*collector.Amount{b.premium, b.credits, b.cost} {
		if a != nil {
			q |= int64(a.Quality) << (12 + 2*i)
		}
	}
	if b.ofTree {
		q |= ofTreeBit
	}
	if b.ofTurn {
		q |= ofTurnBit
	}
	return q
}

// args appends the values of tokenCols.
func (b *billing) args(dst []any) []any {
	for _, c := range b.counts() {
		dst = append(dst, c.Value)
	}
	return append(dst, b.quality(), amountArg(b.premium), amountArg(b.credits))
}

func amountArg(a *collector.Amount) any {
	if a == nil {
		return nil
	}
	return a.Value
}

// billingScan receives tokenCols and, if asked for, cost_usd.
type billingScan struct {
	values                 [6]int64
	quality                int64
	premium, credits, cost sql.NullFloat64
}

func (s *billingScan) dest(dst []any) []any {
	for i := range s.values {
		dst = append(dst, &s.values[i])
	}
	return append(dst, &s.quality, &s.premium, &s.credits)
}

func (s *billingScan) billing() billing {
	var b billing
	for i, c := range b.counts() {
		*c = collector.Count{Value: s.values[i], Quality: collector.Quality(s.quality >> (2 * i) & 3)}
	}
	amount := func(v sql.NullFloat64, i int) *collector.Amount {
		if !v.Valid {
			return nil
		}
		return &collector.Amount{Value: v.Float64, Quality: collector.Quality(s.quality >> (12 + 2*i) & 3)}
	}
	b.premium, b.credits, b.cost = amount(s.premium, 0), amount(s.credits, 1), amount(s.cost, 2)
	b.ofTree, b.ofTurn = s.quality&ofTreeBit != 0, s.quality&ofTurnBit != 0
	return b
}

// totalCols are the columns of collector.Totals.
const totalCols = "turns, round_trips, calls, failed_calls, errors, flag_count, compactions, " + tokenCols +
	", cost_usd, wall_ms, model_ms, tool_ms, wait_ms, lines_added, lines_removed"

func totalArgs(dst []any, t *collector.Totals) []any {
	for _, n := range []int{t.Turns, t.RoundTrips, t.Calls, t.FailedCalls, t.Errors, t.Flags, t.Compactions} {
		dst = append(dst, int64(n))
	}
	b := billing{t.Tokens, t.PremiumRequests, t.Credits, t.CostUSD, t.OfTree, t.OfTurn}
	dst = b.args(dst)
	c := t.Clocks
	return append(dst, amountArg(t.CostUSD), c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs, int64(t.LinesAdded), int64(t.LinesRemoved))
}

// totalScan receives totalCols into a Totals.
type totalScan struct {
	t *collector.Totals
	b billingScan
}

func (s *totalScan) dest(dst []any) []any {
	t := s.t
	dst = append(dst, &t.Turns, &t.RoundTrips, &t.Calls, &t.FailedCalls, &t.Errors, &t.Flags, &t.Compactions)
	dst = s.b.dest(dst)
	c := &t.Clocks
	return append(dst, &s.b.cost, &c.WallMs, &c.ModelMs, &c.ToolMs, &c.WaitMs, &t.LinesAdded, &t.LinesRemoved)
}

func (s *totalScan) done() {
	b := s.b.billing()
	s.t.Tokens, s.t.PremiumRequests, s.t.Credits, s.t.CostUSD = b.tokens, b.premium, b.credits, b.cost
	s.t.OfTree, s.t.OfTurn = b.ofTree, b.ofTurn
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return string(b)
}

func fromJSON(s string, v any) error {
	if err := json.Unmarshal([]byte(s), v); err != nil {
		return fmt.Errorf("%w: stored %T: %w", collector.ErrDamaged, v, err)
	}
	return nil
}
