package sqlite_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// foreignDB creates an agent's database in WAL mode with three rows, in a folder whose name needs escaping, and returns
// its path and the connection that made it.
func foreignDB(t *testing.T) (path string, agent *sql.DB) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a ?b#c%41 ü")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "agent.db")
	agent, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agent.Close() })
	agent.SetMaxOpenConns(1)
	for _, q := range []string{
		"PRAGMA journal_mode=WAL", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, b BLOB)",
		`INSERT INTO t VALUES (1, 'a "quoted" name', 1.5, x'6869'), (2, NULL, 7, x'ff'), (3, 'ü', -1, NULL)`,
	} {
		if _, err := agent.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return path, agent
}

func foreignRows(t *testing.T, path, query string, args ...any) []string {
	t.Helper()
	var got []string
	for row, err := range sqlite.ReadForeign(t.Context(), path, query, args...) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(row))
	}
	return got
}

// foreignListing returns the files beside path with their contents' hashes.
func foreignListing(t *testing.T, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		out[e.Name()] = hex.EncodeToString(sum[:4])
	}
	return out
}

var wantForeign = []string{
	`{"id":1,"name":"a \"quoted\" name","n":1.5,"b":"hi"}`,
	`{"id":2,"name":null,"n":7,"b":null}`,
	`{"id":3,"name":"ü","n":-1,"b":null}`,
}

const selectForeign = "SELECT id, name, n, b FROM t ORDER BY id LIMIT 10"

// TestReadForeignWorking reads while the agent has the database open and everything is still in the write-ahead log.
// The agent is another process, as file locks are held by process.
func TestReadForeignWorking(t *testing.T) {
	if os.Getenv("TURNWATCH_FOREIGN_DB") != "" {
		for row, err := range sqlite.ReadForeign(t.Context(), os.Getenv("TURNWATCH_FOREIGN_DB"), selectForeign) {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stdout.Write(append(row, '\n')); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	path, agent := foreignDB(t)
	child := func() string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReadForeignWorking$")
		cmd.Env = append(os.Environ(), "TURNWATCH_FOREIGN_DB="+path)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("reader: %v\n%s", err, out)
		}
		return string(out)
	}
	before := foreignNames(t, path)
	if got := child(); !strings.Contains(got, strings.Join(wantForeign, "\n")) {
		t.Errorf("rows:\n%s", got)
	}
	if diff := cmp.Diff(before, foreignNames(t, path)); diff != "" {
		t.Errorf("files beside it (-before +after):\n%s", diff)
	}
	tx, err := agent.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("INSERT INTO t (id, name) VALUES (4, 'not yet')"); err != nil {
		t.Fatal(err)
	}
	if got := child(); !strings.Contains(got, wantForeign[2]) || strings.Contains(got, "not yet") {
		t.Errorf("rows while the agent writes:\n%s", got)
	}
	if err := tx.Commit(); err != nil {
		t.Errorf("the agent's commit: %v", err)
	}
	if got := child(); !strings.Contains(got, "not yet") {
		t.Errorf("rows after the commit:\n%s", got)
	}
}

func foreignNames(t *testing.T, path string) []string {
	t.Helper()
	var out []string
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestReadForeignLeavesNothing(t *testing.T) {
	tests := []struct {
		name   string
		keep   []string // of what the working agent had
		closed bool     // the agent ended well
		empty  bool     // an empty log stayed behind: nothing needs to be copied
	}{
		{name: "resting", keep: []string{""}, closed: true},
		{name: "resting beside an empty log", keep: []string{""}, closed: true, empty: true},
		{name: "crashed", keep: []string{"", "-wal", "-shm"}},
		{name: "crashed without index", keep: []string{"", "-wal"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, agent := foreignDB(t)
			if tt.closed {
				if err := agent.Close(); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(t.TempDir(), "agent.db")
			for _, suffix := range tt.keep {
				data, err := os.ReadFile(from + suffix)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path+suffix, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if tt.empty {
				t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
				if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := foreignListing(t, path)
			if diff := cmp.Diff(wantForeign, foreignRows(t, path, selectForeign)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, foreignListing(t, path)); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
		})
	}
}

func TestReadForeignArguments(t *testing.T) {
	path, _ := foreignDB(t)
	got := foreignRows(t, path, "SELECT id FROM t WHERE id > ? ORDER BY id LIMIT ?", 1, 1)
	if diff := cmp.Diff([]string{`{"id":2}`}, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestReadForeignRelative: a path may begin where the process is.
func TestReadForeignRelative(t *testing.T) {
	path, _ := foreignDB(t)
	t.Chdir(filepath.Dir(path))
	if diff := cmp.Diff(wantForeign, foreignRows(t, filepath.Base(path), selectForeign)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestReadForeignErrors(t *testing.T) {
	path, agent := foreignDB(t)
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path, query string
		missing           bool
	}{
		{"no file", path + "x", selectForeign, true},
		{"no table", path, "SELECT 1 FROM nothing", false},
		{"write", path, "DELETE FROM t", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got error
			for _, err := range sqlite.ReadForeign(t.Context(), tt.path, tt.query) {
				got = err
			}
			if got == nil {
				t.Fatal("no error")
			}
			if errors.Is(got, fs.ErrNotExist) != tt.missing {
				t.Errorf("error %v: not-exist = %v, want %v", got, !tt.missing, tt.missing)
			}
		})
	}
	if _, err := os.Stat(path + "x"); err == nil {
		t.Error("a database was created")
	}
	if n := len(foreignRows(t, path, selectForeign)); n != 3 {
		t.Errorf("%d rows left, want 3", n)
	}
}
