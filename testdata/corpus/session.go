package corpus

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

var projects = []string{"acme-api", "billing", "web-ui", "infra", "mobile", "search", "data-pipeline", "docs", "auth", "gateway", "ml-serving", "cli"}

// sess is the state shared by the three writers for one session file.
type sess struct {
	g      *gen
	r      *rand.Rand
	c      *Counts
	w      *bufio.Writer
	f      *os.File
	path   string
	b      []byte // the line being built
	n      int    // bytes written so far
	budget int
	now    time.Time
	id     string
	cwd    string
	branch string
}

func (g *gen) open(agent, path string, r *rand.Rand, budget int, t time.Time) (*sess, error) {
	path = filepath.Join(g.out, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	c := g.m.Agents[agent]
	c.Files++
	return &sess{g: g, r: r, c: c, f: f, path: path, w: bufio.NewWriterSize(f, 1<<18), budget: budget, now: t, branch: []string{"main", "dev", "feat/x-" + strconv.Itoa(r.IntN(90))}[r.IntN(3)]}, nil
}

func (s *sess) close() error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	if err := s.f.Close(); err != nil {
		return err
	}
	return os.Chtimes(s.path, s.now, s.now)
}

// endLine writes the line built in s.b.
func (s *sess) endLine() {
	s.b = append(s.b, '\n')
	n := len(s.b)
	s.w.Write(s.b)
	s.n += n
	s.c.Lines++
	s.c.Bytes += int64(n)
	s.c.MaxLine = max(s.c.MaxLine, n)
	if n > 100e3 {
		s.c.LinesOver100KB++
	}
	if n > 1e6 {
		s.c.LinesOver1MB++
	}
	k := "<1K"
	for _, lim := range []struct {
		n int
		k string
	}{{1 << 10, "1K-4K"}, {4 << 10, "4K-16K"}, {16 << 10, "16K-64K"}, {64 << 10, "64K-256K"}, {256 << 10, "256K-1M"}, {1 << 20, ">1M"}} {
		if n >= lim.n {
			k = lim.k
		}
	}
	s.g.m.SizeHist[k]++
	s.b = s.b[:0]
}

func (s *sess) full() bool { return s.n >= s.budget }

// a appends literal JSON text.
func (s *sess) a(parts ...string) *sess {
	for _, p := range parts {
		s.b = append(s.b, p...)
	}
	return s
}
func (s *sess) i(v int) *sess { s.b = strconv.AppendInt(s.b, int64(v), 10); return s }

// t appends text of about n bytes (already JSON-escaped).
func (s *sess) t(kind, n int) *sess { s.b = s.g.pool.text(s.b, s.r, kind, n); return s }
func (s *sess) blob(n int) *sess    { s.b = s.g.pool.blob(s.b, s.r, n); return s }

// tick advances the clock by up to maxMS and returns the timestamp.
func (s *sess) tick(maxMS int) string {
	s.now = s.now.Add(time.Duration(1+s.r.IntN(maxMS)) * time.Millisecond)
	return s.now.Format("2006-01-02T15:04:05.000Z")
}

func uuid(r *rand.Rand) string {
	a, b := r.Uint64(), r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a>>32), uint16(a>>16), a&0xfff, 0x8000|(b>>48)&0x3fff, b&0xffffffffffff)
}

func token(r *rand.Rand, prefix string, n int) string {
	b := make([]byte, n)
	const al = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	for i := range b {
		b[i] = al[r.IntN(len(al))]
	}
	return prefix + string(b)
}

// resultSize is the heavy-tailed size of one tool result.
func resultSize(r *rand.Rand) int { return logn(r, 1600, 1.55, 20, 95000) }

func usage(r *rand.Rand, ctx *int) (in, out, cr, cw int) {
	in = 1 + r.IntN(30)
	out = logn(r, 220, 1.0, 5, 16000)
	cw = logn(r, 900, 1.1, 0, 60000)
	cr = *ctx
	*ctx += cw + in
	return
}
