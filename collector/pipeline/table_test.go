package pipeline_test

import (
	"context"
	"database/sql"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestCommitSeenLate: a commit is in a table's write-ahead log before readers see it, and nothing else is written when they
// do. It is seen all the same, and soon.
func TestCommitSeenLate(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".local/share/opencode/opencode.db")
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
	exec(`CREATE TABLE session (id, parent_id, title, directory, version, time_created, time_updated);
		CREATE TABLE message (id, session_id, time_created, time_updated, data);
		CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)`)
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
	start := time.Now()
	exec(`BEGIN; INSERT INTO session VALUES ('ses_1', NULL, 'late', '/w', '1', 1, 1);
		INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 1, '{"role":"user","time":{"created":1796070000000}}');
		INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 1, '{"type":"text","text":"hello"}'); COMMIT`)
	p.session("opencode:ses_1", "the commit", func(s *collector.Session) bool { return s.Totals.Turns == 1 })
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v: found by the sweep only", took)
	}
}
