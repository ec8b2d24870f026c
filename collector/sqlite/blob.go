package sqlite

import (
	"encoding/binary"
	"math"

	"github.com/turnwatch/turnwatch/collector"
)

// A blob holds the fields of a part that no query asks for, as varints in a fixed order. Fields may be added at the
// end: what an older blob lacks reads as zero.
type blob []byte

func (b *blob) int(vals ...int64) {
	for _, v := range vals {
		*b = binary.AppendVarint(*b, v)
	}
}

func (b *blob) hash(h uint64) { *b = binary.LittleEndian.AppendUint64(*b, h) }

func (b *blob) bool(v bool) {
	if v {
		*b = append(*b, 1)
	} else {
		*b = append(*b, 0)
	}
}

func (b *blob) amount(a *collector.Amount) {
	if a == nil {
		*b = append(*b, 0)
		return
	}
	*b = append(*b, 1+byte(a.Quality))
	b.hash(math.Float64bits(a.Value))
}

func (b *blob) refs(refs ...collector.Ref) {
	for _, r := range refs {
		b.int(r.Offset, r.Length, r.Line)
	}
}

// reader reads a blob; behind its end all is zero.
type reader []byte

func (r *reader) int() int64 {
	v, n := binary.Varint(*r)
	*r = (*r)[max(n, 0):]
	return v
}

func (r *reader) hash() uint64 {
	if len(*r) < 8 {
		*r = nil
		return 0
	}
	v := binary.LittleEndian.Uint64(*r)
	*r = (*r)[8:]
	return v
}

func (r *reader) byte() byte {
	if len(*r) == 0 {
		return 0
	}
	v := (*r)[0]
	*r = (*r)[1:]
	return v
}

func (r *reader) amount() *collector.Amount {
	q := r.byte()
	if q == 0 {
		return nil
	}
	return &collector.Amount{Quality: collector.Quality(q - 1), Value: math.Float64frombits(r.hash())}
}

func (r *reader) refs(refs ...*collector.Ref) {
	for _, f := range refs {
		f.Offset, f.Length, f.Line = r.int(), r.int(), r.int()
	}
}

func packRefs(refs ...collector.Ref) []byte {
	b := make(blob, 0, 10*len(refs))
	b.refs(refs...)
	return b
}

func unpackRefs(data []byte, refs ...*collector.Ref) {
	r := reader(data)
	r.refs(refs...)
}

func packTrip(t *collector.RoundTrip) []byte {
	b := make(blob, 0, 72)
	bill := billing{tokens: t.Tokens}
	b.int(t.StartedAt, t.EndedAt-t.StartedAt, t.Text.Bytes, t.Thinking.Bytes, int64(t.Calls), int64(t.UsageRank), bill.quality())
	for _, c := range bill.counts() {
		b.int(c.Value)
	}
	b.bool(t.Redacted)
	b.bool(t.Inherited)
	b.bool(t.Compaction)
	b.amount(t.Premium)
	b.amount(t.Credits)
	b.refs(t.Ref, t.Text.Ref, t.Thinking.Ref)
	b.amount(t.CostUSD)
	return b
}

func unpackTrip(data []byte, t *collector.RoundTrip) {
	r := reader(data)
	t.StartedAt = r.int()
	t.EndedAt = t.StartedAt + r.int()
	t.Text.Bytes, t.Thinking.Bytes, t.Calls, t.UsageRank = r.int(), r.int(), int(r.int()), collector.UsageRank(r.int())
	var bill billing
	quality := r.int()
	for i, c := range bill.counts() {
		*c = collector.Count{Value: r.int(), Quality: collector.Quality(quality >> (2 * i) & 3)}
	}
	t.Tokens = bill.tokens
	t.Redacted, t.Inherited, t.Compaction = r.byte() == 1, r.byte() == 1, r.byte() == 1
	t.Premium, t.Credits = r.amount(), r.amount()
	r.refs(&t.Ref, &t.Text.Ref, &t.Thinking.Ref)
	t.CostUSD = r.amount()
}

func packCall(c *collector.ToolCall) []byte {
	b := make(blob, 0, 64)
	b.int(int64(c.RoundTrip), int64(c.Effect), c.StartedAt, c.EndedAt-c.StartedAt, c.Args.Bytes, c.Result.Bytes, c.WaitMs,
		int64(c.LinesAdded), int64(c.LinesRemoved))
	b.hash(c.ArgsHash)
	b.hash(c.ResultHash)
	b.bool(c.Background)
	b.bool(c.ExitCode != nil)
	if c.ExitCode != nil {
		b.int(int64(*c.ExitCode))
	}
	b.refs(c.Ref, c.Result.Ref)
	return b
}

func unpackCall(data []byte, c *collector.ToolCall) {
	r := reader(data)
	c.RoundTrip, c.Effect, c.StartedAt = int(r.int()), collector.Effect(r.int()), r.int()
	c.EndedAt = c.StartedAt + r.int()
	c.Args.Bytes, c.Result.Bytes, c.WaitMs = r.int(), r.int(), r.int()
	c.LinesAdded, c.LinesRemoved = int(r.int()), int(r.int())
	c.ArgsHash, c.ResultHash = r.hash(), r.hash()
	c.Background = r.byte() == 1
	if r.byte() == 1 {
		n := int(r.int())
		c.ExitCode = &n
	}
	r.refs(&c.Ref, &c.Result.Ref)
}
