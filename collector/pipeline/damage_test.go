package pipeline_test

import (
	"bytes"
	"database/sql"
	"os"
	"testing"

	"github.com/turnwatch/turnwatch/testdata/homes"
)

// damage is something that can happen to a database while nobody has it open.
type damage struct {
	do       func(t *testing.T, path string)
	carried  bool // a session whose log is gone can still be read
	readable bool // its sessions, labels and revision can be
	passes   bool // it is no damage: SQLite mends it
}

var damages = map[string]damage{
	"garbage instead of a header": {do: func(t *testing.T, path string) { overwrite(t, path, 0, 100) }},
	"garbage throughout":          {do: func(t *testing.T, path string) { overwrite(t, path, 0, 1<<40) }},
	"empty":                       {do: func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
	"cut short":                   {do: func(t *testing.T, path string) { must(t, os.Truncate(path, 4096)) }},
	"its write-ahead log alone": {do: func(t *testing.T, path string) {
		must(t, os.Rename(path, path+"-wal"))
	}},
	"a table is missing": {carried: true, readable: true, do: func(t *testing.T, path string) { statement(t, path, "DROP TABLE unknown_records") }},
	"a table that turns are in is missing": {readable: true, do: func(t *testing.T, path string) {
		statement(t, path, "DROP TABLE turns")
	}},
	"a column is missing": {carried: true, readable: true, do: func(t *testing.T, path string) {
		statement(t, path, "ALTER TABLE rollups DROP COLUMN body")
	}},
	"an index is missing": {carried: true, readable: true, do: func(t *testing.T, path string) {
		statement(t, path, "DROP INDEX sessions_stream")
	}},
	"nobody knows what was migrated": {carried: true, readable: true, do: func(t *testing.T, path string) {
		statement(t, path, "DROP TABLE goose_db_version")
	}},
	"garbage for a write-ahead log": {passes: true, do: func(t *testing.T, path string) {
		must(t, homes.Write(path+"-wal", bytes.Repeat([]byte("no log "), 9999)))
	}},
	"garbage for its index": {passes: true, do: func(t *testing.T, path string) {
		must(t, homes.Write(path+"-shm", bytes.Repeat([]byte("no index "), 9999)))
	}},
}

// overwrite puts garbage in place of n bytes.
func overwrite(t *testing.T, path string, at, n int) {
	t.Helper()
	b := read(t, path)
	for i := at; i < min(at+n, len(b)); i++ {
		b[i] ^= 0xa5
	}
	must(t, homes.Write(path, b))
}

func statement(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	_, err = db.ExecContext(t.Context(), text)
	must(t, err)
	must(t, db.Close())
}
