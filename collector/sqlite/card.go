package sqlite

import (
	"github.com/turnwatch/turnwatch/collector"
)

// packCard packs what sums and comparisons need of a session's row.
func packCard(s *collector.Session) []byte {
	b := make(blob, 0, 320)
	for _, text := range cardTexts(s) {
		b.int(int64(len(*text)))
		b = append(b, *text...)
	}
	b.int(s.StartedAt, s.LastAt)
	t := &s.Totals
	for _, n := range cardInts(t) {
		b.int(int64(*n))
	}
	bill := billing{tokens: t.Tokens, premium: t.PremiumRequests, credits: t.Credits, cost: t.CostUSD, ofTree: t.OfTree}
	b.int(bill.quality())
	for _, c := range bill.counts() {
		b.int(c.Value)
	}
	c := t.Clocks
	b.int(c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs)
	b.amount(t.PremiumRequests)
	b.amount(t.Credits)
	b.amount(t.CostUSD)
	return b
}

func cardTexts(s *collector.Session) [9]*string {
	return [...]*string{
		(*string)(&s.ID), (*string)(&s.Agent), (*string)(&s.Parent), &s.Title, &s.Cwd, &s.Repo, &s.Branch, &s.Model, &s.Path,
	}
}

func cardInts(t *collector.Totals) [9]*int {
	return [...]*int{
		&t.Turns, &t.RoundTrips, &t.Calls, &t.FailedCalls, &t.Errors, &t.Flags, &t.Compactions, &t.LinesAdded, &t.LinesRemoved,
	}
}

// unpackCard reads what packCard wrote; names that were read before are not copied again.
func unpackCard(data []byte, names map[string]string) *collector.Session {
	s := &collector.Session{Children: []*collector.Session{}, Labels: []string{}}
	r := reader(data)
	for i, text := range cardTexts(s) {
		n := min(max(r.int(), 0), int64(len(r)))
		*text = name(r[:n], names, i > 0)
		r = r[n:]
	}
	s.StartedAt, s.LastAt = r.int(), r.int()
	t := &s.Totals
	for _, n := range cardInts(t) {
		*n = int(r.int())
	}
	var bill billing
	quality := r.int()
	for i, c := range bill.counts() {
		*c = collector.Count{Value: r.int(), Quality: collector.Quality(quality >> (2 * i) & 3)}
	}
	t.Tokens, t.OfTree = bill.tokens, quality&ofTreeBit != 0
	c := &t.Clocks
	c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs = r.int(), r.int(), r.int(), r.int()
	t.PremiumRequests, t.Credits, t.CostUSD = r.amount(), r.amount(), r.amount()
	s.TreeTotals = s.Totals
	return s
}

// longName is up to which length a text is likely to come again.
const longName = 64

func name(b []byte, names map[string]string, again bool) string {
	if !again || len(b) > longName {
		return string(b)
	}
	if s, ok := names[string(b)]; ok {
		return s
	}
	s := string(b)
	names[s] = s
	return s
}
