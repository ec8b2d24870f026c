package sqlite

import (
	"context"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// States returns how many root sessions of each agent are in each state that any is in.
func (db *DB) States(ctx context.Context) ([]collector.StateCount, error) {
	const state = `CASE
		WHEN l.session IS NULL THEN CASE s.open WHEN 1 THEN 'crashed' ELSE 'ended' END
		WHEN s.open = 1 AND s.waiting_for <> '' AND l.state IN ('', 'busy') THEN 'waiting'
		WHEN l.state = '' THEN CASE s.open WHEN 1 THEN 'busy' ELSE 'idle' END
		ELSE l.state END`
	rows, err := db.r.QueryContext(ctx, "SELECT s.agent, "+state+", COUNT(*)"+sessionFrom+"WHERE s.parent = '' AND s.path <> '' GROUP BY 1, 2")
	if err != nil {
		return nil, fmt.Errorf("session states: %w", err)
	}
	return collect(rows, func(c *collector.StateCount) error { return rows.Scan(&c.Agent, &c.State, &c.Sessions) })
}
