package pipeline_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestKilledAgent: an agent that was killed is not "active" for ever, whether we saw it or were down, nor is a process that
// got its number; a later record revives the session.
func TestKilledAgent(t *testing.T) {
	const own = "44444444-0000-4000-8000-000000000004"
	home, data := t.TempDir(), t.TempDir()
	h := host(home)
	h.Proc = filepath.Join(home, "proc")
	lines := homes.Lines(own, "a", 2, 0)
	log := homes.Transcript(home, own)
	must(t, homes.Write(log, lines[:2]...)) // a call is asked for and has no result
	must(t, homes.Register(home, own, 4242, "100", "busy"))
	must(t, homes.Process(h.Proc, 4242, "100"))
	must(t, homes.Process(h.Proc, 1, "1"))
	begin := func(every time.Duration) *running {
		return run(t, options{home: home, data: data, host: &h, cfg: pipeline.Config{LiveEvery: every}}).ready()
	}
	is := func(p *running, what string, state collector.SessionState, pid int, turn collector.TurnStatus) {
		t.Helper()
		p.session(homes.Session(own), what, func(s *collector.Session) bool {
			page, err := p.db.Turns(t.Context(), s.ID, collector.TurnQuery{})
			must(t, err)
			last := page.Turns[len(page.Turns)-1]
			return s.State == state && s.Pid == pid && last.Status == turn
		})
	}

	p := begin(time.Hour)
	is(p, "at work", collector.SessionBusy, 4242, collector.TurnOpen)
	p.stop()

	must(t, os.RemoveAll(filepath.Join(h.Proc, "4242")))
	p = begin(time.Hour) // one sweep, at the start
	is(p, "killed while we were down", collector.SessionCrashed, 0, collector.TurnAbandoned)
	p.stop()

	must(t, homes.Process(h.Proc, 4242, "977"))
	p = begin(20 * time.Millisecond)
	is(p, "its number was given to another process", collector.SessionCrashed, 0, collector.TurnAbandoned)

	must(t, homes.Process(h.Proc, 5000, "1234"))
	must(t, homes.Register(home, own, 5000, "1234", "busy"))
	must(t, homes.Append(log, lines[4:6]...))
	is(p, "resumed", collector.SessionBusy, 5000, collector.TurnOpen)

	must(t, os.RemoveAll(filepath.Join(h.Proc, "5000")))
	is(p, "killed while we look", collector.SessionCrashed, 0, collector.TurnAbandoned)
	told := func(state collector.SessionState) {
		t.Helper()
		p.wait(t, "it is told that the session is "+string(state), func(m collector.Message) bool {
			return m.Type == collector.MessageSessionUpdated && m.Status == string(state)
		})
	}
	told(collector.SessionCrashed)

	must(t, homes.Append(log, lines[6:]...))
	p.session(homes.Session(own), "a late record ends the turn", func(s *collector.Session) bool {
		return s.State == collector.SessionEnded && s.Totals.Turns == 2
	})
	if p.has(func(m collector.Message) bool { return m.Status == string(collector.SessionEnded) }) {
		t.Error("it was told that the session ended when it had crashed")
	}
	must(t, homes.Process(h.Proc, 6000, "99"))
	must(t, homes.Register(home, own, 6000, "99", "idle"))
	is(p, "resumed again", collector.SessionIdle, 6000, collector.TurnOK)
	must(t, os.RemoveAll(filepath.Join(h.Proc, "6000")))
	is(p, "left", collector.SessionEnded, 0, collector.TurnOK)
	told(collector.SessionEnded)
	if live, err := p.db.LiveSessions(t.Context()); err != nil || len(live) != 0 {
		t.Errorf("live: %v, %v", live, err)
	}
}
