package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
	"github.com/valyala/fastjson"
)

// reader yields what changed in a database since its checkpoint:
//
//	Offset    row of the next message
//	TailHash  beginning of the id of the last message read, as a number; 0 = it has none
//	Line      row of the last event read
//	HeadHash  hash of that event's id
//	HeadLen   time of the newest change that was looked for, unix s
//	TailLen   its milliseconds; firstTime more while the database is read for the first time
//
// Messages that changed come again as a whole: every part has a name, so fold takes in each once.
type reader struct {
	ctx    context.Context
	tables collector.Tables
	stream collector.Stream
	cp     *collector.Checkpoint
	newest int64 // no change can be newer than the file, unix ms
	yield  func(collector.Record, error) bool
}

// errEnough says that the caller wants no more.
var errEnough = errors.New("enough")

// recentMessages is how far back a changed message is looked for where no event tells.
const recentMessages = 500

func (r *reader) run() {
	var err error
	if r.stream.Session != "" {
		err = r.pages(selectSession, r.stream.Session.Own())
	} else {
		err = r.changes()
	}
	switch {
	case err == nil, errors.Is(err, errEnough):
	case errors.Is(err, collector.ErrReplaced):
		r.yield(collector.Record{}, collector.ErrReplaced)
	case errors.Is(err, fs.ErrNotExist), r.ctx.Err() != nil:
		r.yield(collector.Record{}, fmt.Errorf("read table: %w", err))
	default:
		r.yield(collector.Record{}, &collector.Error{Code: collector.CodeUnavailable, Message: "read table " + r.stream.Path, Err: err})
	}
}

// changes yields changed messages, then new ones.
func (r *reader) changes() error {
	now := r.stream
	if err := follow.FillTable(&now); err != nil {
		return err
	}
	if err := r.anchor(now.Inode); err != nil {
		return err
	}
	r.cp.Size, r.cp.ModTime, r.cp.Inode = 0, 0, now.Inode
	r.newest = now.ModTime/1e6 + clockErrorMs
	if err := r.changed(); err != nil {
		return err
	}
	if err := r.pages(selectNew); err != nil {
		return err
	}
	if r.first() {
		r.cp.TailLen -= firstTime
	}
	r.cp.Size, r.cp.ModTime, r.cp.Inode = now.Size, now.ModTime, now.Inode
	return nil
}

// anchor looks whether the last message that was read still has its row. If it has another one, the program compacted
// its file, and no place is what it was. If it is gone, it was taken back, and its row may have been given anew: reading
// goes on a good way before it.
func (r *reader) anchor(inode uint64) error {
	if r.cp.Offset == 0 || r.cp.TailHash == 0 {
		return nil
	}
	from, to := idOf(r.cp.TailHash), idOf(r.cp.TailHash+1)
	found := false
	err := r.rows(selectAnchor, []any{from, to, r.cp.Offset - 1}, func(v *fastjson.Value) error {
		row, _ := jsonl.Int(v, "row")
		found = true
		if row != r.cp.Offset-1 {
			return collector.ErrReplaced
		}
		return nil
	})
	if err != nil || found {
		return err
	}
	if inode != r.cp.Inode {
		return collector.ErrReplaced
	}
	r.cp.Offset, r.cp.TailHash = max(0, r.cp.Offset-recentMessages), 0
	return nil
}

const (
	idPrefix = "msg_"
	idDigits = 12 // hexadecimal: when it was made
)

// idOf is the beginning of a message's id.
func idOf(n uint64) string { return fmt.Sprintf("%s%0*x", idPrefix, idDigits, n) }

func idNumber(id string) uint64 {
	rest, ok := strings.CutPrefix(id, idPrefix)
	if !ok || len(rest) < idDigits {
		return 0
	}
	n, err := strconv.ParseUint(rest[:idDigits], 16, 64)
	if err != nil || idOf(n) != id[:len(idPrefix)+idDigits] {
		return 0
	}
	return n
}

// rows calls fn with each row of a query. A table that a version does not have has no rows.
func (r *reader) rows(query string, args []any, fn func(v *fastjson.Value) error) error {
	for row, err := range r.tables(r.ctx, r.stream.Path, query, args...) {
		if err != nil {
			if strings.Contains(err.Error(), "no such table") {
				return nil
			}
			return err
		}
		var failed error
		jsonl.Each(row, func(v *fastjson.Value) { failed = fn(v) })
		if failed != nil {
			return failed
		}
	}
	return nil
}

// pages yields messages page by page from the checkpoint's row on.
func (r *reader) pages(query string, args ...any) error {
	for {
		all, err := r.messages(query, append(slices.Clone(args), r.cp.Offset)...)
		if err != nil {
			return err
		}
		for _, m := range all {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			if r.first() {
				r.seen(m)
			}
			err := r.give(m)
			r.cp.Offset, r.cp.TailHash = m.row+1, idNumber(m.id)
			if err != nil {
				return err
			}
		}
		if len(all) < pageMessages {
			return nil
		}
	}
}

// give yields a record, which the caller then has, whether it wants more or not. Its place is its row, and one row long:
// a place in a table has no bytes.
func (r *reader) give(m *message) error {
	rec := collector.Record{Data: m.record()}
	if m.row > 0 {
		rec.Ref = collector.Ref{Offset: m.row, Length: 1, Line: m.row}
	}
	if !r.yield(rec, nil) {
		return errEnough
	}
	return r.ctx.Err()
}

const firstTime = 1000

func (r *reader) first() bool { return r.cp.TailLen >= firstTime }

// since returns the time of the newest change that was looked for, unix ms.
func (r *reader) since() int64 { return int64(r.cp.HeadLen)*1000 + int64(r.cp.TailLen%firstTime) }

// clockErrorMs is how much the times of files lag behind the clock, amply.
const clockErrorMs = 1000

// seen notes the time of a change, unless it is one that a clock set wrong or a damaged row puts into the future: nothing
// would be newer. New messages do not count: an old one may have changed just before them, unseen.
func (r *reader) seen(m *message) {
	if m.updated > r.since() && m.updated <= r.newest {
		r.cp.HeadLen = int(min(m.updated/1000, math.MaxInt32))
		r.cp.TailLen += int(m.updated%1000) - r.cp.TailLen%firstTime
	}
}

func list(ids []string) string {
	b, err := json.Marshal(ids)
	if err != nil {
		return "[]" // strings always encode
	}
	return string(b)
}
