package pipeline_test

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestHint: what no watch tells, since there are too few, a hint does: that a log has grown, and that there is a new one.
func TestHint(t *testing.T) {
	const known, fresh = "11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"
	home := t.TempDir()
	must(t, homes.Append(homes.Transcript(home, known), homes.Lines(known, "a", 1, 0)[:2]...))
	p := run(t, options{home: home, cfg: pipeline.Config{MaxWatches: 1, SweepEvery: time.Hour, LiveEvery: time.Hour}}).ready()
	p.session(homes.Session(known), "before", func(s *collector.Session) bool { return s.Totals.Turns == 1 })
	must(t, homes.Append(homes.Transcript(home, known), homes.Lines(known, "b", 1, 1)...))
	must(t, homes.Append(homes.Transcript(home, fresh), homes.Lines(fresh, "c", 1, 2)...))
	p.p.Hint(collector.SessionID(homes.Session(known)), false)
	p.session(homes.Session(known), "hinted at", func(s *collector.Session) bool { return s.Totals.Turns == 2 })
	p.p.Hint(collector.SessionID(homes.Session(fresh)), false)
	p.session(homes.Session(fresh), "new", func(s *collector.Session) bool { return s.Totals.Turns == 1 })
}
