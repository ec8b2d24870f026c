package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/turnwatch/turnwatch/collector"
)

// OpenReadOnly opens the database in dir to read it only, beside the Turnwatch that writes it or without one. It creates
// and migrates nothing, and leaves no file behind: see ReadForeign for the three cases. Methods that write fail, but
// SetRollups, which only keeps what can be made again, keeps nothing.
func OpenReadOnly(ctx context.Context, dir string) (*DB, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: "nothing was read yet: there is no database in " + dir}
	} else if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	mode := "mode=ro"
	switch {
	case !exists(path + "-wal"):
		mode += "&immutable=1"
	case exists(path + "-shm"):
		mode += "&readonly_shm=1"
	}
	db := &DB{path: path, readOnly: true}
	var err error
	if db.r, err = sql.Open("sqlite", uri(path, mode+readPragmas)); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.r.SetMaxOpenConns(readers)
	if err := db.checkSchema(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return db, nil
}

// checkSchema refuses a database that another version of this program wrote.
func (db *DB) checkSchema(ctx context.Context) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	files, err := fs.Glob(dir, "*.sql")
	if err != nil || len(files) == 0 {
		return errors.Join(err, errors.New("no migrations"))
	}
	want, err := goose.NumericComponent(files[len(files)-1])
	if err != nil {
		return err
	}
	var have int64
	if err := db.r.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&have); err != nil {
		return err
	}
	switch {
	case have < want:
		return &collector.Error{Code: collector.CodeConflict, Message: "an older version wrote this database: start turnwatch once to bring it up to date"}
	case have > want:
		return &collector.Error{Code: collector.CodeConflict, Message: "a newer version of turnwatch wrote this database: use that one"}
	}
	return nil
}

// WrittenAt returns when the database was last written.
func (db *DB) WrittenAt() (time.Time, error) {
	var last time.Time
	for _, suffix := range []string{"", "-wal"} {
		st, err := os.Stat(db.path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return last, err
		}
		if st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	return last, nil
}

// Known is what a session is found by.
type Known struct {
	ID     collector.SessionID
	Title  string
	LastAt int64 // unix ms; 0 = unknown
}

// Known returns all sessions that have a log, the newest first.
func (db *DB) Known(ctx context.Context) ([]Known, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT id, title, last_at FROM sessions WHERE path <> '' ORDER BY last_at DESC, pk DESC")
	if err != nil {
		return nil, fmt.Errorf("known sessions: %w", err)
	}
	return collect(rows, func(k *Known) error { return rows.Scan(&k.ID, &k.Title, &k.LastAt) })
}

// Versions returns the versions of each agent's program that logs name, ascending; none of an agent whose logs name none.
func (db *DB) Versions(ctx context.Context) (map[collector.Agent][]string, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT DISTINCT agent, version FROM sessions WHERE path <> '' ORDER BY agent, version LIMIT 200")
	if err != nil {
		return nil, fmt.Errorf("versions: %w", err)
	}
	seen := map[collector.Agent][]string{}
	_, err = collect(rows, func(*struct{}) error {
		var agent collector.Agent
		var version string
		if err := rows.Scan(&agent, &version); err != nil {
			return err
		}
		if seen[agent] == nil {
			seen[agent] = []string{}
		}
		if version != "" {
			seen[agent] = append(seen[agent], version)
		}
		return nil
	})
	return seen, err
}
