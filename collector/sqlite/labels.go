package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// aside runs fn in a short write transaction of its own connection: the writer's belongs to whoever commits batches.
// SQLite makes the two wait for one another.
func (db *DB) aside(ctx context.Context, fn func(tx *sql.Tx) error) (err error) {
	if db.readOnly {
		return errReadOnly
	}
	defer func() { err = unavailable("the store cannot be written", err) }()
	w, err := sql.Open("sqlite", uri(db.path, "mode=rw&_pragma=busy_timeout(5000)&_pragma=synchronous(NORMAL)&_txlock=immediate"))
	if err != nil {
		return fmt.Errorf("open %s: %w", db.path, err)
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	tx, err := w.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Labels returns a session's labels in ascending order.
func (db *DB) Labels(ctx context.Context, id collector.SessionID) ([]string, error) {
	s, _, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	rows, err := db.r.QueryContext(ctx, "SELECT label FROM labels WHERE session = ? ORDER BY label", s.ID)
	if err != nil {
		return nil, fmt.Errorf("labels of %s: %w", id, err)
	}
	return collect(rows, func(l *string) error { return rows.Scan(l) })
}

// AddLabel gives a session a label, trimmed, and returns all that it has. One that it has already changes nothing.
func (db *DB) AddLabel(ctx context.Context, id collector.SessionID, label string) ([]string, error) {
	label = strings.TrimSpace(label)
	if err := checkLabel(label); err != nil {
		return nil, err
	}
	s, _, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	err = db.aside(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO labels (session, label) VALUES (?, ?)", s.ID, label); err != nil {
			return err
		}
		return copyLabels(ctx, tx, filepath.Dir(db.path))
	})
	if err != nil {
		return nil, fmt.Errorf("label %s: %w", id, err)
	}
	return db.Labels(ctx, s.ID)
}

// checkLabel refuses what cannot be shown, or cannot be written into a list of labels.
func checkLabel(label string) error {
	n := utf8.RuneCountInString(label)
	odd := !utf8.ValidString(label) || strings.ContainsFunc(label, func(r rune) bool { return r == ',' || unicode.IsControl(r) })
	if n == 0 || n > collector.MaxLabel || odd {
		return &collector.Error{Code: collector.CodeInvalid,
			Message: fmt.Sprintf("a label has 1 to %d characters, no comma and no control character", collector.MaxLabel)}
	}
	return nil
}

// RemoveLabel takes a label from a session and returns those that are left.
func (db *DB) RemoveLabel(ctx context.Context, id collector.SessionID, label string) ([]string, error) {
	label = strings.TrimSpace(label)
	s, _, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	var gone int64
	err = db.aside(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, "DELETE FROM labels WHERE session = ? AND label = ?", s.ID, label)
		if err == nil {
			gone, err = res.RowsAffected()
		}
		if err != nil {
			return err
		}
		return copyLabels(ctx, tx, filepath.Dir(db.path))
	})
	if err != nil {
		return nil, fmt.Errorf("unlabel %s: %w", id, err)
	}
	if gone == 0 {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("session %q has no label %q", s.ID, label)}
	}
	return db.Labels(ctx, s.ID)
}

// AllLabels returns every label that a session has, in ascending order.
func (db *DB) AllLabels(ctx context.Context) ([]collector.LabelCount, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT l.label, COUNT(*) FROM labels l JOIN sessions s ON s.id = l.session
		WHERE s.path <> '' GROUP BY l.label ORDER BY l.label LIMIT 1000`)
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	return collect(rows, func(l *collector.LabelCount) error { return rows.Scan(&l.Label, &l.Sessions) })
}

// fewLabels is up to how many sessions are asked for by name; for more it is quicker to read all labels.
const fewLabels = 100

// addLabels fills in the sessions' labels.
func (db *DB) addLabels(ctx context.Context, sessions map[collector.SessionID]*collector.Session) error {
	where, args := "", make([]any, 0, len(sessions))
	for id, s := range sessions {
		s.Labels = []string{}
		args = append(args, id)
	}
	if len(sessions) == 0 {
		return nil
	}
	if len(args) <= fewLabels {
		where = " WHERE session IN (" + strings.Repeat("?, ", len(args)-1) + "?)"
	} else {
		args = nil
	}
	rows, err := db.r.QueryContext(ctx, "SELECT session, label FROM labels"+where+" ORDER BY session, label", args...)
	if err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	type row struct {
		id    collector.SessionID
		label string
	}
	all, err := collect(rows, func(r *row) error { return rows.Scan(&r.id, &r.label) })
	if err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	for _, r := range all {
		if s := sessions[r.id]; s != nil {
			s.Labels = append(s.Labels, r.label)
		}
	}
	return nil
}
