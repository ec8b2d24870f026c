package pipeline_test

import (
	"context"
	"iter"
	"os"
	"sync/atomic"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// adopting takes the sessions' logs for a parent's sub-agents' once it knows of the parent.
type adopting struct {
	collector.Source
	parent *atomic.Pointer[collector.SessionID]
}

func (a adopting) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		for s, err := range a.Source.Discover(ctx) {
			if parent := a.parent.Load(); parent != nil && s.Session != "" && s.Session != *parent {
				s.Session = parent.Child(s.Session.Own())
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// TestSessionTurnsOutToBeASubAgent: what was read of it as a session of its own is its parent's child's, while it is
// followed and after a restart; and it stays that when its parent's files are deleted.
func TestSessionTurnsOutToBeASubAgent(t *testing.T) {
	const own, root = "77777777-0000-4000-8000-000000000001", "77777777-0000-4000-8000-000000000002"
	parent := collector.SessionID(homes.Session(root))
	for _, restart := range []bool{false, true} {
		home, data := t.TempDir(), t.TempDir()
		known := &atomic.Pointer[collector.SessionID]{}
		start := func(data string) *running {
			return run(t, options{home: home, data: data, wrap: func(s collector.Source) collector.Source { return adopting{s, known} }}).ready()
		}
		must(t, homes.Write(homes.Transcript(home, own), homes.Lines(own, "a", 2, 0)...))
		p := start(data)
		p.session(homes.Session(own), "by itself", func(s *collector.Session) bool { return s.Totals.Turns == 2 })
		if restart {
			p.stop()
		}
		known.Store(&parent)
		must(t, homes.Write(homes.Transcript(home, root), homes.Lines(root, "b", 1, 50)...))
		must(t, homes.Append(homes.Transcript(home, own), homes.Lines(own, "c", 1, 100)...))
		if restart {
			p = start(data)
		}
		want := start(t.TempDir()).dump()
		p.until("as its parent's child", func() (bool, string) {
			got := p.dump()
			return got == want, firstDifference(got, want)
		})
		known.Store(nil)
		must(t, os.Remove(homes.Transcript(home, root)))
		must(t, homes.Append(homes.Transcript(home, own), homes.Lines(own, "d", 1, 150)...))
		p.session(string(parent), "gone, with its child", func(s *collector.Session) bool {
			return s.Gone && len(s.Children) == 1 && s.Children[0].Totals.Turns == 4
		})
		if _, err := p.db.Session(t.Context(), collector.SessionID(homes.Session(own))); err == nil {
			t.Error("the child is a session of its own, too")
		}
		p.stop()
	}
}
