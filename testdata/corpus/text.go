package corpus

import (
	"math"
	"math/rand/v2"
	"strings"
)

// pool holds pre-escaped JSON string fragments ("lines"), one slice per kind of
// text, so that producing a gigabyte of plausible content costs little CPU.
type pool struct {
	kinds  [nKinds][][]byte
	base64 []byte
}

const (
	kProse = iota
	kCode
	kShell
	kDiff
	kJSON
	nKinds
)

const b64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var seedWords = strings.Fields(`the a to of and in is for that with on this it as be are not by from or at we should can
will if then when file test error function type value return check call run update change config server client request
response session token agent model tool output input line parse read write index cache query table column row schema
handler context build module package import path user message event log stream buffer size limit timeout retry branch
commit merge diff patch version release deploy container database connection pool thread lock mutex channel goroutine
async await promise component render state effect hook router middleware validate encode decode marshal hash sign`)

func newPool(seed uint64) *pool {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	w := newWords(r)
	p := &pool{}
	fill := func(kind, bytes int, line func() string) {
		for n := 0; n < bytes; {
			l := escape(line())
			p.kinds[kind] = append(p.kinds[kind], l)
			n += len(l)
		}
	}
	fill(kProse, 4<<20, w.prose)
	fill(kCode, 6<<20, w.code)
	fill(kShell, 6<<20, w.shell)
	fill(kDiff, 2<<20, w.diff)
	fill(kJSON, 2<<20, w.json)
	p.base64 = make([]byte, 4<<20)
	for i := range p.base64 {
		p.base64[i] = b64[r.IntN(64)]
	}
	return p
}

// text appends about n bytes of one kind of pre-escaped text to b.
func (p *pool) text(b []byte, r *rand.Rand, kind, n int) []byte {
	lines := p.kinds[kind]
	i := r.IntN(len(lines))
	start, end := len(b), len(b)+n
	for len(b) < end {
		l := lines[i]
		if i++; i == len(lines) {
			i = 0
		}
		if room := end - len(b); len(b) > start && len(l) > room+200 && room < 60 {
			break
		}
		b = append(b, l...)
	}
	return b
}

func (p *pool) blob(b []byte, r *rand.Rand, n int) []byte {
	for n > 0 {
		o := r.IntN(len(p.base64) - 4096)
		k := min(n, 4096)
		b = append(b, p.base64[o:o+k]...)
		n -= k
	}
	return b
}

// logn draws a log-normal size with the given median, clamped.
func logn(r *rand.Rand, median, sigma float64, lo, hi int) int {
	v := int(median * math.Exp(sigma*r.NormFloat64()))
	return max(lo, min(hi, v))
}
