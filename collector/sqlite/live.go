package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

func noRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// SetLive replaces what running processes hold, and returns the new revision.
func (db *DB) SetLive(ctx context.Context, live []collector.LiveSession) (int64, error) {
	var rev int64
	err := db.update(ctx, func() error {
		var err error
		if rev, err = db.nextRevision(ctx); err != nil {
			return err
		}
		if _, err := db.conn.ExecContext(ctx, "DELETE FROM live"); err != nil {
			return fmt.Errorf("live: %w", err)
		}
		for _, l := range live {
			if _, err := db.conn.ExecContext(ctx, "INSERT OR REPLACE INTO live (session, pid, state, waiting_for) VALUES (?, ?, ?, ?)",
				l.Session, l.Pid, l.State, l.WaitingFor); err != nil {
				return fmt.Errorf("live: %w", err)
			}
		}
		return nil
	})
	return rev, err
}

// recentCalls is how many calls count as recent. More than so many nested in one that still runs would hide it.
const recentCalls = 64

// RecentCalls returns the session's newest calls, in ascending order.
func (db *DB) RecentCalls(ctx context.Context, id collector.SessionID) ([]*collector.ToolCall, error) {
	_, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	rows, err := db.r.QueryContext(ctx, "SELECT "+callCols+" FROM tool_calls WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?",
		partID(pk, 0), partID(pk+1, 0)-1, recentCalls)
	if err != nil {
		return nil, fmt.Errorf("recent calls of %s: %w", id, err)
	}
	calls, err := collect(rows, func(c **collector.ToolCall) error {
		*c = &collector.ToolCall{}
		return scanCall(rows, *c)
	})
	if err != nil {
		return nil, fmt.Errorf("recent calls of %s: %w", id, err)
	}
	slices.Reverse(calls)
	return calls, nil
}
