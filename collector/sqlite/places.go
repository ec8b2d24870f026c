package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// The rows of turns and round trips say where in the log they begin, in the order of the log: they are the sparse index
// of its lines. Looking something up costs a few dozen reads of single rows, however long the log is.

// placeTable is a table of parts in the order of their places.
type placeTable struct {
	query string // the places of parts lo to hi
	count string
}

var (
	turnPlaces = placeTable{"SELECT id, refs FROM turns WHERE id BETWEEN ? AND ? ORDER BY id", "SELECT COALESCE(MAX(id), -1) FROM turns WHERE id BETWEEN ? AND ?"}
	tripPlaces = placeTable{"SELECT id, data FROM round_trips WHERE id BETWEEN ? AND ? ORDER BY id", "SELECT COALESCE(MAX(id), -1) FROM round_trips WHERE id BETWEEN ? AND ?"}
)

// places returns the places of the parts lo to hi.
func (db *DB) places(ctx context.Context, t placeTable, pk int64, lo, hi int) ([]collector.TurnStart, error) {
	rows, err := db.r.QueryContext(ctx, t.query, partID(pk, lo), partID(pk, hi))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(p *collector.TurnStart) error {
		var id int64
		var data []byte
		if err := rows.Scan(&id, &data); err != nil {
			return err
		}
		p.Index = partSeq(id)
		if t == turnPlaces {
			unpackRefs(data, &p.Ref)
			return nil
		}
		var r collector.RoundTrip
		unpackTrip(data, &r)
		p.Ref = r.Ref
		return nil
	})
}

// length returns how many parts a session has.
func (db *DB) length(ctx context.Context, t placeTable, pk int64) (int, error) {
	var last int64
	if err := db.r.QueryRowContext(ctx, t.count, partID(pk, 0), partID(pk+1, 0)-1).Scan(&last); err != nil || last < 0 {
		return 0, err
	}
	return partSeq(last) + 1, nil
}

// before returns how many parts begin before the line.
func (db *DB) before(ctx context.Context, t placeTable, pk, line int64) (int, error) {
	n, err := db.length(ctx, t, pk)
	if err != nil {
		return 0, err
	}
	lo, hi := 0, n
	for lo < hi {
		mid := (lo + hi) / 2
		p, err := db.places(ctx, t, pk, mid, mid)
		if err != nil {
			return 0, err
		}
		if len(p) > 0 && p[0].Ref.Line < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// beyond is a line behind every log's last.
const beyond = 1 << 62

// Places returns where the n last turns and round trips that begin before the line begin, in the order of the log; line
// 0 = the log's end.
func (db *DB) Places(ctx context.Context, id collector.SessionID, line int64, n int) ([]collector.Ref, error) {
	_, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	if line == 0 {
		line = beyond
	}
	var all []collector.Ref
	for _, t := range []placeTable{turnPlaces, tripPlaces} {
		end, err := db.before(ctx, t, pk, line)
		if err != nil {
			return nil, fmt.Errorf("places of %s: %w", id, err)
		}
		found, err := db.places(ctx, t, pk, max(end-n, 0), end-1)
		if err != nil {
			return nil, fmt.Errorf("places of %s: %w", id, err)
		}
		for _, p := range found {
			if p.Ref.Length > 0 {
				all = append(all, p.Ref)
			}
		}
	}
	slices.SortFunc(all, func(a, b collector.Ref) int { return cmp.Compare(a.Offset, b.Offset) })
	return all[max(len(all)-n, 0):], nil
}

// TurnStarts returns where the turns begin that the lines from to to belong to; to 0 = the log's end. The first of them
// may have begun before.
func (db *DB) TurnStarts(ctx context.Context, id collector.SessionID, from, to int64) ([]collector.TurnStart, error) {
	_, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	if to == 0 {
		to = beyond - 1
	}
	lo, err := db.before(ctx, turnPlaces, pk, from+1)
	if err != nil {
		return nil, fmt.Errorf("turn starts of %s: %w", id, err)
	}
	hi, err := db.before(ctx, turnPlaces, pk, to+1)
	if err != nil {
		return nil, fmt.Errorf("turn starts of %s: %w", id, err)
	}
	lo = max(lo-1, 0)
	starts, err := db.places(ctx, turnPlaces, pk, lo, hi-1)
	if err != nil || len(starts) == 0 {
		return starts, err
	}
	return starts, db.rewound(ctx, starts, pk)
}

// rewound marks the turns of starts that were taken back.
func (db *DB) rewound(ctx context.Context, starts []collector.TurnStart, pk int64) error {
	first := starts[0].Index
	rows, err := db.r.QueryContext(ctx, "SELECT id FROM turns WHERE id BETWEEN ? AND ? AND rewound", partID(pk, first), partID(pk, starts[len(starts)-1].Index))
	if err != nil {
		return fmt.Errorf("rewound turns: %w", err)
	}
	ids, err := collect(rows, func(id *int64) error { return rows.Scan(id) })
	for _, id := range ids {
		starts[partSeq(id)-first].Rewound = true
	}
	return err
}

// Messages returns how many prompts and responses a session has.
func (db *DB) Messages(ctx context.Context, id collector.SessionID) (int, error) {
	_, pk, err := db.session(ctx, id)
	if err != nil {
		return 0, err
	}
	sum := 0
	for _, t := range []placeTable{turnPlaces, tripPlaces} {
		n, err := db.length(ctx, t, pk)
		if err != nil {
			return 0, fmt.Errorf("messages of %s: %w", id, err)
		}
		sum += n
	}
	return sum, nil
}
