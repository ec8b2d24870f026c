package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/turnwatch/turnwatch/collector"
)

const sketchCalls = "SELECT id, turn, tool, category, status, duration_ms, data FROM tool_calls WHERE id BETWEEN ? AND ? ORDER BY id"

// sketchSlab is how many calls are made at once.
const sketchSlab = 256

// sketchCalls reads calls without their texts, which are most of their bytes. It speaks to the driver itself: 5,000 calls
// are asked for at once, and database/sql converts and copies every value.
func (db *DB) sketchCalls(ctx context.Context, pk int64, lo, hi int) ([]*collector.ToolCall, error) {
	conn, err := db.r.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	var calls []*collector.ToolCall
	var slab []collector.ToolCall
	err = conn.Raw(func(c any) error {
		return eachRow(ctx, c, sketchCalls, []int64{partID(pk, lo), partID(pk, hi)}, func(row []driver.Value) error {
			if len(slab) == 0 {
				slab = make([]collector.ToolCall, sketchSlab)
			}
			if err := scanSketch(row, &slab[0]); err != nil {
				return err
			}
			calls = append(calls, &slab[0])
			slab = slab[1:]
			return nil
		})
	})
	return calls, err
}

// eachRow runs a query on a connection of the driver's.
func eachRow(ctx context.Context, conn any, query string, args []int64, fn func(row []driver.Value) error) (err error) {
	q, ok := conn.(driver.QueryerContext)
	if !ok {
		return fmt.Errorf("%T cannot be queried", conn)
	}
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	rows, err := q.QueryContext(ctx, query, named)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(row); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := fn(row); err != nil {
			return err
		}
	}
}

func scanSketch(row []driver.Value, c *collector.ToolCall) error {
	id, ok1 := row[0].(int64)
	turn, ok2 := row[1].(int64)
	tool, ok3 := row[2].(string)
	category, ok4 := row[3].(string)
	status, ok5 := row[4].(string)
	data, ok6 := row[6].([]byte)
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) {
		return fmt.Errorf("a call of types %T, %T, %T, %T, %T, %T", row[0], row[1], row[2], row[3], row[4], row[6])
	}
	c.Seq, c.Turn, c.Tool, c.Category, c.Status = partSeq(id), int(turn), tool, collector.Category(category), collector.CallStatus(status)
	if ms, known := row[5].(int64); known {
		c.DurationMs = collector.Exact(ms)
	}
	unpackCall(data, c)
	return nil
}

// sketchOfTurns reads what a drawing needs of turns.
func (db *DB) sketchOfTurns(ctx context.Context, pk int64, from int) ([]*collector.Turn, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT id, status, started_at, ended_at, inherited, flags, round_trips, failed_calls, compactions
		FROM turns WHERE id BETWEEN ? AND ? ORDER BY id`, partID(pk, from), partID(pk+1, 0)-1)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(t **collector.Turn) error {
		u := &collector.Turn{}
		*t = u
		var id int64
		var flags string
		n := &u.Totals
		if err := rows.Scan(&id, &u.Status, &u.StartedAt, &u.EndedAt, &u.Inherited, &flags, &n.RoundTrips, &n.FailedCalls, &n.Compactions); err != nil {
			return err
		}
		u.Index = partSeq(id)
		if flags == "null" || flags == "[]" {
			return nil
		}
		return fromJSON(flags, &u.Flags)
	})
}
