package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// Reprice notes which prices costs are made of, by a number of the caller's: 0 = the built-in ones. If it is another one
// than before, every log is to be read anew, since a cost is made where a round trip is read and nowhere else. It reports
// whether that is so. Call it before anything reads; sessions whose log is gone keep the costs that they have.
func (db *DB) Reprice(ctx context.Context, prices int64) (changed bool, err error) {
	err = db.aside(ctx, func(tx *sql.Tx) error {
		var before int64
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'prices'").Scan(&before)
		if err != nil && !noRows(err) {
			return err
		}
		if changed = before != prices; !changed {
			return nil
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (name, value) VALUES ('prices', ?)", prices); err != nil {
			return err
		}
		// A stream whose beginning differs from its fingerprint is taken for another one, and read anew.
		_, err = tx.ExecContext(ctx, "UPDATE streams SET head_hash = ~head_hash, size = -1 WHERE kind = 'log'")
		return err
	})
	if err != nil {
		return false, fmt.Errorf("prices: %w", err)
	}
	return changed, nil
}
