package opencode_test

import (
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// build makes a database by SQL, in the mode in which the program keeps it, and returns the open connection.
func build(t testing.TB, path string, scripts ...string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	exec(t, db, "PRAGMA page_size=1024")
	exec(t, db, "PRAGMA journal_mode=WAL")
	for _, s := range scripts {
		exec(t, db, s)
	}
	return db
}

func exec(t testing.TB, db *sql.DB, script string, args ...any) {
	t.Helper()
	if _, err := db.Exec(script, args...); err != nil {
		t.Fatal(err)
	}
}

func script(t testing.TB, name ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{recordings}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRecordingsAreTheirScripts: the databases of the cases hold what their SQL says, which people can read. -update
// writes them.
func TestRecordingsAreTheirScripts(t *testing.T) {
	for _, dir := range cases(t) {
		path := filepath.Join(t.TempDir(), "built.db")
		db := build(t, path, script(t, "schema.sql"), script(t, filepath.Base(dir), "opencode.sql"))
		exec(t, db, "VACUUM")
		want := contents(t, db)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		kept := database(filepath.Join(dir, "home"))
		if flag.Lookup("update").Value.String() == "true" {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(kept, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		db, err := sql.Open("sqlite", "file:"+kept+"?mode=ro&immutable=1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, contents(t, db)); diff != "" {
			t.Errorf("%s (-script +database):\n%s", kept, diff)
		}
		db.Close()
	}
}

// contents returns every row of every table.
func contents(t testing.TB, db *sql.DB) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for _, name := range column(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
		columns := column(t, db, "SELECT group_concat(name, ' || ''|'' || ') FROM (SELECT 'quote(' || name || ')' AS name FROM pragma_table_info('"+name+"'))")
		tables[name] = column(t, db, "SELECT "+columns[0]+" FROM "+name+" ORDER BY rowid")
	}
	return tables
}

func column(t testing.TB, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
