// Package sourcetest is the conformance suite that every source passes: Run checks what package collector promises of a
// Source on recorded homes, Fuzz checks Decode on anything.
//
// A case is a folder with a miniature home in the agent's own layout (home/…) and what it says: want/events.json, all
// events of all streams, and want/sessions.json, the sessions that package fold makes of them. `go test -update` writes
// both. The suite works on a copy of the home, so that it may cut, damage and replace files.
//
// It refuses to know any agent: what it does to a file follows from the records that the source itself read from it.
package sourcetest

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Factory makes the source under test for a home, usually by New(Host(t, home)).
type Factory func(home string) collector.Source

// Now is the time that Host tells.
var Now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// Host returns a machine with nothing but a home: no environment, no processes, no tables, a clock that stands.
func Host(t testing.TB, home string) collector.Host {
	t.Helper()
	return collector.Host{
		Home:   home,
		Getenv: func(string) string { return "" },
		Proc:   t.TempDir(),
		Now:    func() time.Time { return Now },
	}
}

// Run checks the source on every case folder.
func Run(t *testing.T, newSource Factory, caseDirs ...string) {
	t.Helper()
	if len(caseDirs) == 0 {
		t.Fatal("no case: a source without a recording is not checked")
	}
	t.Run("empty home", func(t *testing.T) {
		report(t, checkEmptyHome(newSource(t.TempDir())))
	})
	for _, dir := range caseDirs {
		t.Run(caseName(dir), func(t *testing.T) { runCase(t, newSource, dir) })
	}
}

func runCase(t *testing.T, newSource Factory, dir string) {
	s, err := open(newSource, dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("events", func(t *testing.T) { Golden(t, goldenPath(dir, "events"), s.eventsGolden()) })
	t.Run("sessions", func(t *testing.T) { Golden(t, goldenPath(dir, "sessions"), s.sessionsGolden()) })
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { report(t, c.run(s)) })
	}
}

func report(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// checks are what a source must stand, in this order: those that only read come first.
var checks = []struct {
	name string
	run  func(*subject) error
}{
	{"discovery", checkDiscovery},
	{"read only", checkReadOnly},
	{"cancellation", checkCancellation},
	{"purity", checkPurity},
	{"text limit", checkTextLimit},
	{"stream order", checkOrder},
	{"restored in between", checkRestored},
	{"padding", checkPadding},
	{"two records on a line", checkGlued},
	{"line separator", checkLineSeparator},
	{"cut record", checkCutRecord},
	{"garbage", checkGarbage},
	{"wrong types", checkWrongTypes},
	{"long line", checkLongLine},
	{"read in two parts", checkTwoParts},
	{"truncated", checkTruncated},
	{"replaced", checkReplaced},
	{"rewritten in place", checkRewritten},
	{"NUL tail", checkNULTail},
}
