package copilot_test

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

// table makes session-store.db of a home by SQL. The connection stays open, so the write-ahead log stays, too.
func table(t *testing.T, home, script string) *sql.DB {
	t.Helper()
	dir := filepath.Join(home, ".copilot")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "session-store.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run(t, db, "PRAGMA journal_mode=WAL")
	run(t, db, script)
	return db
}

func run(t *testing.T, db *sql.DB, script string) {
	t.Helper()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

// script returns a recorded table of a version.
func script(t *testing.T, version string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(recordings, "store", version+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withTables opens a home whose tables are read.
func withTables(t *testing.T, home string) (*copilot.Source, collector.Stream) {
	t.Helper()
	h := host(t, home)
	h.Tables = sqlite.ReadForeign
	src := copilot.New(h)
	return src, store(t, src)
}

// store returns the table's stream as it is now.
func store(t *testing.T, src collector.Source) collector.Stream {
	t.Helper()
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(st.Path) == "session-store.db" {
			return st
		}
	}
	t.Fatal("no table found")
	return collector.Stream{}
}

// TestStoreUsage: 1.0.83 writes no usage per call into its log; the table has it, row by row, sub-agents' too, and the
// rows' sum is what the shutdown says.
func TestStoreUsage(t *testing.T) {
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join(recordings, "1.0.83-subagent", "home"))); err != nil {
		t.Fatal(err)
	}
	table(t, home, script(t, "1.0.83"))
	src, _ := withTables(t, home)
	all := decodeAll(t, src)
	const id, child = "copilot:8b6016ae-1513-441a-99c9-85d38313ede3", "copilot:8b6016ae-1513-441a-99c9-85d38313ede3~51ecdd8c-3a65-4353-afec-87bdf963ea82"
	want := map[collector.SessionID][]int64{id: {1200 - 500, 1400 - 500}, child: {1200 - 500, 1500 - 500}}
	// The table may be read before the log, or after it.
	for _, events := range [][]decoded{all, reversedStreams(all)} {
		got := map[collector.SessionID][]int64{}
		for session, s := range foldAll(events) {
			for _, turn := range s.Turns() {
				for _, r := range turn.RoundTrips {
					got[session] = append(got[session], r.Tokens.Input.Value)
					if r.UsageRank != collector.UsageTable || r.Tokens.Input.Quality != collector.QualityExact {
						t.Errorf("%s: rank %d, %v", session, r.UsageRank, r.Tokens.Input)
					}
				}
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("input per round trip (-want +got):\n%s", diff)
		}
	}
}

// reversedStreams returns the events with the streams of facts first.
func reversedStreams(all []decoded) []decoded {
	table := slices.DeleteFunc(slices.Clone(all), func(ev decoded) bool { return ev.ref.Line != 0 })
	log := slices.DeleteFunc(slices.Clone(all), func(ev decoded) bool { return ev.ref.Line == 0 })
	return append(table, log...)
}

// TestStoreCompaction: a compaction's row is no round trip; the log says what it took.
func TestStoreCompaction(t *testing.T) {
	home := t.TempDir()
	table(t, home, script(t, "1.0.102"))
	src, st := withTables(t, home)
	n := 0
	for _, ev := range readOn(t, src, st, &collector.Checkpoint{}) {
		if ev.Kind == collector.EventUsage && ev.Session.Own() == "55555555-0000-4000-8000-000000000003" {
			n++
		}
	}
	if n != 8 {
		t.Errorf("%d rows, want the 8 of 10 that are round trips", n)
	}
}

// TestStoreOld: a version without the usage table, or without some columns, still says where its sessions are.
func TestStoreOld(t *testing.T) {
	tests := []struct {
		name, script  string
		facts, usages int
		tokens        collector.Tokens
	}{
		{"no usage table", script(t, "1.0.65"), 2, 0, collector.Tokens{}},
		{"no tables", "CREATE TABLE schema_version (version INTEGER)", 0, 0, collector.Tokens{}},
		{"fewer columns", `CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT); INSERT INTO sessions VALUES ('s', '/w');
			CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, input_tokens INTEGER); INSERT INTO assistant_usage_events VALUES (1, 's', 5.0)`,
			1, 1, collector.Tokens{Input: collector.Exact[int64](5), CacheWrite1h: collector.Exact[int64](0)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			table(t, home, tt.script)
			src, st := withTables(t, home)
			var facts, usages int
			for _, ev := range readOn(t, src, st, &collector.Checkpoint{}) {
				switch ev.Kind {
				case collector.EventFacts:
					facts++
					if !ev.Facts.Fallback || ev.Facts.Cwd == "" {
						t.Errorf("facts %+v", ev.Facts)
					}
				case collector.EventUsage:
					usages++
					if diff := gocmp.Diff(tt.tokens, ev.Usage.Tokens); diff != "" {
						t.Errorf("tokens (-want +got):\n%s", diff)
					}
				}
			}
			if facts != tt.facts || usages != tt.usages {
				t.Errorf("%d facts and %d usages, want %d and %d", facts, usages, tt.facts, tt.usages)
			}
		})
	}
}

// TestStoreGoesOn: what was read is not read again, and another table is told from the same one.
func TestStoreGoesOn(t *testing.T) {
	home := t.TempDir()
	db := table(t, home, script(t, "1.0.83"))
	src, st := withTables(t, home)
	var cp collector.Checkpoint
	if n := len(readOn(t, src, st, &cp)); n != 18 || cp.Offset != 16 {
		t.Errorf("%d events up to row %d, want 18 up to 16", n, cp.Offset)
	}
	if !cp.Unchanged(store(t, src)) {
		t.Error("the table seems changed")
	}
	run(t, db, `INSERT INTO assistant_usage_events (session_id, model, input_tokens) VALUES ('0a2e63b2-b964-4f62-9332-9c6cc4d345d6', 'm', 1)`)
	run(t, db, `UPDATE sessions SET branch = 'new', updated_at = '2026-11-30T11:00:00.000Z' WHERE id LIKE '8b60%'`)
	st = store(t, src)
	if cp.Unchanged(st) {
		t.Error("the table seems unchanged, though its write-ahead log grew")
	}
	var got []string
	for _, ev := range readOn(t, src, st, &cp) {
		if ev.Facts != nil {
			got = append(got, ev.Facts.Branch)
			continue
		}
		got = append(got, ev.Key)
	}
	// The session with the newest time at the last reading comes once more.
	if want := []string{"b0000000000000000017", "feature/demo", "new"}; !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
	run(t, db, "DELETE FROM assistant_usage_events WHERE id > 3")
	for _, err := range src.Read(t.Context(), st, &cp) {
		if !errors.Is(err, collector.ErrReplaced) {
			t.Errorf("after rows went: %v, want ErrReplaced", err)
		}
	}
}

func TestStoreUnavailable(t *testing.T) {
	home := t.TempDir()
	table(t, home, script(t, "1.0.83"))
	h := host(t, home)
	busy := errors.New("database is locked")
	h.Tables = func(context.Context, string, string, ...any) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) { yield(nil, busy) }
	}
	src := copilot.New(h)
	st := store(t, src)
	var cp collector.Checkpoint
	var got error
	for _, err := range src.Read(t.Context(), st, &cp) {
		got = err
	}
	if !errors.Is(got, busy) || collector.ErrorCode(got) != collector.CodeUnavailable || cp.Unchanged(st) {
		t.Errorf("error %v (%s), checkpoint %+v", got, collector.ErrorCode(got), cp)
	}
}

// TestStoreKeepsTitles: the table only fills in what no log said.
func TestStoreKeepsTitles(t *testing.T) {
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join(recordings, "1.0.83-tools-then-resume", "home"))); err != nil {
		t.Fatal(err)
	}
	table(t, home, script(t, "1.0.83"))
	src, _ := withTables(t, home)
	all := decodeAll(t, src)
	for _, events := range [][]decoded{all, reversedStreams(all)} {
		var s *fold.Session = foldAll(events)["copilot:0a2e63b2-b964-4f62-9332-9c6cc4d345d6"]
		if got := s.Row().Title; got != "SCENARIO:tools go" {
			t.Errorf("title %q, want the one of workspace.yaml", got)
		}
	}
}
