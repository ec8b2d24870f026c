package pipeline_test

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/metrics"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestOnlyWhatHappensSinceTheStartIsCounted: history adds nothing, be it read at start, after a restart, or again after its
// file was rewritten; what is appended counts once.
func TestOnlyWhatHappensSinceTheStartIsCounted(t *testing.T) {
	const own = "55555555-0000-4000-8000-000000000005"
	home, data := t.TempDir(), t.TempDir()
	path := homes.Transcript(home, own)
	old, live, later, last := homes.Lines(own, "a", 3, 0), homes.Lines(own, "b", 2, 2000), homes.Lines(own, "c", 1, 2100), homes.Lines(own, "d", 2, 4000)
	must(t, homes.Write(path, old...))
	_, doc := homes.SubAgent(home, own, "a00000000000000c1")
	must(t, homes.Write(doc, []byte(`{"agentType":"Explore","toolUseId":"toolu_a_0"}`))) // is read again with the log
	c := newCounting(1000)
	begin := func() *running {
		return run(t, options{home: home, data: data, observe: c.Observe}).ready()
	}
	p := begin()
	p.counted(c, "history", map[string]float64{})

	c.set(2050)
	must(t, homes.Append(path, live...))
	p.counted(c, "appended", turnsOfLines(2, live))

	c.set(2150)
	must(t, homes.Write(path+".tmp", append(append(old[4:], live...), later...)...))
	must(t, os.Rename(path+".tmp", path))
	grown := turnsOfLines(3, live)
	for _, name := range []string{"ingest_records_total result=ok", "ingest_lag_seconds_count", "ingest_read_bytes_total source=log"} {
		grown[name] = turnsOfLines(2, live)[name] // of a file that is read anew, nobody can say which records are
	}
	p.counted(c, "rewritten without its first turn, and with one more", grown)
	p.stop()

	c = newCounting(3000)
	p = begin()
	p.counted(c, "restarted", map[string]float64{})
	c.set(4050)
	for i := range last { // record by record: asked, answered, and told again
		must(t, homes.Append(path, last[i]))
		must(t, homes.Append(path, last[i]))
		p.equals("grown by a record")
	}
	want := turnsOfLines(2, last)
	for _, name := range []string{"ingest_records_total result=ok", "ingest_lag_seconds_count", "ingest_read_bytes_total source=log"} {
		want[name] *= 2
	}
	p.counted(c, "record by record", want)
}

// TestHistoryThatComesLaterIsNotCounted: a home that appears while we run, and records whose clock is wrong.
func TestHistoryThatComesLaterIsNotCounted(t *testing.T) {
	const own = "66666666-0000-4000-8000-000000000006"
	home := t.TempDir()
	c := newCounting(1000)
	p := run(t, options{home: home, observe: c.Observe}).ready()
	must(t, homes.Append(homes.Transcript(home, own), homes.Lines(own, "a", 2, 0)...))
	p.session(homes.Session(own), "an old log", func(s *collector.Session) bool { return s.Totals.Turns == 2 })
	must(t, homes.Append(homes.Transcript(home, own), homes.Lines(own, "b", 2, 9000)...))
	p.session(homes.Session(own), "records of the future", func(s *collector.Session) bool { return s.Totals.Turns == 4 })
	now := homes.Lines(own, "c", 1, 1010)
	must(t, homes.Append(homes.Transcript(home, own), append(now, homes.Unknown("of-tomorrow"), []byte("{\n"))...))
	want := turnsOfLines(1, now)
	want["ingest_records_total result=skipped"] = 1
	want["ingest_records_total result=malformed"] = 1
	want["unknown_records_total version=2.1.332"] = 1
	want["ingest_read_bytes_total source=log"] += float64(len(homes.Unknown("of-tomorrow")) - 1 + len("{"))
	p.counted(c, "only what is of now", want)
}

// TestCopiesAreCountedOnce: a session that was forked from another shows its responses too, and owns them once the other's
// log was rewritten without them.
func TestCopiesAreCountedOnce(t *testing.T) {
	const own, fork = "77777777-0000-4000-8000-000000000007", "77777777-0000-4000-8000-000000000008"
	home := t.TempDir()
	c := newCounting(0)
	p := run(t, options{home: home, observe: c.Observe}).ready()
	lines := homes.Lines(own, "a", 2, 10)
	must(t, homes.Append(homes.Transcript(home, own), lines...))
	want := turnsOfLines(2, lines)
	p.counted(c, "the first", want)
	copied := homes.Lines(fork, "a", 2, 20)
	must(t, homes.Append(homes.Transcript(home, fork), copied...))
	p.equals("the fork")
	other := homes.Lines(own, "z", 1, 30)
	must(t, homes.Write(homes.Transcript(home, own), other...))
	p.equals("rewritten")
	got := scraped(t, c.Metrics)
	for name, n := range turnsOfLines(3, nil) {
		if strings.HasPrefix(name, "model_") || strings.HasPrefix(name, "tokens_") || strings.HasPrefix(name, "tool_") {
			if got[name] != n {
				t.Errorf("%s: got %v, want %v", name, got[name], n)
			}
		}
	}
}

// TestCountsAreTheSameInAnyPieces counts all recordings as if they happened now, read at once or record by record. A counter
// cannot take back what a later record corrects: how a call that went on in the background ended, that a response (one,
// in the recordings) was that of a compaction, and that a turn (one) had not ended with its reply but was interrupted, where
// the log tells of calls only later.
func TestCountsAreTheSameInAnyPieces(t *testing.T) {
	home := demoHome(t)
	const turns, trips, calls = "turns_total", "model_round_trips_total", "tool_calls_total"
	const finished, interrupted = turns + " outcome=ok", turns + " outcome=interrupted"
	count := func(cfg pipeline.Config) map[string]float64 {
		m := metrics.New(metrics.Config{Agents: agents(home), Now: sinceLongAgo(), Logger: slog.New(slog.DiscardHandler)})
		p := run(t, options{home: home, cfg: cfg, observe: m.Observe}).ready()
		p.stop()
		all := map[string]float64{}
		for name, n := range scraped(t, m) {
			if strings.HasPrefix(name, calls) {
				_, tool, _ := strings.Cut(name, "tool=")
				name = calls + " " + tool
			}
			all[name] += n
			if strings.HasPrefix(name, trips) {
				all[trips] += n
			}
			if strings.HasPrefix(name, turns) {
				all[turns] += n
			}
		}
		if inStore := p.turns(); all[turns] != inStore {
			t.Errorf("%v turns were counted, %v stand in the store", all[turns], inStore)
		}
		return all
	}
	want := count(pipeline.Config{})
	if want[trips] < 150 {
		t.Fatalf("the recordings gave %v", want)
	}
	for _, n := range []int{1, 7} {
		got := count(pipeline.Config{BatchRecords: n})
		if more := got[trips] - want[trips]; more != 0 && more != 1 {
			t.Errorf("in pieces of %d records: %v round trips, want %v", n, got[trips], want[trips])
		}
		if ok, not := got[finished]-want[finished], want[interrupted]-got[interrupted]; ok != not || ok != 0 && ok != 1 {
			t.Errorf("in pieces of %d records: %v more turns ended well, %v less were interrupted", n, ok, not)
		}
		ignore := cmpopts.IgnoreMapEntries(func(name string, _ float64) bool {
			return strings.HasPrefix(name, trips) || name == finished || name == interrupted
		})
		if diff := cmp.Diff(want, got, ignore, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("in pieces of %d records (-whole +pieces): %s", n, diff)
		}
	}
}
