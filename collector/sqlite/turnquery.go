package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// Turns returns a session's turns without their parts.
func (db *DB) Turns(ctx context.Context, id collector.SessionID, q collector.TurnQuery) (collector.TurnPage, error) {
	page := collector.TurnPage{Turns: []*collector.Turn{}}
	if err := searchable(q.Text); err != nil {
		return page, err
	}
	s, pk, err := db.session(ctx, id)
	if err != nil {
		return page, err
	}
	if err := db.r.QueryRowContext(ctx, "SELECT COUNT(*) FROM turns WHERE id BETWEEN ? AND ?", partID(pk, 0), partID(pk+1, 0)-1).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("turns of %s: %w", id, err)
	}
	where, args := turnWhere(pk, q)
	limit := q.Limit
	if limit <= 0 {
		limit = -1
	}
	rows, err := db.r.QueryContext(ctx, "SELECT "+turnCols+" FROM turns t WHERE "+where+" ORDER BY t.id LIMIT ?", append(args, limit)...)
	if err != nil {
		return page, fmt.Errorf("turns of %s: %w", id, err)
	}
	turns, err := collect(rows, func(t **collector.Turn) error {
		*t = &collector.Turn{}
		return scanListed(rows, *t)
	})
	if err != nil {
		return page, fmt.Errorf("turns of %s: %w", id, err)
	}
	for _, t := range turns {
		settle(s, t)
		page.Turns = append(page.Turns, t)
	}
	return page, nil
}

func turnWhere(pk int64, q collector.TurnQuery) (string, []any) {
	where := []string{"t.id BETWEEN ? AND ?"}
	args := []any{partID(pk, q.From), partID(pk+1, 0) - 1}
	add := func(cond string, vals ...any) {
		where = append(where, cond)
		args = append(args, vals...)
	}
	const ofTurn = "EXISTS (SELECT 1 FROM tool_calls c WHERE c.id BETWEEN (t.id & ~16777215) + t.call_min AND (t.id & ~16777215) + t.call_max AND c.turn = t.id & 16777215 AND "
	if q.Text != "" {
		like := contains(q.Text)
		add(`(t.prompt LIKE ? ESCAPE '\' OR t.reply LIKE ? ESCAPE '\' OR `+ofTurn+`(c.args LIKE ? ESCAPE '\' OR c.result LIKE ? ESCAPE '\' OR c.tool LIKE ? ESCAPE '\')))`,
			like, like, like, like, like)
	}
	if q.Tool != "" {
		add(ofTurn+"c.tool = ?)", q.Tool)
	}
	if q.Category != "" {
		add(ofTurn+"c.category = ?)", q.Category)
	}
	if q.Flag != "" {
		add("instr(t.flags, ?) > 0", `"kind":"`+string(q.Flag)+`"`)
	}
	if q.ErrorsOnly {
		add("(t.failed_calls > 0 OR t.errors > 0 OR t.status = 'failed')")
	}
	return strings.Join(where, " AND "), args
}

// settle says how a turn without an end stands: while a process holds the session it runs, else it was abandoned.
func settle(s *collector.Session, t *collector.Turn) {
	if t.Flags == nil {
		t.Flags = []collector.Flag{}
	}
	if t.Status != collector.TurnOpen || s.State.Live() {
		return
	}
	t.Status = collector.TurnAbandoned
	for _, c := range t.ToolCalls {
		if c.Status == collector.CallPending && !c.Background {
			c.Status = collector.CallLost
		}
	}
}

// Turn returns one turn with its round trips, calls and markers.
func (db *DB) Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error) {
	s, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &collector.Turn{}
	p, err := scanTurn(db.r.QueryRowContext(ctx, "SELECT "+turnCols+" FROM turns WHERE id = ?", partID(pk, index)), t)
	if noRows(err) || index < 0 {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("session %q has no turn %d (on screen; index %d)", id, index+1, index)}
	}
	if err != nil {
		return nil, fmt.Errorf("turn %d of %s: %w", index, id, err)
	}
	if err := db.addParts(ctx, pk, t, p); err != nil {
		return nil, fmt.Errorf("turn %d of %s: %w", index, id, err)
	}
	if err := db.addChildren(ctx, s, t); err != nil {
		return nil, fmt.Errorf("turn %d of %s: %w", index, id, err)
	}
	settle(s, t)
	return t, nil
}

func (db *DB) addParts(ctx context.Context, pk int64, t *collector.Turn, p parts) error {
	trips, _, err := db.trips(ctx, pk, p.tripMin, p.tripMax)
	if err != nil {
		return err
	}
	calls, err := db.calls(ctx, pk, p.callMin, p.callMax)
	if err != nil {
		return err
	}
	if t.Markers, err = db.markers(ctx, pk, "AND turn = ?", t.Index); err != nil {
		return err
	}
	for _, r := range trips {
		if r.Turn == t.Index {
			t.RoundTrips = append(t.RoundTrips, r)
		}
	}
	for _, c := range calls {
		if c.Turn == t.Index {
			t.ToolCalls = append(t.ToolCalls, c)
		}
	}
	return nil
}

// addChildren names the session that each call spawned.
func (db *DB) addChildren(ctx context.Context, s *collector.Session, t *collector.Turn) error {
	rows, err := db.r.QueryContext(ctx, "SELECT id, parent_call FROM sessions WHERE parent = ? AND parent <> '' AND path <> '' AND parent_call <> ''", s.ID)
	if err != nil {
		return err
	}
	type child struct {
		id   collector.SessionID
		call string
	}
	children, err := collect(rows, func(c *child) error { return rows.Scan(&c.id, &c.call) })
	if err != nil {
		return err
	}
	for _, ch := range children {
		for _, c := range t.ToolCalls {
			if c.Key == ch.call {
				c.Child = ch.id
			}
		}
	}
	return nil
}

// Call returns one tool call.
func (db *DB) Call(ctx context.Context, id collector.SessionID, seq int) (*collector.ToolCall, error) {
	_, pk, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	c := &collector.ToolCall{}
	err = scanCall(db.r.QueryRowContext(ctx, "SELECT "+callCols+" FROM tool_calls WHERE id = ?", partID(pk, seq)), c)
	if noRows(err) || seq < 0 {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("session %q has no tool call of seq %d", id, seq)}
	}
	return c, err
}

// Log returns the stream that is a session's log, as it was last read.
func (db *DB) Log(ctx context.Context, id collector.SessionID) (collector.SessionID, StoredStream, error) {
	s, _, err := db.session(ctx, id)
	if err != nil {
		return "", StoredStream{}, err
	}
	var st StoredStream
	var inode int64
	c := &st.Checkpoint
	err = db.r.QueryRowContext(ctx, `SELECT st.id, st.agent, st.kind, st.path, st.session, st.generation, st.offset, st.line, st.size,
		st.mtime, st.inode
		FROM sessions s JOIN streams st ON st.id = s.stream WHERE s.id = ?`, s.ID).
		Scan(&st.Stream.ID, &st.Stream.Agent, &st.Stream.Kind, &st.Stream.Path, &st.Stream.Session, &c.Generation, &c.Offset, &c.Line, &c.Size,
			&c.ModTime, &inode)
	if noRows(err) {
		return "", st, &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("the log of session %q is not known", id)}
	}
	return s.ID, st, err
}
