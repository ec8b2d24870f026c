package jsonl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector/jsonl"
	"github.com/valyala/fastjson"
)

// lines resembles a real log: half of the lines are short, a few long ones hold half of the bytes.
func lines() [][]byte {
	var out [][]byte
	for i := range 100 {
		n := 2
		switch {
		case i%33 == 0:
			n = 400
		case i%2 == 0:
			n = 40
		}
		out = append(out, fmt.Appendf(nil, `{"type":"user","uuid":"%036d","timestamp":"2026-11-30T10:28:29.788Z","message":{"id":"msg_%d","content":"%s","usage":{"in":%d,"out":7}}}`,
			i, i, strings.Repeat(`func (r *Reader) next() (\"Record\", error) {\n\treturn`, n), i))
	}
	return out
}

// BenchmarkEach does what a source does with a line.
func BenchmarkEach(b *testing.B) {
	in := lines()
	b.SetBytes(int64(len(bytes.Join(in, nil))))
	b.ReportAllocs()
	var sum int64
	for b.Loop() {
		for _, l := range in {
			jsonl.Each(l, func(v *fastjson.Value) {
				sum += jsonl.Time(v, "timestamp")
				m := v.Get("message")
				sum += int64(jsonl.Hash(m.Get("content")))
				sum += jsonl.Clip(m.Get("content"), 500).Bytes
				n, _ := jsonl.Int(m, "usage", "in")
				sum += n + int64(len(jsonl.Str(m, "id")))
			})
		}
	}
	if sum == 0 {
		b.Fatal("nothing was read")
	}
}
