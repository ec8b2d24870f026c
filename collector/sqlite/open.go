package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/pressly/goose/v3"

	"github.com/turnwatch/turnwatch/collector"
)

// FileName is the database's name in the data directory.
const FileName = "turnwatch.db"

const (
	readers     = 4
	readPragmas = "&_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-4000)"
	pragmas     = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(0)" +
		"&_pragma=cache_size(-8000)&_pragma=temp_store(2)&_pragma=journal_size_limit(16777216)&_pragma=wal_autocheckpoint(4000)"
)

// Open opens the database in dir, creating both if needed. The directory is made private to its user. An error of which
// Damaged reports true calls for OpenOrRebuild.
func Open(ctx context.Context, dir string) (*DB, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	path := filepath.Join(dir, FileName)
	switch st, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if exists(path + "-wal") {
			return nil, fmt.Errorf("open %s: %w", path, errOrphan)
		}
		if err := create(ctx, path); err != nil {
			return nil, err
		}
		return open(ctx, path, func(context.Context, *sql.DB) error { return nil })
	case err != nil:
		return nil, fmt.Errorf("database: %w", err)
	case st.Size() == 0: // SQLite would take it for a new one, and throw a write-ahead log away
		return nil, fmt.Errorf("open %s: %w", path, errEmpty)
	}
	return open(ctx, path, migrate)
}

// create makes a new database under another name first: what bears the database's own name was complete once, whenever
// the process dies.
func create(ctx context.Context, path string) error {
	fresh := path + newSuffix
	for _, suffix := range suffixes {
		if err := os.Remove(fresh + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("database: %w", err)
		}
	}
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if err := f.Close(); err != nil { // before SQLite opens it: closing later would drop its locks
		return fmt.Errorf("database: %w", err)
	}
	db, err := open(ctx, fresh, func(ctx context.Context, w *sql.DB) error {
		_, err := migrated(ctx, w)
		return err
	})
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("close %s: %w", fresh, err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return nil
}

// open opens a database after prepare has seen to its schema.
func open(ctx context.Context, path string, prepare func(context.Context, *sql.DB) error) (*DB, error) {
	db := &DB{path: path, stmts: map[string]*sql.Stmt{}, bulks: map[bulkKey]driver.StmtExecContext{}}
	var err error
	if db.w, err = sql.Open("sqlite", uri(path, pragmas+"&mode=rw&_txlock=immediate")); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.w.SetMaxOpenConns(1)
	if err := prepare(ctx, db.w); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.w.Close())
	}
	if db.conn, err = db.w.Conn(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.w.Close())
	}
	if db.r, err = sql.Open("sqlite", uri(path, "mode=ro"+readPragmas)); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.conn.Close(), db.w.Close())
	}
	db.r.SetMaxOpenConns(readers)
	return db, nil
}

func uri(path, query string) string {
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query}).String()
}

// migrate brings the schema up to date, and makes sure that it then is what the migrations make.
func migrate(ctx context.Context, db *sql.DB) error {
	got, err := migrated(ctx, db)
	if err != nil {
		return err
	}
	memory, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }()
	memory.SetMaxOpenConns(1)
	want, err := migrated(ctx, memory)
	if err != nil {
		return err
	}
	for name, text := range want {
		if got[name] != text {
			return fmt.Errorf("%w: %s is missing or not what it should be", errSchema, name)
		}
	}
	return nil
}

// migrated migrates a database and returns its schema: each thing's definition by its name.
func migrated(ctx context.Context, db *sql.DB) (map[string]string, error) {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir)
	if err != nil {
		return nil, err
	}
	is, known, err := p.GetVersions(ctx)
	if err != nil {
		return nil, unmigrated(err)
	}
	if is > known {
		return nil, &collector.Error{Code: collector.CodeConflict, Message: fmt.Sprintf("a newer Turnwatch wrote this database "+
			"(schema %d, this one knows up to %d), so it is left alone: start that version again, or give this one its own --data-dir", is, known)}
	}
	if _, err := p.Up(ctx); err != nil {
		return nil, unmigrated(err)
	}
	rows, err := db.QueryContext(ctx, "SELECT name, COALESCE(sql, '') FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	schema := map[string]string{}
	_, err = collect(rows, func(*struct{}) error {
		var name, text string
		err := rows.Scan(&name, &text)
		schema[name] = text
		return err
	})
	return schema, err
}
