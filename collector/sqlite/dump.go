package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strings"
)

// dumps are the statements whose rows make up what the store knows, whatever order it was read in. Numbers that only
// name rows, revisions, times of reading and what processes hold are left out.
var dumps = []string{
	"SELECT " + strings.NewReplacer("cursor, ", "", "revision, ", "").Replace(sessionCols) + " FROM sessions ORDER BY id",
	"SELECT s.id, t.id & 16777215, t." + strings.ReplaceAll(strings.TrimPrefix(turnCols, "id, "), ", ", ", t.") +
		" FROM turns t JOIN sessions s ON s.pk = t.id >> 24 ORDER BY 1, 2",
	"SELECT s.id, r.id & 16777215, r." + strings.ReplaceAll(strings.TrimPrefix(tripCols, "id, "), ", ", ", r.") +
		" FROM round_trips r JOIN sessions s ON s.pk = r.id >> 24 ORDER BY 1, 2",
	"SELECT s.id, c.id & 16777215, c." + strings.ReplaceAll(strings.TrimPrefix(callCols, "id, "), ", ", ", c.") +
		" FROM tool_calls c JOIN sessions s ON s.pk = c.id >> 24 ORDER BY 1, 2",
	"SELECT s.id, m.id & 16777215, m.turn, m.body FROM markers m JOIN sessions s ON s.pk = m.id >> 24 ORDER BY 1, 2",
	"SELECT id, offset, line FROM streams WHERE kind = 'log' ORDER BY id",
	"SELECT stream, version, type, count FROM unknown_records ORDER BY 1, 2, 3",
}

// Dump writes what the store knows, a row per line, in an order of its own. Two stores that read the same logs dump
// the same text.
func (db *DB) Dump(ctx context.Context, w io.Writer) error {
	for _, q := range dumps {
		if err := db.dump(ctx, w, q); err != nil {
			return fmt.Errorf("dump: %w", err)
		}
	}
	return nil
}

func (db *DB) dump(ctx context.Context, w io.Writer, query string) error {
	rows, err := db.r.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	cols, err := rows.Columns()
	if err != nil {
		return err
	}
	vals := make([]sql.NullString, len(cols))
	dest := make([]any, len(cols))
	for i := range vals {
		dest[i] = &vals[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i, v := range vals {
			if _, err := fmt.Fprintf(w, "%s=%q ", cols[i], v.String); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return rows.Err()
}
