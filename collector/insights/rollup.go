package insights

import (
	"encoding/binary"
	"math"

	"github.com/turnwatch/turnwatch/collector"
)

// Version is the form of what Digest writes. A roll-up of another form is made anew from the turns.
const Version = 1

// Cost prices the tokens of a round trip in USD; unknown models cost an unknown amount.
type Cost func(model string, t collector.Tokens) collector.Amount

// rollup is what a session's turns add up to, apart from its totals.
type rollup struct {
	tools    []toolSums
	models   []modelSums
	flags    []flagSums
	quarters []quarterSums
}

type toolSums struct {
	tool     string
	category collector.Category
	calls    int
	failed   int
	retries  int
	totalMs  int64
	times    histogram
}

type modelSums struct {
	model      string
	roundTrips int
	tokens     collector.Tokens
	cost       *collector.Amount // nil = not billed in USD
}

type flagSums struct {
	kind  collector.FlagKind
	count int
	turns int
}

// quarterSums sums up the turns that started in one quarter of an hour: the offset of every time zone in use is a
// multiple of it, so that quarters add up to anybody's days.
type quarterSums struct {
	quarter int64
	totals  collector.Totals
}

const quarterMs = 15 * 60 * 1000

// writer appends numbers as varints.
type writer []byte

func (w *writer) int(vals ...int64) {
	for _, v := range vals {
		*w = binary.AppendVarint(*w, v)
	}
}

func (w *writer) string(s string) {
	w.int(int64(len(s)))
	*w = append(*w, s...)
}

func (w *writer) amount(a *collector.Amount) {
	if a == nil {
		w.int(-1)
		return
	}
	w.int(int64(a.Quality))
	*w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(a.Value))
}

func (w *writer) tokens(t *collector.Tokens) {
	for _, c := range classes(t) {
		w.int(c.Value<<2 | int64(c.Quality))
	}
}

func classes(t *collector.Tokens) [6]*collector.Count {
	return [...]*collector.Count{&t.Input, &t.CacheRead, &t.CacheWrite5m, &t.CacheWrite1h, &t.Output, &t.Reasoning}
}

func (w *writer) totals(t *collector.Totals) {
	c := t.Clocks
	w.int(int64(t.Turns), int64(t.RoundTrips), int64(t.Calls), int64(t.FailedCalls), int64(t.Errors), int64(t.Flags), int64(t.Compactions),
		c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs, int64(t.LinesAdded), int64(t.LinesRemoved))
	w.tokens(&t.Tokens)
	w.amount(t.PremiumRequests)
	w.amount(t.Credits)
	w.amount(t.CostUSD)
}

func (r *rollup) encode() []byte {
	w := writer{Version}
	w.int(int64(len(r.tools)))
	for i := range r.tools {
		t := &r.tools[i]
		w.string(t.tool)
		w.string(string(t.category))
		w.int(int64(t.calls), int64(t.failed), int64(t.retries), t.totalMs)
		t.times.encode(&w)
	}
	w.int(int64(len(r.models)))
	for i := range r.models {
		m := &r.models[i]
		w.string(m.model)
		w.int(int64(m.roundTrips))
		w.tokens(&m.tokens)
		w.amount(m.cost)
	}
	w.int(int64(len(r.flags)))
	for _, f := range r.flags {
		w.string(string(f.kind))
		w.int(int64(f.count), int64(f.turns))
	}
	w.int(int64(len(r.quarters)))
	var last int64
	for i := range r.quarters {
		q := &r.quarters[i]
		w.int(q.quarter - last)
		last = q.quarter
		w.totals(&q.totals)
	}
	return w
}
