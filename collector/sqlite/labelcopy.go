package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnwatch/turnwatch/collector"
)

// labelCopy is the file that holds all labels a second time: they are the one thing that no agent's log knows.
const labelCopy = "labels.json"

// labelled is every session's labels.
type labelled map[collector.SessionID][]string

func (l labelled) count() (n int) {
	for _, labels := range l {
		n += len(labels)
	}
	return n
}

// queryer is a database, a connection or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// allLabels reads every session's labels.
func allLabels(ctx context.Context, q queryer) (labelled, error) {
	rows, err := q.QueryContext(ctx, "SELECT session, label FROM labels ORDER BY session, label")
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	all := labelled{}
	_, err = collect(rows, func(*struct{}) error {
		var id collector.SessionID
		var label string
		err := rows.Scan(&id, &label)
		all[id] = append(all[id], label)
		return err
	})
	return all, err
}

// copyLabels writes the copy. Called before the transaction that changes labels commits: a label too many does no harm.
func copyLabels(ctx context.Context, q queryer, dir string) error {
	all, err := allLabels(ctx, q)
	if err != nil {
		return err
	}
	if len(all) == 0 && !exists(filepath.Join(dir, labelCopy)) {
		return nil
	}
	if err := writeJSON(filepath.Join(dir, labelCopy), all); err != nil {
		return fmt.Errorf("copy of the labels: %w", err)
	}
	return nil
}

// readLabels reads the copy. One that cannot be read counts as none: it is only wanted when all else failed.
func readLabels(dir string) (labelled, error) {
	b, err := os.ReadFile(filepath.Join(dir, labelCopy))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("copy of the labels: %w", err)
	}
	all := labelled{}
	if json.Unmarshal(b, &all) != nil {
		all = nil
	}
	return all, nil
}

// matchLabels brings labels and their copy together: a database in which nothing was ever written, since somebody deleted
// the one before, takes them from there.
func (db *DB) matchLabels(ctx context.Context, dir string) error {
	rev, err := db.Revision(ctx)
	if err != nil {
		return fmt.Errorf("revision: %w", err)
	}
	if rev == 0 {
		copied, err := readLabels(dir)
		if err != nil {
			return err
		}
		if err := db.update(ctx, func() error { return db.insertLabels(ctx, copied) }); err != nil {
			return err
		}
	}
	return copyLabels(ctx, db.conn, dir)
}

// takeLabels takes over the labels of the damaged database or, if they cannot be read there, of their copy.
func (db *DB) takeLabels(ctx context.Context, old *sql.DB, n *Rebuilt, copied labelled) error {
	all, err := allLabels(ctx, old)
	if err != nil {
		all = copied
	}
	n.Labels = all.count()
	return db.insertLabels(ctx, all)
}

func (db *DB) insertLabels(ctx context.Context, all labelled) error {
	for id, labels := range all {
		for _, l := range labels {
			if _, err := db.conn.ExecContext(ctx, "INSERT OR IGNORE INTO labels (session, label) VALUES (?, ?)", id, l); err != nil {
				return fmt.Errorf("labels: %w", err)
			}
		}
	}
	return nil
}
