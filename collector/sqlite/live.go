package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

func noRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// SetLive replaces what running processes hold, and returns the new revision.
func (db *DB) SetLive(ctx context.Context, live []collector.LiveSession) (int64, error) {
	var rev int64
	err := db.update(ctx, func() error {
		if err := db.conn.QueryRowContext(ctx, "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value").Scan(&rev); err != nil {
			return fmt.Errorf("revision: %w", err)
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
