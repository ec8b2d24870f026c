package pipeline_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

var stamp = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// skew rewrites the logs of a home as if the clock had been set, back and forth, while they were written.
func skew(t *testing.T, home string, r *rand.Rand) {
	t.Helper()
	must(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		var by time.Duration
		var out []byte
		for line := range bytes.Lines(read(t, path)) {
			if r.IntN(3) == 0 {
				by = time.Duration(r.IntN(7200)-3600) * time.Second
			}
			out = append(out, stamp.ReplaceAllFunc(line, func(s []byte) []byte {
				at, err := time.Parse(time.RFC3339Nano, string(s))
				if err != nil {
					return s
				}
				return []byte(at.Add(by).Format("2006-01-02T15:04:05.000Z"))
			})...)
		}
		return os.WriteFile(path, out, 0o600)
	}))
}

// TestClockIsSet: whatever the clock did while an agent wrote, no turn and no part of one takes less than no time, or ends
// before it begins.
func TestClockIsSet(t *testing.T) {
	for seed := range uint64(scale(4, 1)) {
		r := rand.New(rand.NewPCG(seed, 3))
		all := recordedHomes(t)
		for _, home := range all[:scale(len(all), 1)] { // most recordings stand in the first
			skew(t, home, r)
			p := run(t, options{home: home}).ready()
			p.stop()
			page, err := p.db.Sessions(t.Context(), collector.SessionQuery{Limit: 500})
			must(t, err)
			var check func(s *collector.Session)
			check = func(s *collector.Session) {
				checkTimes(t, p, s)
				for _, c := range s.Children {
					check(c)
				}
			}
			for _, s := range page.Sessions {
				check(s)
			}
		}
	}
}

func checkTimes(t *testing.T, p *running, s *collector.Session) {
	t.Helper()
	wrong := func(what string, clocks collector.Clocks) {
		if c := clocks; min(c.WallMs, c.ModelMs, c.ToolMs, c.WaitMs) < 0 {
			t.Errorf("%s of %s takes %+v", what, s.ID, c)
		}
	}
	wrong("all", s.Totals.Clocks)
	wrong("the tree", s.TreeTotals.Clocks)
	page, err := p.db.Turns(t.Context(), s.ID, collector.TurnQuery{Limit: 1000})
	must(t, err)
	for _, row := range page.Turns {
		turn, err := p.db.Turn(t.Context(), s.ID, row.Index)
		must(t, err)
		wrong(fmt.Sprint("turn ", turn.Index), turn.Totals.Clocks)
		if turn.EndedAt != 0 && turn.EndedAt < turn.StartedAt {
			t.Errorf("turn %d of %s ends %d ms before it begins", turn.Index, s.ID, turn.StartedAt-turn.EndedAt)
		}
		for _, c := range turn.ToolCalls {
			if c.DurationMs.Value < 0 || c.WaitMs < 0 || c.EndedAt != 0 && c.EndedAt < c.StartedAt {
				t.Errorf("call %d of turn %d of %s begins at %d, ends at %d, takes %+v, waits %d", c.Seq, turn.Index, s.ID, c.StartedAt, c.EndedAt, c.DurationMs, c.WaitMs)
			}
		}
		for _, trip := range turn.RoundTrips {
			if trip.EndedAt != 0 && trip.EndedAt < trip.StartedAt {
				t.Errorf("a round trip of turn %d of %s ends %d ms before it begins", turn.Index, s.ID, trip.StartedAt-trip.EndedAt)
			}
		}
		for _, m := range turn.Markers {
			if m.DurationMs.Value < 0 {
				t.Errorf("%s of turn %d of %s takes %d ms", m.Kind, turn.Index, s.ID, m.DurationMs.Value)
			}
		}
	}
}
