package opencode_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

// home makes a home with a database of a case, and returns the program's connection to it, which stays open: everything
// is in the write-ahead log.
func home(t testing.TB, name string) (string, *sql.DB) {
	t.Helper()
	dir := t.TempDir()
	return dir, build(t, database(dir), script(t, "schema.sql"), script(t, name, "opencode.sql"))
}

// stream returns the database's stream as it is now.
func stream(t testing.TB, src collector.Source) collector.Stream {
	t.Helper()
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind == collector.StreamLog {
			return st
		}
	}
	t.Fatal("no database found")
	return collector.Stream{}
}

// readOn reads what is new and returns the records' places with the events of each.
func readOn(t testing.TB, src collector.Source, st collector.Stream, cp *collector.Checkpoint) (places []string, events []collector.Event) {
	t.Helper()
	for r, err := range src.Read(t.Context(), st, cp) {
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, fmt.Sprint(r.Offset))
		all, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, all...)
	}
	return places, events
}

// TestTables: no query names a table that holds secrets, nor any that is not needed.
func TestTables(t *testing.T) {
	dir, db := home(t, "subagent")
	h := host(t, dir)
	processOf(t, h, 100, 0, "/home/dev/work")
	openIn(t, h.Proc, 100, database(dir))
	read := map[string]bool{}
	h.Tables = func(ctx context.Context, path, query string, args ...any) iter.Seq2[[]byte, error] {
		for _, m := range regexp.MustCompile(`(?i)\b(?:FROM|JOIN)\s+(\w+)`).FindAllStringSubmatch(query, -1) {
			read[m[1]] = true
		}
		for _, secret := range []string{"account", "credential", "share", "*"} {
			if strings.Contains(query, secret) {
				t.Errorf("a query names %q:\n%s", secret, query)
			}
		}
		return sqlite.ReadForeign(ctx, path, query, args...)
	}
	src := opencode.New(h)
	var cp collector.Checkpoint
	if places, _ := readOn(t, src, stream(t, src), &cp); len(places) != 9 {
		t.Errorf("%d messages, want 9", len(places))
	}
	exec(t, db, "UPDATE session SET time_updated = time_updated + 1")
	readOn(t, src, stream(t, src), &cp)
	exec(t, db, "DELETE FROM event; UPDATE part SET time_updated = time_updated + 100000")
	readOn(t, src, stream(t, src), &cp)
	one := stream(t, src)
	one.Session = "opencode:ses_dd23f94a5ffegwQFU3S7w8dDcz"
	readOn(t, src, one, &collector.Checkpoint{})
	for _, err := range src.Live(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	delete(read, "page")      // a name within the queries
	delete(read, "json_each") // a function
	if diff := gocmp.Diff([]string{"event", "message", "part", "session"}, slices.Sorted(maps.Keys(read))); diff != "" {
		t.Errorf("tables that are read (-want +got):\n%s", diff)
	}
}

// TestNoTrace: whatever state the program left its files in, reading changes none and leaves none, and does not hold up
// the program.
func TestNoTrace(t *testing.T) {
	tests := []struct {
		name string
		keep []string // of the files of a working program
	}{
		{"at rest", []string{""}},
		{"killed", []string{"", "-wal", "-shm"}},
		{"copied without the index", []string{"", "-wal"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, db := home(t, "tools")
			if len(tt.keep) == 1 {
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}
			to := t.TempDir()
			for _, suffix := range tt.keep {
				data, err := os.ReadFile(database(from) + suffix)
				if err == nil {
					err = os.MkdirAll(filepath.Dir(database(to)), 0o700)
				}
				if err == nil {
					err = os.WriteFile(database(to)+suffix, data, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			before := listing(t, to)
			src := opencode.New(host(t, to))
			var cp collector.Checkpoint
			if places, _ := readOn(t, src, stream(t, src), &cp); len(places) != 16 {
				t.Errorf("%d messages, want 16", len(places))
			}
			if diff := gocmp.Diff(before, listing(t, to)); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
		})
	}
}

// TestNoTraceBesideAWriter: the same while the program is in the middle of a transaction, which then goes through.
func TestNoTraceBesideAWriter(t *testing.T) {
	dir, db := home(t, "tools")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("DELETE FROM part"); err != nil {
		t.Fatal(err)
	}
	before := slices.Sorted(maps.Keys(listing(t, dir)))
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	places, events := readOn(t, src, stream(t, src), &cp)
	if calls := count(events, collector.EventCall); len(places) != 16 || calls != 12 {
		t.Errorf("%d messages with %d calls beside an open transaction, want 16 with 12", len(places), calls)
	}
	if err := tx.Commit(); err != nil {
		t.Errorf("the program's commit: %v", err)
	}
	if diff := gocmp.Diff(before, slices.Sorted(maps.Keys(listing(t, dir)))); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func count(events []collector.Event, kind collector.EventKind) int {
	n := 0
	for _, ev := range events {
		if ev.Kind == kind {
			n++
		}
	}
	return n
}

// listing returns every file below dir with a hash of its contents.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
