package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

const insertRollup = "INSERT OR REPLACE INTO rollups (pk, card, body) VALUES (?, ?, ?)"

// rollup writes what is read of a session when thousands are summed up: its card, and what package insights made of its
// turns. Without the latter there is none: it is made when it is asked for.
func (w *writer) rollup(pk int64, s *collector.Session, body []byte) {
	if body != nil {
		w.exec(insertRollup, pk, packCard(s), body)
	}
}

// SetRollups gives stored sessions a roll-up: those that were stored without one that this build reads.
func (db *DB) SetRollups(ctx context.Context, bodies map[collector.SessionID][]byte) error {
	if db.readOnly {
		return nil
	}
	return db.aside(ctx, func(tx *sql.Tx) error {
		for id, body := range bodies {
			s, pk, err := db.session(ctx, id)
			if err == nil {
				_, err = tx.ExecContext(ctx, insertRollup, pk, packCard(s), body)
			}
			if err != nil {
				return fmt.Errorf("roll-up of %s: %w", id, err)
			}
		}
		return nil
	})
}

// stored is a session with its roll-up.
type stored struct {
	s    *collector.Session
	pk   int64
	body []byte
}

// Runs returns the newest of the sessions that q selects, each with its tree's totals and roll-ups. It reads all cards,
// which for 2,000 sessions is quicker than to let SQLite read the rows that fit.
func (db *DB) Runs(ctx context.Context, q collector.RunQuery) (collector.RunPage, error) {
	page := collector.RunPage{Runs: []collector.Run{}}
	all, err := db.cards(ctx)
	if err != nil {
		return page, fmt.Errorf("runs: %w", err)
	}
	byID := make(map[collector.SessionID]*collector.Session, len(all))
	for _, st := range all {
		byID[st.s.ID] = st.s
	}
	if err := db.addLabels(ctx, byID); err != nil {
		return page, err
	}
	children := map[collector.SessionID][]stored{}
	var roots []stored
	for _, st := range all {
		if st.s.Parent != "" {
			children[st.s.Parent] = append(children[st.s.Parent], st)
		}
		if selects(q, st.s) {
			roots = append(roots, st)
		}
	}
	slices.SortFunc(roots, func(a, b stored) int { return cmp.Or(cmp.Compare(b.s.LastAt, a.s.LastAt), cmp.Compare(b.pk, a.pk)) })
	page.Total = len(roots)
	if q.Limit > 0 && len(roots) > q.Limit {
		roots = roots[:q.Limit]
	}
	for _, st := range roots {
		run, err := db.tree(ctx, st, children)
		if err != nil {
			return page, fmt.Errorf("runs: %w", err)
		}
		page.Runs = append(page.Runs, run)
	}
	return page, nil
}

// cards reads all sessions that have a log. Those that have no roll-up yet are read from their rows.
func (db *DB) cards(ctx context.Context) ([]stored, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT pk, card, body FROM rollups")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	var card, body sql.RawBytes
	var bodies []byte // of many sessions in one piece: thousands of small ones were a tenth of all garbage
	all, err := collect(rows, func(st *stored) error {
		if err := rows.Scan(&st.pk, &card, &body); err != nil {
			return err
		}
		st.s = unpackCard(card, names)
		if len(bodies)+len(body) > cap(bodies) {
			bodies = make([]byte, 0, max(64<<10, len(body)))
		}
		from := len(bodies)
		bodies = append(bodies, body...)
		st.body = bodies[from:len(bodies):len(bodies)]
		return nil
	})
	if err != nil {
		return nil, err
	}
	all, err = db.addCardless(ctx, all)
	return slices.DeleteFunc(all, func(st stored) bool { return st.s.Path == "" }), err
}

// addCardless adds the sessions that were stored without a roll-up.
func (db *DB) addCardless(ctx context.Context, all []stored) ([]stored, error) {
	var n int
	if err := db.r.QueryRowContext(ctx, "SELECT COUNT(*) FROM sessions").Scan(&n); err != nil || n <= len(all) {
		return all, err
	}
	rows, err := db.r.QueryContext(ctx, selectSession+"WHERE s.path <> '' AND s.pk NOT IN (SELECT pk FROM rollups)")
	if err != nil {
		return all, err
	}
	more, err := collect(rows, func(st *stored) (err error) {
		st.s, st.pk, err = scanLive(rows)
		return err
	})
	return append(all, more...), err
}

// selects reports whether q selects the session as the root of a run.
func selects(q collector.RunQuery, s *collector.Session) bool {
	if len(q.IDs) > 0 {
		if !slices.Contains(q.IDs, s.ID) {
			return false
		}
	} else if s.Parent != "" {
		return false
	}
	return (q.Agent == "" || s.Agent == q.Agent) &&
		(q.Repo == "" || holds(s.Repo, q.Repo) || holds(s.Cwd, q.Repo)) &&
		(q.Branch == "" || s.Branch == q.Branch) &&
		(q.Label == "" || slices.Contains(s.Labels, q.Label))
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// tree adds up a session and its descendants.
func (db *DB) tree(ctx context.Context, root stored, children map[collector.SessionID][]stored) (collector.Run, error) {
	run := collector.Run{Session: root.s, Parts: []collector.RunPart{{ID: root.s.ID, Rollup: root.body}}}
	if len(children[root.s.ID]) == 0 {
		return run, nil
	}
	byID := map[collector.SessionID]*collector.Session{root.s.ID: root.s}
	var below []*collector.Session
	for i := 0; i < len(run.Parts); i++ {
		parent := byID[run.Parts[i].ID]
		for _, c := range children[parent.ID] {
			if byID[c.s.ID] != nil {
				continue // a tree has no circles, whatever a log says
			}
			byID[c.s.ID] = c.s
			parent.Children = append(parent.Children, c.s)
			below = append(below, c.s)
			run.Parts = append(run.Parts, collector.RunPart{ID: c.s.ID, Rollup: c.body})
		}
	}
	err := db.addUp(ctx, byID, below)
	root.s.Children = []*collector.Session{}
	return run, err
}
