package sourcetest

import (
	"context"
	"flag"
	"slices"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

var bg = context.Background()

const (
	maxSeeds    = 200
	maxSeedSize = 16 << 10
)

// Fuzz lets Decode loose on whatever mutates from the records of the cases: it must neither fail nor panic, nor change
// its input, nor say something else the second time. Run it from a fuzz test of the source's package.
func Fuzz(f *testing.F, newSource Factory, caseDirs ...string) {
	f.Helper()
	minimiseLess(f)
	var streams []collector.Stream
	for _, dir := range caseDirs {
		s, err := open(newSource, dir, f.TempDir())
		if err != nil {
			f.Fatal(err)
		}
		for _, st := range s.streams {
			if len(st.records) == 0 || len(streams) == maxSeeds {
				continue
			}
			streams = append(streams, st.Stream)
			seen := map[string]bool{}
			for _, r := range st.records {
				shape := string(r.data[:min(len(r.data), 40)])
				if !seen[shape] && len(r.data) <= maxSeedSize && len(seen) < maxSeeds/len(caseDirs) {
					seen[shape] = true
					f.Add(uint8(len(streams)-1), r.data)
				}
			}
		}
	}
	if len(streams) == 0 {
		f.Fatal("no record to start from")
	}
	src := newSource(f.TempDir())
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		st := streams[int(i)%len(streams)]
		ref := collector.Ref{Offset: 100, Length: int64(len(data)), Line: 3}
		first, err := decode(src, st, ref, data, goldenTextLimit)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(src, st, ref, slices.Clone(data), goldenTextLimit)
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(first, again); d != "" {
			t.Fatalf("decoding again differs (-first +again):\n%s", d)
		}
	})
}

// minimiseLess keeps the engine from spending a minute on the minimising of each record that it finds interesting: most of
// ours are long, so that it did nothing else (6 found in a minute of the slowest decoder's fuzzing; 300 with 20 tries each).
func minimiseLess(f *testing.F) {
	f.Helper()
	const name = "test.fuzzminimizetime"
	if set := flag.Lookup(name); set != nil && set.Value.String() == set.DefValue {
		if err := flag.Set(name, "20x"); err != nil {
			f.Fatal(err)
		}
	}
}
