package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// rollup writes what package insights made of a session's turns.
func (w *writer) rollup(pk int64, body []byte) {
	if body != nil {
		w.exec("INSERT OR REPLACE INTO rollups (pk, body) VALUES (?, ?)", pk, body)
	}
}

// SetRollups gives stored sessions a roll-up: those that an older build stored without one that this build reads.
func (db *DB) SetRollups(ctx context.Context, bodies map[collector.SessionID][]byte) error {
	return db.aside(ctx, func(tx *sql.Tx) error {
		for id, body := range bodies {
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO rollups (pk, body) SELECT pk, ? FROM sessions WHERE id = ?", body, id)
			if err != nil {
				return fmt.Errorf("rollup of %s: %w", id, err)
			}
		}
		return nil
	})
}

// runCols are the columns of a run's session that sums and comparisons show.
const runCols = "s.id, s.agent, s.parent, s.title, s.cwd, s.repo, s.branch, s.model, s.started_at, s.last_at, r.body, "

var runTotals = "s." + strings.ReplaceAll(totalCols, ", ", ", s.")

// scanRun scans runCols and runTotals.
func scanRun(rows scanner) (*collector.Session, []byte, error) {
	s := &collector.Session{Children: []*collector.Session{}}
	var body []byte
	totals := totalScan{t: &s.Totals}
	dest := append(make([]any, 0, 48), &s.ID, &s.Agent, &s.Parent, &s.Title, &s.Cwd, &s.Repo, &s.Branch, &s.Model, &s.StartedAt, &s.LastAt, &body)
	if err := rows.Scan(totals.dest(dest)...); err != nil {
		return nil, nil, err
	}
	totals.done()
	s.TreeTotals = s.Totals
	return s, body, nil
}

// Runs returns the newest of the sessions that q selects, each with its tree's totals and roll-ups.
func (db *DB) Runs(ctx context.Context, q collector.RunQuery) (collector.RunPage, error) {
	page := collector.RunPage{Runs: []collector.Run{}}
	where, args := runWhere(q)
	if err := db.r.QueryRowContext(ctx, "SELECT COUNT(*) FROM sessions s"+where, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count runs: %w", err)
	}
	limit := q.Limit
	if limit <= 0 {
		limit = -1
	}
	rows, err := db.r.QueryContext(ctx, "SELECT "+runCols+runTotals+" FROM sessions s LEFT JOIN rollups r ON r.pk = s.pk"+where+
		" ORDER BY s.last_at DESC, s.pk DESC LIMIT ?", append(args, limit)...)
	if err != nil {
		return page, fmt.Errorf("runs: %w", err)
	}
	page.Runs, err = collect(rows, func(run *collector.Run) error {
		s, body, err := scanRun(rows)
		*run = collector.Run{Session: s}
		if err == nil {
			run.Parts = []collector.RunPart{{ID: s.ID, Totals: s.Totals, Rollup: body}}
		}
		return err
	})
	if err != nil {
		return page, fmt.Errorf("runs: %w", err)
	}
	if err := db.addDescendants(ctx, page.Runs); err != nil {
		return page, err
	}
	byID := make(map[collector.SessionID]*collector.Session, len(page.Runs))
	for _, run := range page.Runs {
		byID[run.Session.ID] = run.Session
	}
	return page, db.addLabels(ctx, byID)
}

func runWhere(q collector.RunQuery) (string, []any) {
	where := " WHERE s.path <> ''"
	var args []any
	add := func(cond string, vals ...any) {
		where += " AND " + cond
		args = append(args, vals...)
	}
	if len(q.IDs) > 0 {
		ids := make([]any, len(q.IDs))
		for i, id := range q.IDs {
			ids[i] = id
		}
		add("s.id IN ("+strings.Repeat("?, ", len(ids)-1)+"?)", ids...)
	} else {
		add("s.parent = ''")
	}
	if q.Agent != "" {
		add("s.agent = ?", q.Agent)
	}
	if q.Repo != "" {
		like := contains(q.Repo)
		add(`(s.repo LIKE ? ESCAPE '\' OR s.cwd LIKE ? ESCAPE '\')`, like, like)
	}
	if q.Branch != "" {
		add("s.branch = ?", q.Branch)
	}
	if q.Model != "" {
		add("s.model = ?", q.Model)
	}
	if q.Label != "" {
		add("s.id IN (SELECT session FROM labels WHERE label = ?)", q.Label)
	}
	if q.From != 0 {
		add("s.last_at >= ?", q.From)
	}
	if q.To != 0 {
		add("s.last_at < ?", q.To)
	}
	return where, args
}

// addDescendants adds the totals and roll-ups of sub-agents to their runs. One pass over all children beats a query per
// level for many runs, and few sessions are children.
func (db *DB) addDescendants(ctx context.Context, runs []collector.Run) error {
	rows, err := db.r.QueryContext(ctx, "SELECT "+runCols+runTotals+" FROM sessions s LEFT JOIN rollups r ON r.pk = s.pk WHERE s.parent <> '' AND s.path <> ''")
	if err != nil {
		return fmt.Errorf("children of runs: %w", err)
	}
	type child struct {
		s    *collector.Session
		body []byte
	}
	all, err := collect(rows, func(c *child) (err error) {
		c.s, c.body, err = scanRun(rows)
		return err
	})
	if err != nil {
		return fmt.Errorf("children of runs: %w", err)
	}
	children := map[collector.SessionID][]child{}
	for _, c := range all {
		children[c.s.Parent] = append(children[c.s.Parent], c)
	}
	for i := range runs {
		run := &runs[i]
		seen := map[collector.SessionID]bool{run.Session.ID: true}
		for k := 0; k < len(run.Parts); k++ {
			for _, c := range children[run.Parts[k].ID] {
				if seen[c.s.ID] {
					continue // a tree has no circles, whatever a log says
				}
				seen[c.s.ID] = true
				run.Parts = append(run.Parts, collector.RunPart{ID: c.s.ID, Totals: c.s.Totals, Rollup: c.body})
				run.Session.TreeTotals = run.Session.TreeTotals.Plus(c.s.Totals)
			}
		}
	}
	return nil
}
