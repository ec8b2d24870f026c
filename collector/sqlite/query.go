package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// sessionFrom joins what a running process says. A child is as alive as the root whose process runs it.
const sessionFrom = ` FROM sessions s LEFT JOIN live l ON l.session =
	CASE instr(s.id, '~') WHEN 0 THEN s.id ELSE substr(s.id, 1, instr(s.id, '~') - 1) END `

const liveCols = ", s.pk, COALESCE(l.pid, 0), l.state, COALESCE(l.waiting_for, '')"

var selectSession = "SELECT s." + strings.ReplaceAll(sessionCols, ", ", ", s.") + liveCols + sessionFrom

// scanLive scans a row of selectSession.
func scanLive(rows scanner) (*collector.Session, int64, error) {
	s := &collector.Session{Children: []*collector.Session{}}
	var stream collector.StreamID
	var cursor []byte
	var pk int64
	var pid int
	var state sql.NullString
	var waiting string
	if err := scanSession(rows, s, &stream, &cursor, &pk, &pid, &state, &waiting); err != nil {
		return nil, 0, err
	}
	s.TreeTotals = s.Totals
	asks := s.WaitingFor // so says the log
	s.WaitingFor = ""
	if state.Valid {
		open := s.State == collector.SessionCrashed
		child := strings.Contains(string(s.ID), "~")
		switch {
		case child && !open:
			s.State = collector.SessionEnded
		case open && asks != "" && (child || state.String == "" || state.String == string(collector.SessionBusy)):
			s.State, waiting = collector.SessionWaiting, asks
		case child, state.String == "" && open:
			s.State = collector.SessionBusy
		case state.String == "":
			s.State = collector.SessionIdle
		default:
			s.State = collector.SessionState(state.String)
		}
		if s.State.Live() {
			s.WaitingFor = waiting
			if !child {
				s.Pid = pid
			}
		}
	}
	return s, pk, nil
}

// sorts maps an order to the expression that it sorts by.
var sorts = map[collector.SessionSort]string{
	collector.SortLast:   "s.last_at",
	collector.SortStart:  "s.started_at",
	collector.SortTurns:  "s.turns",
	collector.SortCalls:  "s.calls",
	collector.SortFailed: "s.failed_calls",
	collector.SortTokens: "s.input + s.cache_read + s.cache_write_5m + s.cache_write_1h + s.output",
}

const (
	defaultLimit = 50
	maxLimit     = 500
)

// Sessions returns one page of root sessions.
func (db *DB) Sessions(ctx context.Context, q collector.SessionQuery) (collector.SessionPage, error) {
	page := collector.SessionPage{Sessions: []*collector.Session{}}
	order, ok := sorts[q.Sort]
	if q.Sort == "" {
		order, ok = sorts[collector.SortLast], true
	}
	if !ok {
		return page, &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("sort %q: want last, start, turns, calls, failed or tokens", q.Sort)}
	}
	if err := errors.Join(searchable(q.Text), searchable(q.Repo)); err != nil {
		return page, err
	}
	where, args := sessionWhere(q)
	if err := db.r.QueryRowContext(ctx, "SELECT COUNT(*)"+sessionFrom+where, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count sessions: %w", err)
	}
	if q.Cursor != "" {
		value, pk, ok := parseCursor(q.Cursor)
		if !ok {
			return page, &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("cursor %q is not one that a page gave", q.Cursor)}
		}
		where += " AND (" + order + ", s.pk) < (?, ?)"
		args = append(args, value, pk)
	}
	limit := min(q.Limit, maxLimit)
	if limit <= 0 {
		limit = defaultLimit
	}
	query := strings.Replace(selectSession, liveCols, liveCols+", "+order, 1) + where + " ORDER BY " + order + " DESC, s.pk DESC LIMIT ?"
	rows, err := db.r.QueryContext(ctx, query, append(args, limit+1)...)
	if err != nil {
		return page, fmt.Errorf("list sessions: %w", err)
	}
	type keyed struct {
		s     *collector.Session
		pk    int64
		value int64
	}
	all, err := collect(rows, func(k *keyed) (err error) {
		k.s, k.pk, err = scanLive(withMore{rows, &k.value})
		return err
	})
	if err != nil {
		return page, fmt.Errorf("list sessions: %w", err)
	}
	if len(all) > limit {
		all = all[:limit]
		last := all[limit-1]
		page.Next = strconv.FormatInt(last.value, 10) + "." + strconv.FormatInt(last.pk, 10)
	}
	for _, k := range all {
		page.Sessions = append(page.Sessions, k.s)
	}
	return page, db.addTrees(ctx, page.Sessions)
}

// withMore scans further columns behind those that a scan function asks for.
type withMore struct {
	scanner
	more any
}

func (w withMore) Scan(dest ...any) error { return w.scanner.Scan(append(dest, w.more)...) }

func parseCursor(c string) (value, pk int64, ok bool) {
	a, b, found := strings.Cut(c, ".")
	value, err1 := strconv.ParseInt(a, 10, 64)
	pk, err2 := strconv.ParseInt(b, 10, 64)
	return value, pk, found && err1 == nil && err2 == nil
}

func sessionWhere(q collector.SessionQuery) (string, []any) {
	where := "WHERE s.parent = '' AND s.path <> ''"
	var args []any
	add := func(cond string, vals ...any) {
		where += " AND " + cond
		args = append(args, vals...)
	}
	if q.Agent != "" {
		add("s.agent = ?", q.Agent)
	}
	if q.Repo != "" {
		like := contains(q.Repo)
		add(`(s.repo LIKE ? ESCAPE '\' OR s.cwd LIKE ? ESCAPE '\')`, like, like)
	}
	if q.Text != "" {
		like := contains(q.Text)
		add(`(s.title LIKE ? ESCAPE '\' OR s.cwd LIKE ? ESCAPE '\' OR s.repo LIKE ? ESCAPE '\' OR s.branch LIKE ? ESCAPE '\' OR s.id LIKE ? ESCAPE '\')`,
			like, like, like, like, like)
	}
	if q.Live {
		// Few, and asked for at every change: the plus keeps SQLite from going through all sessions by an index of theirs.
		where = strings.Replace(where, "s.parent", "+s.parent", 1)
		add("s.id IN (SELECT session FROM live)")
	}
	switch q.State {
	case "":
	case collector.SessionEnded:
		add("l.session IS NULL AND s.open = 0")
	case collector.SessionCrashed:
		add("l.session IS NULL AND s.open = 1")
	case collector.SessionBusy:
		add("(l.state = 'busy' OR l.state = '' AND s.open = 1) AND NOT (s.open = 1 AND s.waiting_for <> '')")
	case collector.SessionIdle:
		add("(l.state = 'idle' OR l.state = '' AND s.open = 0)")
	case collector.SessionWaiting:
		add("(l.state = 'waiting' OR l.state IN ('', 'busy') AND s.open = 1 AND s.waiting_for <> '')")
	default:
		add("l.state = ?", q.State)
	}
	return where, args
}

// maxSearched is how many bytes of text are looked for. SQLite takes patterns of 50,000, in which each may be escaped.
const maxSearched = 20_000

func searchable(text string) error {
	if len(text) <= maxSearched {
		return nil
	}
	return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("a text of %d bytes cannot be looked for: name at most %d of them", len(text), maxSearched)}
}

// contains returns a LIKE pattern for text anywhere.
func contains(text string) string { return "%" + escapeLike(text) + "%" }

func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

// LiveSessions returns the root sessions that running processes hold.
func (db *DB) LiveSessions(ctx context.Context) ([]*collector.Session, error) {
	page, err := db.Sessions(ctx, collector.SessionQuery{Live: true, Limit: maxLimit})
	return page.Sessions, err
}

// Session returns a session with its children. The id may be a bare own id while it is unambiguous.
func (db *DB) Session(ctx context.Context, id collector.SessionID) (*collector.Session, error) {
	s, _, err := db.session(ctx, id)
	if err != nil {
		return nil, err
	}
	return s, db.addTrees(ctx, []*collector.Session{s})
}

func (db *DB) session(ctx context.Context, id collector.SessionID) (*collector.Session, int64, error) {
	s, pk, err := scanLive(db.r.QueryRowContext(ctx, selectSession+"WHERE s.id = ? AND s.path <> ''", id))
	if err == nil {
		return s, pk, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, 0, fmt.Errorf("session %s: %w", id, err)
	}
	if strings.Contains(string(id), ":") || id == "" || searchable(string(id)) != nil {
		return nil, 0, notFound(id)
	}
	rows, err := db.r.QueryContext(ctx, `SELECT id FROM sessions WHERE (id LIKE ? ESCAPE '\' OR id LIKE ? ESCAPE '\') AND path <> '' LIMIT 10`,
		"%:"+escapeLike(string(id)), "%~"+escapeLike(string(id)))
	if err != nil {
		return nil, 0, fmt.Errorf("session %s: %w", id, err)
	}
	found, err := collect(rows, func(f *collector.SessionID) error { return rows.Scan(f) })
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("session %s: %w", id, err)
	case len(found) == 0:
		return nil, 0, notFound(id)
	case len(found) > 1:
		return nil, 0, &collector.Error{Code: collector.CodeConflict, Message: fmt.Sprintf("session id %q is ambiguous: name the agent before it", id), Details: found}
	}
	return db.session(ctx, found[0])
}
