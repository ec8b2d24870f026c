package copilot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

const (
	// storePage is how many rows of usage are read at once, so that the agent's database is never held open for long.
	storePage = 1000

	selectColumns = "SELECT name FROM pragma_table_info(?) LIMIT 200"
	usageTable    = "assistant_usage_events"
	sessionTable  = "sessions"
)

// usageColumns are those that are read, if the schema has them (version 6, of 1.0.70, is the first that has the table).
var usageColumns = []string{
	"session_id", "agent_id", "parent_tool_call_id", "model", "input_tokens", "output_tokens", "cache_read_tokens",
	"cache_write_tokens", "reasoning_tokens", "total_nano_aiu", "request_multiplier", "initiator", "created_at",
}

var sessionColumns = []string{"cwd", "repository", "branch", "summary", "created_at"}

// readStore yields the rows of usage behind cp.Offset, the last row id, and the sessions that changed since cp.Line, the
// newest updated_at in unix ms. A table that a version does not have yields nothing.
func (s *Source) readStore(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		now := st
		if err := follow.FillTable(&now); err != nil {
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
			return
		}
		cp.Size, cp.ModTime, cp.Inode = 0, 0, 0
		t := tables{read: s.host.Tables, path: st.Path, yield: yield}
		err := t.usage(ctx, cp)
		if err == nil {
			err = t.sessions(ctx, cp)
		}
		switch {
		case err == nil:
			cp.Size, cp.ModTime, cp.Inode = now.Size, now.ModTime, now.Inode
		case errors.Is(err, errEnough):
		case errors.Is(err, collector.ErrReplaced):
			yield(collector.Record{}, collector.ErrReplaced)
		case errors.Is(err, fs.ErrNotExist):
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
		default:
			yield(collector.Record{}, &collector.Error{Code: collector.CodeUnavailable, Message: "read table " + st.Path, Err: err})
		}
	}
}

// errEnough says that the caller wants no more.
var errEnough = errors.New("enough")

// tables reads one database.
type tables struct {
	read  collector.Tables
	path  string
	yield func(collector.Record, error) bool
}

// columns returns which of the wanted columns the table has; none if there is no such table.
func (t tables) columns(ctx context.Context, table, key string, wanted []string) ([]string, error) {
	have := map[string]bool{}
	for row, err := range t.read(ctx, t.path, selectColumns, table) {
		if err != nil {
			return nil, err
		}
		jsonl.Each(row, func(v *fastjson.Value) { have[jsonl.Str(v, "name")] = true })
	}
	if !have[key] {
		return nil, nil
	}
	out := []string{key}
	for _, c := range wanted {
		if have[c] {
			out = append(out, c)
		}
	}
	return out, nil
}

func (t tables) usage(ctx context.Context, cp *collector.Checkpoint) error {
	columns, err := t.columns(ctx, usageTable, "id", usageColumns)
	if err != nil || columns == nil {
		return err
	}
	query := "SELECT '" + usageTable + "' AS source, " + strings.Join(columns, ", ") + " FROM " + usageTable + " WHERE id >= ? ORDER BY id LIMIT ?"
	if cp.Offset == 0 {
		return t.usagePages(ctx, cp, query)
	}
	// The last row that was read is asked for again: without it, this is another table.
	known := false
	for row, err := range t.read(ctx, t.path, query, cp.Offset, 1) {
		if err != nil {
			return err
		}
		jsonl.Each(row, func(v *fastjson.Value) { id, _ := jsonl.Int(v, "id"); known = id == cp.Offset })
	}
	if !known {
		return collector.ErrReplaced
	}
	return t.usagePages(ctx, cp, query)
}

func (t tables) usagePages(ctx context.Context, cp *collector.Checkpoint, query string) error {
	for {
		n := 0
		for row, err := range t.read(ctx, t.path, query, cp.Offset+1, storePage) {
			if err != nil {
				return err
			}
			n++
			jsonl.Each(row, func(v *fastjson.Value) { cp.Offset, _ = jsonl.Int(v, "id") })
			if !t.yield(collector.Record{Ref: collector.Ref{Offset: cp.Offset, Length: int64(len(row))}, Data: row}, nil) {
				return errEnough
			}
		}
		if n < storePage {
			return nil
		}
	}
}

// sessions yields the sessions whose row changed. Two may bear the same time, so the newest ones come again.
func (t tables) sessions(ctx context.Context, cp *collector.Checkpoint) error {
	columns, err := t.columns(ctx, sessionTable, "id", append(sessionColumns[:len(sessionColumns):len(sessionColumns)], "updated_at"))
	if err != nil || columns == nil {
		return err
	}
	since := ""
	if cp.Line > 0 {
		since = time.UnixMilli(cp.Line).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	query := "SELECT '" + sessionTable + "' AS source, " + strings.Join(columns, ", ") + " FROM " + sessionTable
	var args []any
	if columns[len(columns)-1] == "updated_at" {
		query += " WHERE updated_at >= ? ORDER BY updated_at"
		args = append(args, since)
	}
	for row, err := range t.read(ctx, t.path, query+" LIMIT 1000000", args...) {
		if err != nil {
			return err
		}
		var at int64
		jsonl.Each(row, func(v *fastjson.Value) { at = millis(jsonl.Str(v, "updated_at")) })
		cp.Line = max(cp.Line, at)
		if !t.yield(collector.Record{Ref: collector.Ref{Offset: cp.Offset, Length: int64(len(row))}, Data: row}, nil) {
			return errEnough
		}
	}
	return nil
}

// decodeRow takes a row of either table.
func decodeRow(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		switch source := jsonl.Str(v, "source"); source {
		case usageTable:
			dst = usageRow(dst, v)
		case sessionTable:
			dst = sessionRow(dst, v)
		default:
			dst = append(dst, collector.Event{Kind: collector.EventUnknown, Name: "row of " + source})
		}
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}

func usageRow(dst []collector.Event, v *fastjson.Value) []collector.Event {
	own := jsonl.Str(v, "session_id")
	if own == "" || jsonl.Str(v, "initiator") == "compaction" {
		return dst // a compaction's request is no round trip; the log says what it took
	}
	id, _ := jsonl.Int(v, "id")
	session := collector.NewSessionID(agent, own)
	if lane := jsonl.Str(v, "agent_id"); lane != "" {
		session = session.Child(lane)
	}
	return append(dst, collector.Event{
		Kind:    collector.EventUsage,
		Session: session,
		Time:    millis(jsonl.Str(v, "created_at")),
		Key:     fmt.Sprintf("b%019d", id), // behind the keys of telemetry, which is of older versions
		Model:   jsonl.Str(v, "model"),
		Usage: &collector.Usage{
			Rank:    collector.UsageTable,
			Tokens:  tokensOf(v, "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"),
			Premium: premium(v, "request_multiplier", "initiator"),
			Credits: credits(v.Get("total_nano_aiu"), "table"),
		},
	})
}

func sessionRow(dst []collector.Event, v *fastjson.Value) []collector.Event {
	own := jsonl.Str(v, "id")
	if own == "" {
		return dst
	}
	f := &collector.Facts{ // the title has no rank: any other is better
		Title: jsonl.Str(v, "summary"), Cwd: jsonl.Str(v, "cwd"), Repo: jsonl.Str(v, "repository"), Branch: jsonl.Str(v, "branch"),
		StartedAt: millis(jsonl.Str(v, "created_at")), Fallback: true,
	}
	return append(dst, collector.Event{Kind: collector.EventFacts, Session: collector.NewSessionID(agent, own), Facts: f})
}
