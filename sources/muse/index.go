package muse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// sessions selects the rows of the index that changed since a time in µs; a row without a time always comes.
const sessions = "SELECT session_id, workspace_root, model_id, git_branch, title, session_name, created_at_us, updated_at_us FROM sessions " +
	"WHERE updated_at_us IS NULL OR updated_at_us >= ? ORDER BY updated_at_us LIMIT 100000"

// errEnough says that the caller wants no more.
var errEnough = errors.New("enough")

// readIndex yields the rows that changed since cp.Offset, the newest updated_at_us read. Two may bear the same time, so the
// newest ones come again.
func (s *Source) readIndex(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		now := st
		if err := follow.FillTable(&now); err != nil {
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
			return
		}
		if now.Inode != cp.Inode {
			cp.Offset = 0 // it was made anew
		}
		cp.Size, cp.ModTime, cp.Inode = 0, 0, now.Inode
		err := s.rows(ctx, now, cp, yield)
		switch {
		case err == nil, strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column"):
			cp.Size, cp.ModTime, cp.Inode = now.Size, now.ModTime, now.Inode // another layout than the known one says nothing
		case errors.Is(err, errEnough):
		case errors.Is(err, fs.ErrNotExist):
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
		default:
			yield(collector.Record{}, &collector.Error{Code: collector.CodeUnavailable, Message: "read table " + st.Path, Err: err})
		}
	}
}

// clockErrorUs is how much the times of files lag behind the clock, amply.
const clockErrorUs = 1_000_000

func (s *Source) rows(ctx context.Context, st collector.Stream, cp *collector.Checkpoint, yield func(collector.Record, error) bool) error {
	newest := st.ModTime/1000 + clockErrorUs // a row that says later is wrong, and would hide those that change
	for row, err := range s.host.Tables(ctx, st.Path, sessions, cp.Offset) {
		if err != nil {
			return err
		}
		jsonl.Each(row, func(v *fastjson.Value) {
			if at, _ := jsonl.Int(v, "updated_at_us"); at <= newest {
				cp.Offset = max(cp.Offset, at)
			}
		})
		if !yield(collector.Record{Ref: collector.Ref{Offset: cp.Offset, Length: int64(len(row))}, Data: row}, nil) {
			return errEnough
		}
	}
	return nil
}

// decodeIndex takes where a session works and what it is called, where its log does not say. Columns may be NULL.
func decodeIndex(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		own := jsonl.Str(v, "session_id")
		if own == "" {
			dst = append(dst, collector.Event{Kind: collector.EventUnknown, Name: "row of the index"})
			return
		}
		created, _ := jsonl.Int(v, "created_at_us")
		dst = append(dst, collector.Event{Kind: collector.EventFacts, Session: collector.NewSessionID(agent, own), Facts: &collector.Facts{
			Title: cmp.Or(jsonl.Str(v, "title"), jsonl.Str(v, "session_name")), Cwd: jsonl.Str(v, "workspace_root"), Branch: jsonl.Str(v, "git_branch"),
			StartedAt: max(created/1000, 0), Fallback: true, // the title has no rank: any other is better
		}})
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}
