package insights

import (
	"encoding/binary"
	"math"

	"github.com/turnwatch/turnwatch/collector"
)

// Current reports whether data is a roll-up that this build can read.
func Current(data []byte) bool { return len(data) > 0 && data[0] == Version }

// reader reads what a writer wrote. Behind its end, or after anything that cannot be, all is zero.
type reader struct{ data []byte }

func (r *reader) int() int64 {
	if len(r.data) > 0 && r.data[0] < 0x80 { // most numbers are small
		u := uint64(r.data[0])
		r.data = r.data[1:]
		return int64(u>>1) ^ -int64(u&1)
	}
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.data = nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// count reads how many items follow; each takes a byte at least.
func (r *reader) count() int {
	n := r.int()
	if n < 0 || n > int64(len(r.data)) {
		r.data = nil
		return 0
	}
	return int(n)
}

// name reads a name; its bytes are the roll-up's.
func (r *reader) name() []byte {
	n := r.count()
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// amount reads an amount, or nil, into at if there is one.
func (r *reader) amount() *collector.Amount {
	q := r.int()
	if q < 0 || len(r.data) < 8 {
		return nil
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	r.data = r.data[8:]
	return &collector.Amount{Value: v, Quality: collector.Quality(q)}
}

func (r *reader) tokens(t *collector.Tokens) {
	for _, c := range classes(t) {
		v := r.int()
		*c = collector.Count{Value: v >> 2, Quality: collector.Quality(v & 3)}
	}
}

func (r *reader) totals(t *collector.Totals) {
	for _, n := range []*int{&t.Turns, &t.RoundTrips, &t.Calls, &t.FailedCalls, &t.Errors, &t.Flags, &t.Compactions} {
		*n = int(r.int())
	}
	c := &t.Clocks
	c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs = r.int(), r.int(), r.int(), r.int()
	t.LinesAdded, t.LinesRemoved = int(r.int()), int(r.int())
	r.tokens(&t.Tokens)
	t.PremiumRequests, t.Credits, t.CostUSD = r.amount(), r.amount(), r.amount()
}

// add merges an encoded roll-up into s.
func (s *sums) add(data []byte) {
	if !Current(data) {
		return
	}
	r := reader{data[1:]}
	for range r.count() {
		name := r.name()
		t := s.tool(name, r.name())
		t.calls += int(r.int())
		t.failed += int(r.int())
		t.retries += int(r.int())
		t.totalMs += r.int()
		t.times.decode(&r)
	}
	for range r.count() {
		m := s.model(r.name())
		m.roundTrips += int(r.int())
		var t collector.Tokens
		r.tokens(&t)
		m.tokens = m.tokens.Plus(t)
		m.cost = plus(m.cost, r.amount())
		m.sessions++
	}
	for range r.count() {
		f := s.flag(r.name())
		n := int(r.int())
		f.count += n
		if s.ofRun != nil {
			s.ofRun[string(f.kind)] += n
		}
		f.turns += int(r.int())
		f.sessions++
	}
	var quarter int64
	for range r.count() {
		quarter += r.int()
		r.totals(&s.scratch)
		s.quarter(quarter, &s.scratch)
	}
}

func plus(a, b *collector.Amount) *collector.Amount {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := a.Plus(*b)
	return &sum
}
