package sqlite

import (
	"database/sql"
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

const sessionCols = "id, agent, parent, parent_call, forked_from, role, title, title_rank, cwd, repo, branch, model, version, path, stream, gone, " +
	"started_at, last_at, open, top_tools, context, cursor, revision, " + totalCols

// session writes a session's row and queues its parts.
func (w *writer) session(c *SessionChange) {
	if w.err != nil {
		return
	}
	s := c.Session
	args := []any{
		s.ID, s.Agent, s.Parent, s.ParentCall, s.ForkedFrom, s.Role, s.Title, s.TitleRank, s.Cwd, s.Repo, s.Branch, s.Model, s.Version, s.Path,
		c.Stream, s.Gone, s.StartedAt, s.LastAt, s.State == collector.SessionCrashed, toJSON(s.TopTools), toJSON(s.Context), c.Cursor, w.rev,
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
		w.add(3, "markers", markerCols, []any{partID(pk, m.Seq), m.Turn, m.Kind, m.Status, toJSON(m)})
	}
}

const turnCols = "id, key, prompt_key, origin, prompt, prompt_bytes, steers, reply, reply_bytes, status, error, model, started_at, ended_at, inherited, " +
	"end_offset, refs, categories, flags, trip_min, trip_max, call_min, call_max, " + totalCols

func turnArgs(pk int64, t *collector.Turn) []any {
	tripMin, tripMax := seqRange(t.RoundTrips, func(r *collector.RoundTrip) int { return r.Seq })
	callMin, callMax := seqRange(t.ToolCalls, func(c *collector.ToolCall) int { return c.Seq })
	args := []any{
		partID(pk, t.Index), t.Key, t.PromptKey, t.Origin, t.Prompt.Preview, t.Prompt.Bytes, t.Steers, t.Reply.Preview, t.Reply.Bytes,
		t.Status, t.Error, t.Model, t.StartedAt, t.EndedAt, t.Inherited, t.EndOffset,
		packRefs(t.Ref, t.Prompt.Ref, t.Reply.Ref), toJSON(t.Calls), toJSON(t.Flags), tripMin, tripMax, callMin, callMax,
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

const tripCols = "id, turn, key, claim, model, started_at, ended_at, stop_reason, text, text_bytes, thinking, thinking_bytes, redacted, calls, " +
	tokenCols + ", usage_rank, compaction, inherited, duplicate_of, refs"

func tripArgs(pk int64, r *collector.RoundTrip, claim bool) []any {
	var hash any
	if claim {
		hash = ClaimHash(r.Key)
	}
	args := []any{
		partID(pk, r.Seq), r.Turn, r.Key, hash, r.Model, r.StartedAt, r.EndedAt, r.StopReason, r.Text.Preview, r.Text.Bytes,
		r.Thinking.Preview, r.Thinking.Bytes, r.Redacted, r.Calls,
	}
	b := billing{r.Tokens, r.Premium, r.Credits, nil}
	return append(b.args(args), r.UsageRank, r.Compaction, r.Inherited, r.DuplicateOf, packRefs(r.Ref, r.Text.Ref, r.Thinking.Ref))
}

const callCols = "id, turn, round_trip, key, within, tool, category, effect, status, exit_code, args, args_bytes, args_hash, result, result_bytes, " +
	"result_hash, error, background, started_at, ended_at, duration_ms, wait_ms, lines_added, lines_removed, inherited, refs"

func callArgs(pk int64, c *collector.ToolCall) []any {
	var exit, duration any
	if c.ExitCode != nil {
		exit = *c.ExitCode
	}
	if c.DurationMs.Quality != collector.QualityUnknown {
		duration = c.DurationMs.Value
	}
	return []any{
		partID(pk, c.Seq), c.Turn, c.RoundTrip, c.Key, c.Within, c.Tool, c.Category, c.Effect, c.Status, exit, c.Args.Preview, c.Args.Bytes,
		int64(c.ArgsHash), c.Result.Preview, c.Result.Bytes, int64(c.ResultHash), c.Error, c.Background, c.StartedAt, c.EndedAt,
		duration, c.WaitMs, c.LinesAdded, c.LinesRemoved, c.Inherited, packRefs(c.Ref, c.Result.Ref),
	}
}

const markerCols = "id, turn, kind, status, body"

func scanSession(rows scanner, s *collector.Session, stream *collector.StreamID, cursor *[]byte, more ...any) error {
	var open bool
	var top, context string
	totals := totalScan{t: &s.Totals}
	dest := []any{
		&s.ID, &s.Agent, &s.Parent, &s.ParentCall, &s.ForkedFrom, &s.Role, &s.Title, &s.TitleRank, &s.Cwd, &s.Repo, &s.Branch, &s.Model, &s.Version,
		&s.Path, stream, &s.Gone, &s.StartedAt, &s.LastAt, &open, &top, &context, cursor, &s.Revision,
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
	var id int64
	var refs []byte
	var categories, flags string
	var p parts
	totals := totalScan{t: &t.Totals}
	dest := []any{
		&id, &t.Key, &t.PromptKey, &t.Origin, &t.Prompt.Preview, &t.Prompt.Bytes, &t.Steers, &t.Reply.Preview, &t.Reply.Bytes,
		&t.Status, &t.Error, &t.Model, &t.StartedAt, &t.EndedAt, &t.Inherited, &t.EndOffset, &refs, &categories, &flags,
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
	return p, fromJSON(flags, &t.Flags)
}

func scanTrip(rows scanner, r *collector.RoundTrip) (claim bool, err error) {
	var id int64
	var hash sql.NullInt64
	var refs []byte
	var b billingScan
	dest := []any{
		&id, &r.Turn, &r.Key, &hash, &r.Model, &r.StartedAt, &r.EndedAt, &r.StopReason, &r.Text.Preview, &r.Text.Bytes,
		&r.Thinking.Preview, &r.Thinking.Bytes, &r.Redacted, &r.Calls,
	}
	dest = append(b.dest(dest), &r.UsageRank, &r.Compaction, &r.Inherited, &r.DuplicateOf, &refs)
	if err := rows.Scan(dest...); err != nil {
		return false, err
	}
	r.Seq = partSeq(id)
	bill := b.billing()
	r.Tokens, r.Premium, r.Credits = bill.tokens, bill.premium, bill.credits
	unpackRefs(refs, &r.Ref, &r.Text.Ref, &r.Thinking.Ref)
	return hash.Valid, nil
}

func scanCall(rows scanner, c *collector.ToolCall) error {
	var id, argsHash, resultHash int64
	var exit, duration sql.NullInt64
	var refs []byte
	err := rows.Scan(&id, &c.Turn, &c.RoundTrip, &c.Key, &c.Within, &c.Tool, &c.Category, &c.Effect, &c.Status, &exit, &c.Args.Preview,
		&c.Args.Bytes, &argsHash, &c.Result.Preview, &c.Result.Bytes, &resultHash, &c.Error, &c.Background, &c.StartedAt, &c.EndedAt,
		&duration, &c.WaitMs, &c.LinesAdded, &c.LinesRemoved, &c.Inherited, &refs)
	if err != nil {
		return err
	}
	c.Seq = partSeq(id)
	c.ArgsHash, c.ResultHash = uint64(argsHash), uint64(resultHash)
	if exit.Valid {
		n := int(exit.Int64)
		c.ExitCode = &n
	}
	if duration.Valid {
		c.DurationMs = collector.Exact(duration.Int64)
	}
	unpackRefs(refs, &c.Ref, &c.Result.Ref)
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
