package sqlite

import (
	"context"
	"database/sql"

	"github.com/turnwatch/turnwatch/collector"
)

// sketchCalls reads calls without their texts, which are most of their bytes.
func (db *DB) sketchCalls(ctx context.Context, pk int64, lo, hi int) ([]*collector.ToolCall, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT id, turn, tool, category, status, duration_ms, data
		FROM tool_calls WHERE id BETWEEN ? AND ? ORDER BY id`, partID(pk, lo), partID(pk, hi))
	if err != nil {
		return nil, err
	}
	words := map[string]string{} // the few tools, categories and statuses, each once
	word := func(b sql.RawBytes) string {
		w, known := words[string(b)]
		if !known {
			w = string(b)
			words[w] = w
		}
		return w
	}
	return collect(rows, func(c **collector.ToolCall) error {
		*c = &collector.ToolCall{}
		var id int64
		var tool, category, status, data sql.RawBytes
		var duration sql.NullInt64
		if err := rows.Scan(&id, &(*c).Turn, &tool, &category, &status, &duration, &data); err != nil {
			return err
		}
		(*c).Seq = partSeq(id)
		(*c).Tool, (*c).Category, (*c).Status = word(tool), collector.Category(word(category)), collector.CallStatus(word(status))
		if duration.Valid {
			(*c).DurationMs = collector.Exact(duration.Int64)
		}
		unpackCall(data, *c)
		return nil
	})
}
