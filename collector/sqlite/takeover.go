package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// takeOver copies what only the damaged database knows: labels, and sessions whose log is gone. One transaction holds
// all of it, so that it can be done again. Whatever reading the old one says, only writing the new one can fail.
func (db *DB) takeOver(ctx context.Context, n *Rebuilt, sound func(*StoredSession) error) error {
	dir := filepath.Dir(db.path)
	copied, err := readLabels(dir)
	if err != nil {
		return err
	}
	// Read-only, but with an index of its own for the write-ahead log, which is removed again.
	path := filepath.Join(dir, n.File)
	defer func() { _ = os.Remove(path + "-shm") }()
	old, err := sql.Open("sqlite", uri(path, "mode=ro&_pragma=query_only(1)&_pragma=cell_size_check(1)"))
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { _ = old.Close() }()
	old.SetMaxOpenConns(2) // a list of sessions, and the parts of one
	*n = Rebuilt{File: n.File, At: n.At, Reason: n.Reason}
	var taken []oldSession
	err = db.update(ctx, func() error {
		var err error
		if taken, err = db.takeSessions(ctx, old, n); err != nil {
			return err
		}
		if err := db.takeLabels(ctx, old, n, copied); err != nil {
			return err
		}
		return db.takeRevision(ctx, old)
	})
	if err != nil {
		return err
	}
	return db.dropUnsound(ctx, n, taken, sound)
}

// oldSession is a session of the damaged database.
type oldSession struct {
	pk     int64
	id     collector.SessionID
	path   string
	stream collector.StreamID
}

// takeSessions takes over the sessions whose log is gone.
func (db *DB) takeSessions(ctx context.Context, old *sql.DB, n *Rebuilt) ([]oldSession, error) {
	found, whole := oldSessions(ctx, old)
	n.Unreadable = !whole && len(found) == 0
	var taken []oldSession
	for _, s := range found {
		if s.path == "" || exists(s.path) { // nothing of its log is known, or it will be read
			continue
		}
		rows, err := readSession(ctx, old, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		fits := false
		if err == nil {
			if fits, err = db.insertSession(ctx, rows); err != nil {
				return nil, err
			}
		}
		if !fits {
			n.Lost++
			continue
		}
		taken = append(taken, s)
	}
	n.Carried = len(taken)
	return taken, nil
}

// oldSessions lists what sessions can be seen, and says whether that is all. A page that cannot be read ends a scan: from
// the other end the rest is reached.
func oldSessions(ctx context.Context, old *sql.DB) (map[int64]oldSession, bool) {
	found := map[int64]oldSession{}
	for _, order := range []string{"ASC", "DESC"} {
		rows, err := old.QueryContext(ctx, "SELECT pk, id, path, stream FROM sessions ORDER BY pk "+order)
		if err != nil {
			continue
		}
		for rows.Next() {
			var s oldSession
			if rows.Scan(&s.pk, &s.id, &s.path, &s.stream) == nil {
				found[s.pk] = s
			}
		}
		if errors.Join(rows.Err(), rows.Close()) == nil {
			return found, true
		}
	}
	return found, false
}

// tableRows are rows of one table, as they are stored.
type tableRows struct {
	table string
	cols  []string
	rows  [][]any
}

// readSession reads all rows of a session, and how far its log was read: without that it could not go on if its log came
// back.
func readSession(ctx context.Context, old *sql.DB, s oldSession) ([]tableRows, error) {
	lo, hi := partID(s.pk, 0), partID(s.pk+1, 0)-1
	var all []tableRows
	for _, q := range []struct {
		table, where string
		args         []any
	}{
		{"sessions", "pk = ?", []any{s.pk}},
		{"streams", "id = ?", []any{s.stream}},
		{"turns", "id BETWEEN ? AND ?", []any{lo, hi}},
		{"round_trips", "id BETWEEN ? AND ?", []any{lo, hi}},
		{"tool_calls", "id BETWEEN ? AND ?", []any{lo, hi}},
		{"markers", "id BETWEEN ? AND ?", []any{lo, hi}},
	} {
		t, err := readRows(ctx, old, q.table, q.where, q.args)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if len(all[0].rows) != 1 || len(all[1].rows) != 1 {
		return nil, errSchema
	}
	return all, nil
}

func readRows(ctx context.Context, old *sql.DB, table, where string, args []any) (tableRows, error) {
	t := tableRows{table: table}
	rows, err := old.QueryContext(ctx, "SELECT * FROM "+table+" WHERE "+where, args...)
	if err != nil {
		return t, err
	}
	if t.cols, err = rows.Columns(); err != nil {
		return t, errors.Join(err, rows.Close())
	}
	t.rows, err = collect(rows, func(r *[]any) error {
		*r = make([]any, len(t.cols))
		dest := make([]any, len(t.cols))
		for i := range dest {
			dest[i] = &(*r)[i]
		}
		return rows.Scan(dest...)
	})
	return t, err
}

// insertSession writes the rows of a session, all or none, and reports whether they fit this schema.
func (db *DB) insertSession(ctx context.Context, all []tableRows) (fits bool, err error) {
	if _, err := db.conn.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return false, err
	}
	for _, t := range all {
		if err = db.insertRows(ctx, t); err != nil {
			break
		}
	}
	if c := code(err); c == codeError || c == codeConstraint || c == codeMismatch {
		_, err = db.conn.ExecContext(ctx, "ROLLBACK TO one")
	} else {
		fits = true
	}
	if err != nil {
		return false, err
	}
	_, err = db.conn.ExecContext(ctx, "RELEASE one")
	return fits, err
}

// insertRows writes rows of an older schema too: columns that are new have defaults.
func (db *DB) insertRows(ctx context.Context, t tableRows) error {
	if len(t.rows) == 0 {
		return nil
	}
	st, err := db.conn.PrepareContext(ctx, "INSERT OR REPLACE INTO "+t.table+" (\""+strings.Join(t.cols, "\", \"")+"\") VALUES (?"+strings.Repeat(", ?", len(t.cols)-1)+")")
	if err != nil {
		return fmt.Errorf("take over into %s: %w", t.table, err)
	}
	defer func() { _ = st.Close() }()
	for _, r := range t.rows {
		if _, err := st.ExecContext(ctx, r...); err != nil {
			return fmt.Errorf("take over into %s: %w", t.table, err)
		}
	}
	return nil
}

// takeRevision goes on from the old database's revision, so that pages that knew it see what comes as newer.
func (db *DB) takeRevision(ctx context.Context, old *sql.DB) error {
	var rev int64
	if err := old.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'revision'").Scan(&rev); err != nil || rev < 0 || rev > 1<<52 {
		return ctx.Err() // without it they ask for everything again
	}
	_, err := db.conn.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = 'revision'", rev+1)
	return err
}

// dropUnsound drops the sessions of which folding could not go on.
func (db *DB) dropUnsound(ctx context.Context, n *Rebuilt, taken []oldSession, sound func(*StoredSession) error) error {
	var bad []oldSession
	for _, s := range taken {
		st, err := db.Load(ctx, s.id)
		if err == nil {
			err = sound(st)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			bad = append(bad, s)
		}
	}
	n.Carried, n.Lost = n.Carried-len(bad), n.Lost+len(bad)
	return db.update(ctx, func() error {
		w := writer{db: db, ctx: ctx}
		for _, s := range bad {
			w.forget(s.id)
			w.exec("DELETE FROM streams WHERE id = ?", s.stream) // if its log comes back, it is read from the beginning
		}
		return w.err
	})
}
