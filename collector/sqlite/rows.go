package sqlite

import (
	"database/sql"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

const sessionCols = "id, agent, parent, parent_call, forked_from, role, title, title_rank, cwd, repo, branch, model, version, path, stream, gone, " +
	"started_at, last_at, open, waiting_for, top_tools, context, cursor, revision, " + totalCols

// session writes a session's row and queues its parts.
func (w *writer) session(c *SessionChange) {
	if w.err != nil {
		return
	}
	s := c.Session
	args := []any{
		s.ID, s.Agent, s.Parent, s.ParentCall, s.ForkedFrom, s.Role, s.Title, s.TitleRank, s.Cwd, s.Repo, s.Branch, s.Model, s.Version, s.Path,
		c.Stream, s.Gone, s.StartedAt, s.LastAt, s.State == collector.SessionCrashed, s.WaitingFor, toJSON(s.TopTools), toJSON(s.Context), c.Cursor, w.rev,
	}
	args = totalArgs(args, &s.Totals)
	st, err := w.db.stmt(w.ctx, upsertSession)
	if err != nil {
		w.err = err
		return
	}
	var pk int64
	if err := st.QueryRowContext(w.ctx, args...).Scan(&pk); err != nil {
		w.err = fmt.Errorf("session %s: %w", s.ID, err)
		return
	}
	s.Revision = w.rev
	w.rollup(pk, s, c.Rollup)
	for _, t := range c.Turns {
		w.add(0, "turns", turnCols, turnArgs(pk, t))
	}
	for _, r := range c.RoundTrips {
		w.add(1, "round_trips", tripCols, tripArgs(pk, r, c.Claims[r]))
	}
	for _, k := range c.Calls {
		w.add(2, "tool_calls", callCols, callArgs(pk, k))
	}
	for _, m := range c.Markers {
		w.add(3, "markers", markerCols, []any{partID(pk, m.Seq), int64(m.Turn), string(m.Kind), string(m.Status), toJSON(m)})
	}
}

const turnCols = "id, key, prompt_key, origin, prompt, prompt_bytes, steers, reply, reply_bytes, status, error, model, started_at, ended_at, inherited, rewound, " +
	"end_offset, refs, categories, flags, trip_min, trip_max, call_min, call_max, " + totalCols

func turnArgs(pk int64, t *collector.Turn) []any {
	tripMin, tripMax := seqRange(t.RoundTrips, func(r *collector.RoundTrip) int { return r.Seq })
	callMin, callMax := seqRange(t.ToolCalls, func(c *collector.ToolCall) int { return c.Seq })
	args := []any{
		partID(pk, t.Index), t.Key, t.PromptKey, string(t.Origin), t.Prompt.Preview, t.Prompt.Bytes, int64(t.Steers), t.Reply.Preview, t.Reply.Bytes,
		string(t.Status), t.Error, t.Model, t.StartedAt, t.EndedAt, t.Inherited, t.Rewound, t.EndOffset,
		packRefs(t.Ref, t.Prompt.Ref, t.Reply.Ref), toJSON(t.Calls), toJSON(t.Flags), int64(tripMin), int64(tripMax), int64(callMin), int64(callMax),
	}
	return totalArgs(args, &t.Totals)
}

// seqRange is the range of the parts' numbers; 0, -1 if there is none.
func seqRange[T any](items []T, seq func(T) int) (lo, hi int) {
	lo, hi = 0, -1
	for i, it := range items {
		n := seq(it)
		if i == 0 {
			lo = n
		}
		lo, hi = min(lo, n), max(hi, n)
	}
	return lo, hi
}

const tripCols = "id, turn, key, claim, model, stop_reason, text, thinking, duplicate_of, data"

func tripArgs(pk int64, r *collector.RoundTrip, claim bool) []any {
	var hash any
	if claim {
		hash = ClaimHash(r.Key)
	}
	return []any{
		partID(pk, r.Seq), int64(r.Turn), r.Key, hash, r.Model, r.StopReason, r.Text.Preview, r.Thinking.Preview, string(r.DuplicateOf), packTrip(r),
	}
}

const callCols = "id, turn, key, within, tool, category, status, duration_ms, inherited, args, result, error, data"

func callArgs(pk int64, c *collector.ToolCall) []any {
	var duration any
	if c.DurationMs.Quality != collector.QualityUnknown {
		duration = c.DurationMs.Value
	}
	return []any{
		partID(pk, c.Seq), int64(c.Turn), c.Key, c.Within, c.Tool, string(c.Category), string(c.Status), duration, c.Inherited,
		c.Args.Preview, c.Result.Preview, c.Error, packCall(c),
	}
}

const markerCols = "id, turn, kind, status, body"

func scanSession(rows scanner, s *collector.Session, stream *collector.StreamID, cursor *[]byte, more ...any) error {
	var open bool
	var top, context string
	totals := totalScan{t: &s.Totals}
	dest := []any{
		&s.ID, &s.Agent, &s.Parent, &s.ParentCall, &s.ForkedFrom, &s.Role, &s.Title, &s.TitleRank, &s.Cwd, &s.Repo, &s.Branch, &s.Model, &s.Version,
		&s.Path, stream, &s.Gone, &s.StartedAt, &s.LastAt, &open, &s.WaitingFor, &top, &context, cursor, &s.Revision,
	}
	if err := rows.Scan(append(totals.dest(dest), more...)...); err != nil {
		return err
	}
	totals.done()
	s.State = collector.SessionEnded
	if open {
		s.State = collector.SessionCrashed
	}
	if err := fromJSON(top, &s.TopTools); err != nil {
		return err
	}
	return fromJSON(context, &s.Context)
}

type scanner interface{ Scan(dest ...any) error }

// parts are the ranges of a turn's round trips and calls.
type parts struct{ tripMin, tripMax, callMin, callMax int }

func scanTurn(rows scanner, t *collector.Turn) (parts, error) {
	return scanTurnFlags(rows, t, func(stored string) error { return fromJSON(stored, &t.Flags) })
}

// scanListed scans a turn for a list: its flags without their evidence, half of what a long list weighs.
func scanListed(rows scanner, t *collector.Turn) error {
	_, err := scanTurnFlags(rows, t, func(stored string) error {
		if stored == "null" || stored == "[]" {
			return nil
		}
		var flags []struct {
			Kind   collector.FlagKind
			Reason string
			At     collector.Target
		}
		if err := fromJSON(stored, &flags); err != nil {
			return err
		}
		for _, f := range flags {
			t.Flags = append(t.Flags, collector.Flag{Kind: f.Kind, Reason: f.Reason, At: f.At, Evidence: []collector.Evidence{}})
		}
		return nil
	})
	return err
}

func scanTurnFlags(rows scanner, t *collector.Turn, takeFlags func(stored string) error) (parts, error) {
	var id int64
	var refs []byte
	var categories, flags string
	var p parts
	totals := totalScan{t: &t.Totals}
	dest := []any{
		&id, &t.Key, &t.PromptKey, &t.Origin, &t.Prompt.Preview, &t.Prompt.Bytes, &t.Steers, &t.Reply.Preview, &t.Reply.Bytes,
		&t.Status, &t.Error, &t.Model, &t.StartedAt, &t.EndedAt, &t.Inherited, &t.Rewound, &t.EndOffset, &refs, &categories, &flags,
		&p.tripMin, &p.tripMax, &p.callMin, &p.callMax,
	}
	if err := rows.Scan(totals.dest(dest)...); err != nil {
		return p, err
	}
	totals.done()
	t.Index = partSeq(id)
	unpackRefs(refs, &t.Ref, &t.Prompt.Ref, &t.Reply.Ref)
	if err := fromJSON(categories, &t.Calls); err != nil {
		return p, err
	}
	return p, takeFlags(flags)
}

func scanTrip(rows scanner, r *collector.RoundTrip) (claim bool, err error) {
	var id int64
	var hash sql.NullInt64
	var data []byte
	if err := rows.Scan(&id, &r.Turn, &r.Key, &hash, &r.Model, &r.StopReason, &r.Text.Preview, &r.Thinking.Preview, &r.DuplicateOf, &data); err != nil {
		return false, err
	}
	r.Seq = partSeq(id)
	unpackTrip(data, r)
	return hash.Valid, nil
}

func scanCall(rows scanner, c *collector.ToolCall) error {
	var id int64
	var duration sql.NullInt64
	var data []byte
	if err := rows.Scan(&id, &c.Turn, &c.Key, &c.Within, &c.Tool, &c.Category, &c.Status, &duration, &c.Inherited,
		&c.Args.Preview, &c.Result.Preview, &c.Error, &data); err != nil {
		return err
	}
	c.Seq = partSeq(id)
	if duration.Valid {
		c.DurationMs = collector.Exact(duration.Int64)
	}
	unpackCall(data, c)
	c.Args.Ref = c.Ref
	return nil
}

func scanMarker(rows scanner, m *collector.Marker) error {
	var body string
	if err := rows.Scan(&body); err != nil {
		return err
	}
	return fromJSON(body, m)
}
