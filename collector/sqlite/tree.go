package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// addTrees fills in the children, the totals of the whole tree, and everybody's labels.
func (db *DB) addTrees(ctx context.Context, roots []*collector.Session) error {
	level := roots
	byID := map[collector.SessionID]*collector.Session{}
	for _, s := range roots {
		byID[s.ID] = s
	}
	var below []*collector.Session
	for len(level) > 0 {
		args := make([]any, len(level))
		for i, s := range level {
			args[i] = s.ID
		}
		rows, err := db.r.QueryContext(ctx, selectSession+"WHERE s.path <> '' AND s.parent <> '' AND s.parent IN ("+strings.Repeat("?, ", len(args)-1)+"?) ORDER BY s.started_at, s.id", args...)
		if err != nil {
			return fmt.Errorf("children: %w", err)
		}
		children, err := collect(rows, func(s **collector.Session) (err error) {
			*s, _, err = scanLive(rows)
			return err
		})
		if err != nil {
			return fmt.Errorf("children: %w", err)
		}
		level = nil
		for _, c := range children {
			if byID[c.ID] != nil {
				continue // a tree has no circles, whatever a log says
			}
			byID[c.ID] = c
			byID[c.Parent].Children = append(byID[c.Parent].Children, c)
			level = append(level, c)
		}
		below = append(below, level...)
	}
	if err := db.addUp(ctx, byID, below); err != nil {
		return err
	}
	return db.addLabels(ctx, byID)
}

// addUp sums up the totals of trees, from their leaves, which come last in below.
//
// An account of a whole tree stays the tree's total. The session that states it has a share of its own in it, which only
// its turns know: they are looked at if there are children to share with.
func (db *DB) addUp(ctx context.Context, byID map[collector.SessionID]*collector.Session, below []*collector.Session) error {
	for i := len(below) - 1; i >= 0; i-- {
		p := byID[below[i].Parent]
		p.TreeTotals = p.TreeTotals.Plus(below[i].TreeTotals)
	}
	for _, s := range byID {
		if !s.Totals.OfTree || len(s.Children) == 0 {
			continue
		}
		own, err := db.turnTotals(ctx, s.ID)
		if err != nil {
			return err
		}
		s.Totals.Tokens, s.Totals.Credits, s.Totals.OfTree = own.Tokens, own.Credits, false
	}
	return nil
}

// turnTotals sums up a session's turns.
func (db *DB) turnTotals(ctx context.Context, id collector.SessionID) (collector.Totals, error) {
	sum := collector.ZeroTotals()
	var pk int64
	if err := db.r.QueryRowContext(ctx, "SELECT pk FROM sessions WHERE id = ?", id).Scan(&pk); err != nil {
		return sum, fmt.Errorf("session %s: %w", id, err)
	}
	rows, err := db.r.QueryContext(ctx, "SELECT "+totalCols+" FROM turns WHERE id BETWEEN ? AND ?", partID(pk, 0), partID(pk, 1<<partBits-1))
	if err != nil {
		return sum, fmt.Errorf("turns of %s: %w", id, err)
	}
	turns, err := collect(rows, func(t *collector.Totals) error {
		scan := totalScan{t: t}
		if err := rows.Scan(scan.dest(nil)...); err != nil {
			return err
		}
		scan.done()
		return nil
	})
	if err != nil {
		return sum, fmt.Errorf("turns of %s: %w", id, err)
	}
	for i := range turns {
		if turns[i].OfTree {
			turns[i].Tokens = collector.Tokens{} // its own share is not known
		}
		sum = sum.Plus(turns[i])
	}
	return sum, nil
}
