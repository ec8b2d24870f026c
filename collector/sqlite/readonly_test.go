package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// dirState is what a directory holds: names, sizes and times.
func dirState(t *testing.T, dir string) map[string][2]int64 {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	state := map[string][2]int64{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		state[e.Name()] = [2]int64{info.Size(), info.ModTime().UnixNano()}
	}
	return state
}

func known(t *testing.T, dir string) []collector.SessionID {
	t.Helper()
	db, err := sqlite.OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := db.Known(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ids := []collector.SessionID{}
	for _, k := range all {
		ids = append(ids, k.ID)
	}
	return ids
}

// TestOpenReadOnly reads a store beside its writer, after it, and after one that was killed; it leaves no trace.
func TestOpenReadOnly(t *testing.T) {
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	hidden := row("acme:hidden", 9)
	hidden.Path = "" // facts about a session whose log was never seen
	commit(t, db, sqlite.Batch{}, row("acme:old", 1), row("acme:new", 2), hidden)

	want := []collector.SessionID{"acme:new", "acme:old"}
	check := func(name, dir string) {
		t.Helper()
		before := dirState(t, dir)
		if diff := cmp.Diff(known(t, dir), want); diff != "" {
			t.Errorf("%s (got -, want +):\n%s", name, diff)
		}
		if diff := cmp.Diff(dirState(t, dir), before); diff != "" {
			t.Errorf("%s: it left a trace:\n%s", name, diff)
		}
	}
	check("beside the writer", dir)

	killed := t.TempDir() // the files as a killed writer leaves them
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(filepath.Join(dir, sqlite.FileName+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(killed, sqlite.FileName+suffix), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check("after a kill", killed)

	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	check("at rest", dir)
}

func TestReadOnlyRefuses(t *testing.T) {
	dir := t.TempDir()
	_, err := sqlite.OpenReadOnly(t.Context(), dir)
	if code := collector.ErrorCode(err); code != collector.CodeNotFound {
		t.Errorf("no database: got %v, want %v", err, collector.CodeNotFound)
	}
	if state := dirState(t, dir); len(state) > 0 {
		t.Errorf("it created %v", state)
	}

	rw, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	commit(t, rw, sqlite.Batch{}, row("acme:a", 1))
	if err := rw.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Commit(t.Context(), &sqlite.Batch{}); err == nil {
		t.Error("it committed")
	}
	if _, err := db.AddLabel(t.Context(), "acme:a", "x"); err == nil {
		t.Error("it gave a label")
	}
	if _, err := db.SetLive(t.Context(), nil); err == nil {
		t.Error("it took what processes hold")
	}
	if err := db.SetRollups(t.Context(), map[collector.SessionID][]byte{"acme:a": {1}}); err != nil {
		t.Errorf("roll-ups, which can be made again: %v", err)
	}
	if at, err := db.WrittenAt(); err != nil || time.Since(at) > time.Minute {
		t.Errorf("written at %v, %v", at, err)
	}
}

// TestOtherVersions: a store of another version is left to that version.
func TestOtherVersions(t *testing.T) {
	for name, test := range map[string]struct{ change, says string }{
		"older": {"DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)", "an older version wrote"},
		"newer": {"INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)", "a newer version of turnwatch wrote"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			rw, err := sqlite.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := rw.Close(); err != nil {
				t.Fatal(err)
			}
			raw, err := sql.Open("sqlite", filepath.Join(dir, sqlite.FileName))
			if err != nil {
				t.Fatal(err)
			}
			_, err = raw.ExecContext(t.Context(), test.change)
			if err := raw.Close(); err != nil {
				t.Fatal(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err = sqlite.OpenReadOnly(t.Context(), dir); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
		})
	}
}
