package sqlite

import (
	"context"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// WholeTurns returns limit turns (0 = all) from the turn with index from, with all their parts, and how many turns the
// session has. It takes as many queries for a thousand turns as for one.
func (db *DB) WholeTurns(ctx context.Context, id collector.SessionID, from, limit int) ([]*collector.Turn, int, error) {
	s, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	turns, total, err := db.wholeTurns(ctx, pk, from, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("turns of %s: %w", id, err)
	}
	children, err := db.childCalls(ctx, s.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("children of %s: %w", id, err)
	}
	for _, t := range turns {
		for _, c := range t.ToolCalls {
			c.Child = children[c.Key]
		}
		settle(s, t)
	}
	return turns, total, nil
}

func (db *DB) wholeTurns(ctx context.Context, pk int64, from, limit int) ([]*collector.Turn, int, error) {
	total, span, err := db.partSpan(ctx, pk, from, limit)
	if err != nil || total == 0 {
		return nil, total, err
	}
	turns, err := db.turns(ctx, pk, from, lastTurn(from, limit))
	if err != nil || len(turns) == 0 {
		return nil, total, err
	}
	trips, _, err := db.trips(ctx, pk, span.tripMin, span.tripMax)
	if err != nil {
		return nil, 0, err
	}
	calls, err := db.calls(ctx, pk, span.callMin, span.callMax)
	if err != nil {
		return nil, 0, err
	}
	markers, err := db.markers(ctx, pk, "AND turn BETWEEN ? AND ?", from, lastTurn(from, limit))
	if err != nil {
		return nil, 0, err
	}
	hand(turns, trips, func(r *collector.RoundTrip) int { return r.Turn }, func(t *collector.Turn) *[]*collector.RoundTrip { return &t.RoundTrips })
	hand(turns, calls, func(c *collector.ToolCall) int { return c.Turn }, func(t *collector.Turn) *[]*collector.ToolCall { return &t.ToolCalls })
	hand(turns, markers, func(m *collector.Marker) int { return m.Turn }, func(t *collector.Turn) *[]*collector.Marker { return &t.Markers })
	return turns, total, nil
}

// hand gives parts to their turns, which are consecutive.
func hand[P any](turns []*collector.Turn, parts []P, turnOf func(P) int, list func(*collector.Turn) *[]P) {
	for _, p := range parts {
		if i := turnOf(p) - turns[0].Index; i >= 0 && i < len(turns) {
			l := list(turns[i])
			*l = append(*l, p)
		}
	}
}

// lastTurn is the highest index that is asked for.
func lastTurn(from, limit int) int {
	const highest = 1<<partBits - 1
	if limit <= 0 || from+limit > highest {
		return highest
	}
	return from + limit - 1
}

// partSpan returns how many turns a session has, and the range of the parts of some of them.
func (db *DB) partSpan(ctx context.Context, pk int64, from, limit int) (total int, p parts, err error) {
	const query = `SELECT (SELECT COUNT(*) FROM turns WHERE id BETWEEN ?1 AND ?2),
		COALESCE(MIN(trip_min) FILTER (WHERE trip_max >= trip_min), 0), COALESCE(MAX(trip_max), -1),
		COALESCE(MIN(call_min) FILTER (WHERE call_max >= call_min), 0), COALESCE(MAX(call_max), -1)
		FROM turns WHERE id BETWEEN ?3 AND ?4`
	err = db.r.QueryRowContext(ctx, query, partID(pk, 0), partID(pk+1, 0)-1, partID(pk, from), partID(pk, lastTurn(from, limit))).
		Scan(&total, &p.tripMin, &p.tripMax, &p.callMin, &p.callMax)
	return total, p, err
}

// childCalls returns the sessions that a session's calls spawned, by the call's key.
func (db *DB) childCalls(ctx context.Context, id collector.SessionID) (map[string]collector.SessionID, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT id, parent_call FROM sessions WHERE parent = ? AND parent <> '' AND path <> '' AND parent_call <> ''", id)
	if err != nil {
		return nil, err
	}
	children := map[string]collector.SessionID{}
	_, err = collect(rows, func(*struct{}) error {
		var child collector.SessionID
		var call string
		if err := rows.Scan(&child, &call); err != nil {
			return err
		}
		children[call] = child
		return nil
	})
	return children, err
}

// SketchTurns is WholeTurns for a drawing: calls without texts, no round trips and no markers.
func (db *DB) SketchTurns(ctx context.Context, id collector.SessionID, from int) ([]*collector.Turn, int, error) {
	s, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	turns, total, err := db.sketchTurns(ctx, pk, from)
	if err != nil {
		return nil, 0, fmt.Errorf("turns of %s: %w", id, err)
	}
	for _, t := range turns {
		settle(s, t)
	}
	return turns, total, nil
}

func (db *DB) sketchTurns(ctx context.Context, pk int64, from int) ([]*collector.Turn, int, error) {
	total, span, err := db.partSpan(ctx, pk, from, 0)
	if err != nil || total == 0 {
		return nil, total, err
	}
	turns, err := db.sketchOfTurns(ctx, pk, from)
	if err != nil || len(turns) == 0 {
		return nil, total, err
	}
	calls, err := db.sketchCalls(ctx, pk, span.callMin, span.callMax)
	if err != nil {
		return nil, 0, err
	}
	hand(turns, calls, func(c *collector.ToolCall) int { return c.Turn }, func(t *collector.Turn) *[]*collector.ToolCall { return &t.ToolCalls })
	return turns, total, nil
}
