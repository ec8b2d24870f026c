package pipeline_test

import (
	"context"
	"database/sql"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// TestCommitSeenLate: a commit is in a table's write-ahead log before readers see it, and nothing else is written when they
// do. It is seen all the same, and soon.
func TestCommitSeenLate(t *testing.T) {
	home := t.TempDir()
	path := homes.Table(home)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	old := filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	must(t, err)
	defer db.Close()
	exec := func(script string) {
		t.Helper()
		_, err := db.Exec(script)
		must(t, err)
	}
	exec(homes.TableSchema)
	exec("VACUUM INTO '" + old + "'")
	var unseen atomic.Int64 // how often readers do not see the newest commit
	h := host(home)
	h.Tables = func(ctx context.Context, path, query string, args ...any) iter.Seq2[[]byte, error] {
		if unseen.Add(-1) >= 0 {
			path = old
		}
		return sqlite.ReadForeign(ctx, path, query, args...)
	}
	p := run(t, options{home: home, host: &h}).ready()
	unseen.Store(4)
	exec(homes.TableTurn)
	p.session(homes.TableSession, "the commit", func(s *collector.Session) bool { return s.Totals.Turns == 1 })
}
