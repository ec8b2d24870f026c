// Package sqlite is the store: one SQLite database with one writer and a pool of readers. It is the only package that
// knows SQL. Rows, flags and checkpoints of a batch are committed in one transaction.
//
// The database lives in a directory of Turnwatch's own. Agents' databases are read by ReadForeign alone.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	_ "modernc.org/sqlite" // registers the driver

	"github.com/turnwatch/turnwatch/collector"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is the store. Its methods may be called from any goroutine; Commit and SetLive from one at a time.
type DB struct {
	path     string
	w        *sql.DB   // holds conn only; nil = read-only
	conn     *sql.Conn // the writer; nil = read-only
	r        *sql.DB
	readOnly bool

	mu     sync.Mutex
	stmts  map[string]*sql.Stmt // of the writer
	reads  map[string]*sql.Stmt // of the readers
	bulks  map[bulkKey]driver.StmtExecContext
	closed bool
}

var errReadOnly = errors.New("the database was opened to be read only")

// Close closes the database. It may be called again.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	var errs []error
	for _, s := range db.stmts {
		errs = append(errs, s.Close())
	}
	clear(db.stmts)
	for _, s := range db.reads {
		errs = append(errs, s.Close())
	}
	clear(db.reads)
	for _, s := range db.bulks {
		errs = append(errs, s.(driver.Stmt).Close())
	}
	clear(db.bulks)
	errs = append(errs, db.r.Close())
	if !db.readOnly {
		errs = append(errs, db.conn.Close(), db.w.Close())
	}
	return errors.Join(errs...)
}

// stmt returns a prepared statement of the writer.
func (db *DB) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if s := db.stmts[query]; s != nil {
		return s, nil
	}
	s, err := db.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", query, err)
	}
	db.stmts[query] = s
	return s, nil
}

// exec runs a prepared statement of the writer.
func (db *DB) exec(ctx context.Context, query string) error {
	st, err := db.stmt(ctx, query)
	if err == nil {
		_, err = st.ExecContext(ctx)
	}
	return err
}

// query runs a prepared statement of the readers: parsing took most of the time of loading a session.
func (db *DB) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	db.mu.Lock()
	st := db.reads[query]
	db.mu.Unlock()
	if st == nil {
		var err error
		if st, err = db.r.PrepareContext(ctx, query); err != nil {
			return nil, err
		}
		if st, err = db.keepRead(query, st); err != nil {
			return nil, err
		}
	}
	return st.QueryContext(ctx, args...)
}

// keepRead keeps a statement of the readers, unless another goroutine was first.
func (db *DB) keepRead(query string, st *sql.Stmt) (*sql.Stmt, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if first := db.reads[query]; first != nil {
		return first, st.Close()
	}
	if db.reads == nil {
		db.reads = map[string]*sql.Stmt{}
	}
	db.reads[query] = st
	return st, nil
}

// update runs fn in one write transaction. Only DB's own methods begin and end transactions.
// It speaks SQL to the one connection instead of using sql.Tx, whose statements end with it: ours are prepared once.
func (db *DB) update(ctx context.Context, fn func() error) error {
	if db.readOnly {
		return errReadOnly
	}
	if err := db.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	err := fn()
	if err == nil {
		if err = db.exec(ctx, "COMMIT"); err == nil {
			return nil
		}
		err = fmt.Errorf("commit: %w", err)
	}
	_, rollback := db.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	if code(rollback) == codeError {
		return err // SQLite did it by itself, as it does when a disk is full
	}
	return errors.Join(err, rollback)
}

// Trim gives the write-ahead log's space back; call it when nothing happens.
func (db *DB) Trim(ctx context.Context) error {
	if db.readOnly {
		return errReadOnly
	}
	_, err := db.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// Size returns the bytes that the database takes on disk, its write-ahead log included.
func (db *DB) Size(context.Context) (int64, error) {
	var sum int64
	for _, suffix := range []string{"", "-wal"} {
		st, err := os.Stat(db.path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		sum += st.Size()
	}
	return sum, nil
}

// Revision returns the number of the newest commit.
func (db *DB) Revision(ctx context.Context) (int64, error) {
	var rev int64
	err := db.r.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'revision'").Scan(&rev)
	return rev, err
}

func notFound(id collector.SessionID) error {
	return &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("no session %q", id)}
}
