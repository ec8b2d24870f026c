package main_test

import (
	"database/sql"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata"
)

const pageSize = 4096

// tear puts garbage in place of pages of a database, counted from 1 as SQLite does.
func tear(t *testing.T, path string, pages ...int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if _, werr := f.WriteAt([]byte(strings.Repeat("torn", pageSize/4)), int64(p-1)*pageSize); werr != nil {
			err = errors.Join(err, werr)
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// pagesOf returns the pages that a table takes.
func pagesOf(t *testing.T, path, table string) (pages []int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT pageno FROM dbstat WHERE name = ?", table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p int
		if err := rows.Scan(&p); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	if len(pages) == 0 || rows.Err() != nil {
		t.Fatalf("no pages of %s: %v", table, rows.Err())
	}
	return pages
}

// TestDamagedDatabase: a damaged database, whenever that turns out, ends nothing: it is put aside, made anew and told of.
func TestDamagedDatabase(t *testing.T) {
	tests := map[string]struct {
		damage func(t *testing.T, path string)
		ask    string // reading this finds it
	}{
		"at start":                 {damage: func(t *testing.T, path string) { tear(t, path, 1) }},
		"when reading begins":      {damage: func(t *testing.T, path string) { tear(t, path, pagesOf(t, path, "streams")...) }},
		"when a page is asked for": {damage: func(t *testing.T, path string) { tear(t, path, pagesOf(t, path, "turns")...) }, ask: "/api/sessions/%s/turns"},
	}
	home := t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			s := serve(t, home, "--data-dir", data).ready()
			before := s.sessions()
			if code := s.end(syscall.SIGTERM); code != 0 || len(before) == 0 {
				t.Fatalf("it ended with %d and %d sessions", code, len(before))
			}
			test.damage(t, filepath.Join(data, "turnwatch.db"))

			s = serve(t, home, "--data-dir", data).ready()
			if test.ask != "" {
				if code := s.get(strings.Replace(test.ask, "%s", string(before[0]), 1), nil); code != http.StatusInternalServerError {
					t.Errorf("%s is answered with %d", test.ask, code)
				}
			}
			found := s.warned("store-rebuilt")
			if _, err := os.Stat(found.Path); err != nil || !strings.Contains(found.Message, "damaged") {
				t.Errorf("it says %+v (%v)", found, err)
			}
			if after := s.ready().sessions(); len(after) != len(before) {
				t.Errorf("%d sessions, before %d", len(after), len(before))
			}
			if code := s.end(syscall.SIGTERM); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			has(t, s.stderr.String(), found.Path, "made anew")

			s = serve(t, home, "--data-dir", data) // it is still told, and not again on the terminal
			s.warned("store-rebuilt")
			s.end(syscall.SIGTERM)
			if strings.Contains(s.stderr.String(), "made anew") {
				t.Errorf("the next start says %s", s.stderr.String())
			}
		})
	}
}

// TestNewerDatabase: what a newer version wrote is left alone.
func TestNewerDatabase(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	serve(t, home, "--data-dir", data).ready().end(syscall.SIGTERM)
	path := filepath.Join(data, "turnwatch.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	has(t, refused(t, 3, home, "serve", "--no-browser", "--port", "0", "--data-dir", data), "newer", "--data-dir", "999")
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("it was changed (%v)", err)
	}
}

// sessions returns the ids of all sessions.
func (s *server) sessions() (ids []collector.SessionID) {
	s.t.Helper()
	var page struct {
		Sessions []struct{ ID collector.SessionID }
	}
	if code := s.get("/api/sessions?limit=500", &page); code != http.StatusOK {
		s.t.Errorf("sessions: %d", code)
	}
	for _, x := range page.Sessions {
		ids = append(ids, x.ID)
	}
	return ids
}

// warned waits for a warning of that code.
func (s *server) warned(code string) collector.Warning {
	s.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	var h health
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-again.C {
		if h, err = s.health(); err != nil {
			continue // it is just making a new database
		}
		for _, w := range h.Warnings {
			if w.Code == code {
				return w
			}
		}
	}
	s.t.Fatalf("no warning %s: %+v, %v", code, h, err)
	return collector.Warning{}
}
