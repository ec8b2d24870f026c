package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
)

// Streams returns every stream that was ever read.
func (db *DB) Streams(ctx context.Context) ([]StoredStream, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT id, agent, kind, path, session, generation, offset, line, size, mtime, inode,
		head_len, tail_len, head_hash, tail_hash FROM streams`)
	if err != nil {
		return nil, fmt.Errorf("streams: %w", err)
	}
	return collect(rows, func(s *StoredStream) error {
		c := &s.Checkpoint
		var inode, head, tail int64
		err := rows.Scan(&s.Stream.ID, &s.Stream.Agent, &s.Stream.Kind, &s.Stream.Path, &s.Stream.Session, &c.Generation, &c.Offset,
			&c.Line, &c.Size, &c.ModTime, &inode, &c.HeadLen, &c.TailLen, &head, &tail)
		c.Inode, c.HeadHash, c.TailHash = uint64(inode), uint64(head), uint64(tail)
		return err
	})
}

// collect scans all rows into a slice and closes them.
func collect[T any](rows *sql.Rows, scan func(*T) error) ([]T, error) {
	defer func() { _ = rows.Close() }()
	var all []T
	for rows.Next() {
		var v T
		if err := scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// StoredSession is a session with everything that folding on needs.
type StoredSession struct {
	Session *collector.Session
	Stream  collector.StreamID
	Turns   []*collector.Turn
	Waiting []*collector.Marker // of a turn that has not begun
	Claims  map[*collector.RoundTrip]bool
	Cursor  []byte
}

// Load returns a session for folding on, or nil if there is none.
func (db *DB) Load(ctx context.Context, id collector.SessionID) (*StoredSession, error) {
	st := &StoredSession{Session: &collector.Session{}, Claims: map[*collector.RoundTrip]bool{}}
	var pk int64
	row := db.r.QueryRowContext(ctx, "SELECT "+sessionCols+", pk FROM sessions WHERE id = ?", id)
	err := scanSession(row, st.Session, &st.Stream, &st.Cursor, &pk)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", id, err)
	}
	if st.Turns, err = db.turns(ctx, pk, 0, 1<<partBits-1); err != nil {
		return nil, fmt.Errorf("load %s: %w", id, err)
	}
	trips, claims, err := db.trips(ctx, pk, 0, 1<<partBits-1)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", id, err)
	}
	calls, err := db.calls(ctx, pk, 0, 1<<partBits-1)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", id, err)
	}
	markers, err := db.markers(ctx, pk, "")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", id, err)
	}
	st.Claims = claims
	hand := func(turn int) *collector.Turn {
		if turn >= 0 && turn < len(st.Turns) {
			return st.Turns[turn]
		}
		return nil
	}
	for _, r := range trips {
		if t := hand(r.Turn); t != nil {
			t.RoundTrips = append(t.RoundTrips, r)
		}
	}
	for _, c := range calls {
		if t := hand(c.Turn); t != nil {
			t.ToolCalls = append(t.ToolCalls, c)
		}
	}
	for _, m := range markers {
		if t := hand(m.Turn); t != nil {
			t.Markers = append(t.Markers, m)
		} else {
			st.Waiting = append(st.Waiting, m)
		}
	}
	return st, nil
}

func (db *DB) turns(ctx context.Context, pk int64, lo, hi int) ([]*collector.Turn, error) {
	rows, err := db.query(ctx, "SELECT "+turnCols+" FROM turns WHERE id BETWEEN ? AND ? ORDER BY id", partID(pk, lo), partID(pk, hi))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(t **collector.Turn) error {
		*t = &collector.Turn{}
		_, err := scanTurn(rows, *t)
		return err
	})
}

func (db *DB) trips(ctx context.Context, pk int64, lo, hi int) ([]*collector.RoundTrip, map[*collector.RoundTrip]bool, error) {
	rows, err := db.query(ctx, "SELECT "+tripCols+" FROM round_trips WHERE id BETWEEN ? AND ? ORDER BY id", partID(pk, lo), partID(pk, hi))
	if err != nil {
		return nil, nil, err
	}
	claims := map[*collector.RoundTrip]bool{}
	all, err := collect(rows, func(r **collector.RoundTrip) error {
		*r = &collector.RoundTrip{}
		claim, err := scanTrip(rows, *r)
		if claim {
			claims[*r] = true
		}
		return err
	})
	return all, claims, err
}

func (db *DB) calls(ctx context.Context, pk int64, lo, hi int) ([]*collector.ToolCall, error) {
	rows, err := db.query(ctx, "SELECT "+callCols+" FROM tool_calls WHERE id BETWEEN ? AND ? ORDER BY id", partID(pk, lo), partID(pk, hi))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(c **collector.ToolCall) error {
		*c = &collector.ToolCall{}
		return scanCall(rows, *c)
	})
}

func (db *DB) markers(ctx context.Context, pk int64, and string, args ...any) ([]*collector.Marker, error) {
	args = append([]any{partID(pk, 0), partID(pk+1, 0) - 1}, args...)
	rows, err := db.query(ctx, "SELECT body FROM markers WHERE id BETWEEN ? AND ? "+and+" ORDER BY id", args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(m **collector.Marker) error {
		*m = &collector.Marker{}
		return scanMarker(rows, *m)
	})
}

// Claimants returns the sessions of the agent that show a round trip of that key, but for one.
func (db *DB) Claimants(ctx context.Context, agent collector.Agent, key string, except collector.SessionID) ([]collector.SessionID, error) {
	st, err := db.stmt(ctx, `SELECT s.id FROM round_trips r JOIN sessions s ON s.pk = r.id >> 24
		WHERE r.claim = ? AND r.key = ? AND s.agent = ? AND s.id <> ?`)
	if err != nil {
		return nil, err
	}
	rows, err := st.QueryContext(ctx, ClaimHash(key), key, agent, except)
	if err != nil {
		return nil, fmt.Errorf("claimants: %w", err)
	}
	return collect(rows, func(id *collector.SessionID) error { return rows.Scan(id) })
}

// SessionIDs returns every session, also those of which only facts are known.
func (db *DB) SessionIDs(ctx context.Context) ([]collector.SessionID, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT id FROM sessions")
	if err != nil {
		return nil, fmt.Errorf("session ids: %w", err)
	}
	return collect(rows, func(id *collector.SessionID) error { return rows.Scan(id) })
}

// Claims yields the hash of every key that is unique over all sessions of its agent.
func (db *DB) Claims(ctx context.Context) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := db.r.QueryContext(ctx, "SELECT claim FROM round_trips INDEXED BY round_trips_claim WHERE claim IS NOT NULL")
		if err != nil {
			yield(0, fmt.Errorf("claims: %w", err))
			return
		}
		defer func() { _ = rows.Close() }()
		var hash int64
		for rows.Next() {
			if err := rows.Scan(&hash); err != nil {
				yield(0, err)
				return
			}
			if !yield(hash, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(0, err)
		}
	}
}

// SessionsOf returns the sessions whose log is the stream.
func (db *DB) SessionsOf(ctx context.Context, stream collector.StreamID) ([]collector.SessionID, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT id FROM sessions WHERE stream = ?", stream)
	if err != nil {
		return nil, fmt.Errorf("sessions of %s: %w", stream, err)
	}
	return collect(rows, func(id *collector.SessionID) error { return rows.Scan(id) })
}

// GoneStreams returns the logs whose file is no longer there, as far as their sessions know.
func (db *DB) GoneStreams(ctx context.Context) ([]collector.StreamID, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT DISTINCT stream FROM sessions WHERE gone <> 0")
	if err != nil {
		return nil, fmt.Errorf("gone streams: %w", err)
	}
	return collect(rows, func(id *collector.StreamID) error { return rows.Scan(id) })
}

// UnknownTypes returns the types of a stream's records that no source knows.
func (db *DB) UnknownTypes(ctx context.Context, stream collector.StreamID) ([]string, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT DISTINCT type FROM unknown_records WHERE stream = ?", stream)
	if err != nil {
		return nil, fmt.Errorf("unknown records of %s: %w", stream, err)
	}
	return collect(rows, func(name *string) error { return rows.Scan(name) })
}

// Unknown returns how many records no source knows, most first.
func (db *DB) Unknown(ctx context.Context) ([]collector.UnknownCount, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT agent, version, type, SUM(count) FROM unknown_records
		GROUP BY agent, version, type ORDER BY 4 DESC, 1, 2, 3 LIMIT 200`)
	if err != nil {
		return nil, fmt.Errorf("unknown records: %w", err)
	}
	return collect(rows, func(u *collector.UnknownCount) error { return rows.Scan(&u.Agent, &u.Version, &u.Type, &u.Count) })
}
