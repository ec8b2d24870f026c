package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// StoredStream is a stream as it was last read.
type StoredStream struct {
	Stream     collector.Stream
	Checkpoint collector.Checkpoint
}

// SessionChange is what changed in one session.
type SessionChange struct {
	Stream     collector.StreamID // of its log; "" = not known yet
	Session    *collector.Session
	Turns      []*collector.Turn
	RoundTrips []*collector.RoundTrip
	Calls      []*collector.ToolCall
	Markers    []*collector.Marker
	Cursor     []byte
	Claims     map[*collector.RoundTrip]bool // round trips whose key is unique over all sessions
	Rollup     []byte                        // what package insights made of all its turns; nil = made when asked for
}

// UnknownRecords counts records of one stream that no source knows.
type UnknownRecords struct {
	Stream collector.StreamID
	collector.UnknownCount
}

// Batch is what one transaction commits.
type Batch struct {
	Forget   []collector.SessionID // sessions whose rows are dropped first: their log is read anew
	Uncount  []collector.StreamID  // streams whose unknown records are dropped first
	Sessions []SessionChange
	Streams  []StoredStream
	Unknown  []UnknownRecords
}

// Rows returns how many rows the batch writes.
func (b *Batch) Rows() int {
	n := len(b.Streams) + len(b.Unknown)
	for _, s := range b.Sessions {
		n += 1 + len(s.Turns) + len(s.RoundTrips) + len(s.Calls) + len(s.Markers)
	}
	return n
}

// Commit writes the batch in one transaction and returns its revision.
func (db *DB) Commit(ctx context.Context, b *Batch) (int64, error) {
	var rev int64
	err := db.update(ctx, func() error {
		var err error
		if rev, err = db.nextRevision(ctx); err != nil {
			return err
		}
		w := writer{db: db, ctx: ctx, rev: rev}
		for _, id := range b.Forget {
			w.forget(id)
		}
		for _, id := range b.Uncount {
			w.exec("DELETE FROM unknown_records WHERE stream = ?", id)
		}
		for i := range b.Sessions {
			w.session(&b.Sessions[i])
		}
		w.flush()
		for _, s := range b.Streams {
			w.stream(s)
		}
		for _, u := range b.Unknown {
			w.exec(`INSERT INTO unknown_records (stream, agent, version, type, count) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET count = count + excluded.count`, u.Stream, u.Agent, u.Version, u.Type, u.Count)
		}
		return w.err
	})
	return rev, err
}

// nextRevision counts the revision up; within a transaction.
func (db *DB) nextRevision(ctx context.Context) (rev int64, err error) {
	st, err := db.stmt(ctx, "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value")
	if err == nil {
		err = st.QueryRowContext(ctx).Scan(&rev)
	}
	if err != nil {
		return 0, fmt.Errorf("revision: %w", err)
	}
	return rev, nil
}

// writer collects the rows of one transaction and writes several per statement; it remembers the first error.
type writer struct {
	db   *DB
	ctx  context.Context
	rev  int64
	err  error
	bulk [4]bulk

	named []driver.NamedValue
}

// bulk is a table that takes several rows per statement.
type bulk struct {
	table string
	cols  string
	width int
	args  []any // of the driver's own types
}

// bulkRows is how many rows one INSERT writes; 8 measured best with this driver.
const bulkRows = 8

func (w *writer) exec(query string, args ...any) {
	if w.err != nil {
		return
	}
	st, err := w.db.stmt(w.ctx, query)
	if err != nil {
		w.err = err
		return
	}
	if _, err := st.ExecContext(w.ctx, args...); err != nil {
		w.err = fmt.Errorf("%s: %w", strings.Fields(query)[2], err)
	}
}

// add queues a row of the i-th bulk table.
func (w *writer) add(i int, table, cols string, args []any) {
	b := &w.bulk[i]
	if b.table == "" {
		b.table, b.cols, b.width = table, cols, len(args)
	}
	b.args = append(b.args, args...)
	if len(b.args) >= bulkRows*b.width {
		w.insert(b, bulkRows)
	}
}

func (w *writer) flush() {
	for i := range w.bulk {
		b := &w.bulk[i]
		for len(b.args) > 0 {
			w.insert(b, 1)
		}
	}
}

// insert writes the first rows of b. It speaks to the driver itself: database/sql would convert and copy every value,
// a tenth of the time of reading a history.
func (w *writer) insert(b *bulk, rows int) {
	n := rows * b.width
	defer func() { b.args = b.args[:copy(b.args, b.args[n:])] }()
	if w.err != nil {
		return
	}
	w.named = w.named[:0]
	for i, v := range b.args[:n] {
		w.named = append(w.named, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	w.err = w.db.conn.Raw(func(c any) error {
		key := bulkKey{b.table, rows}
		st := w.db.bulks[key]
		if st == nil {
			prepared, err := c.(driver.ConnPrepareContext).PrepareContext(w.ctx, b.query(rows))
			if err != nil {
				return fmt.Errorf("prepare %s: %w", b.table, err)
			}
			st = prepared.(driver.StmtExecContext)
			w.db.bulks[key] = st
		}
		if _, err := st.ExecContext(w.ctx, w.named); err != nil {
			return fmt.Errorf("insert into %s: %w", b.table, err)
		}
		return nil
	})
}

type bulkKey struct {
	table string
	rows  int
}

func (b *bulk) query(rows int) string {
	one := "(" + strings.Repeat("?, ", b.width-1) + "?)"
	return "INSERT OR REPLACE INTO " + b.table + " (" + b.cols + ") VALUES " +
		strings.Join(slices.Repeat([]string{one}, rows), ", ")
}

// forget drops the rows that a session's log made up; what other streams said about it stays in the cursor's hands of
// whoever reads it anew.
func (w *writer) forget(id collector.SessionID) {
	if w.err != nil {
		return
	}
	var pk int64
	err := w.db.conn.QueryRowContext(w.ctx, "SELECT pk FROM sessions WHERE id = ?", id).Scan(&pk)
	if err == sql.ErrNoRows {
		return
	}
	if err != nil {
		w.err = fmt.Errorf("forget %s: %w", id, err)
		return
	}
	lo, hi := partID(pk, 0), partID(pk+1, 0)-1
	for _, table := range []string{"turns", "round_trips", "tool_calls", "markers"} {
		w.exec("DELETE FROM "+table+" WHERE id BETWEEN ? AND ?", lo, hi)
	}
	w.exec("DELETE FROM sessions WHERE pk = ?", pk)
}

func (w *writer) stream(s StoredStream) {
	c := s.Checkpoint
	w.exec(`INSERT OR REPLACE INTO streams (id, agent, kind, path, session, generation, offset, line, size, mtime, inode,
		head_len, tail_len, head_hash, tail_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Stream.ID, s.Stream.Agent, s.Stream.Kind, s.Stream.Path, s.Stream.Session, c.Generation, c.Offset, c.Line,
		c.Size, c.ModTime, int64(c.Inode), c.HeadLen, c.TailLen, int64(c.HeadHash), int64(c.TailHash))
}

// ClaimHash is the hash by which the store finds a key that is unique over all sessions.
func ClaimHash(key string) int64 { return int64(xxhash.Sum64String(key)) }
