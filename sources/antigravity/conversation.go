package antigravity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"strings"

	"github.com/valyala/fastjson"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

const (
	// page is how many rows are read at once, so that the agent's database is never held open for long.
	page = 200
	// maxGeneration is the longest row of gen_metadata that is read: it holds all that was sent to the model.
	maxGeneration = 8 << 20

	// modelSteps selects the responses (steps of type 15) in order; one that is not done (3) counts once a later step is there.
	modelSteps = "SELECT 'step' AS source, idx, hex(metadata) AS data FROM steps WHERE step_type = 15 AND idx >= ? " +
		"AND (status = 3 OR idx < (SELECT max(idx) FROM steps)) ORDER BY idx LIMIT ?"
	newestGeneration = "SELECT 'generation' AS source, idx, hex(data) AS data FROM gen_metadata WHERE idx >= ? AND length(data) <= ? ORDER BY idx DESC LIMIT 1"
	workspace        = "SELECT 'workspace' AS source, hex(data) AS data FROM trajectory_metadata_blob LIMIT 1"
)

// readConversation yields the responses behind cp.Offset, which is one more than the last one's index, and, when there
// are any, the newest row about a request to the model and the conversation's workspace.
func (s *Source) readConversation(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return s.readTable(st, cp, func(t *table) error {
		fresh := cp.Offset == 0
		for {
			n, err := t.rows(ctx, modelSteps, cp.Offset, page)
			fresh = fresh || n > 0
			if err != nil {
				return err
			}
			if n < page {
				break
			}
		}
		if !fresh {
			return nil
		}
		for _, q := range []struct {
			query string
			args  []any
		}{{newestGeneration, []any{0, maxGeneration}}, {workspace, nil}} {
			if _, err := t.rows(ctx, q.query, q.args...); err != nil && !noTable(err) {
				return err
			}
		}
		return nil
	})
}

// noTable reports whether a query failed since this version has no such table or column.
func noTable(err error) bool {
	return strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column")
}

// errEnough says that the caller wants no more.
var errEnough = errors.New("enough")

// table reads one database.
type table struct {
	read  collector.Tables
	path  string
	cp    *collector.Checkpoint
	yield func(collector.Record, error) bool
}

// readTable runs read on the database of st and sees to the checkpoint's attributes and to errors.
func (s *Source) readTable(st collector.Stream, cp *collector.Checkpoint, read func(*table) error) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		now := st
		if err := follow.FillTable(&now); err != nil {
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
			return
		}
		cp.Size, cp.ModTime, cp.Inode = 0, 0, 0
		err := read(&table{read: s.host.Tables, path: st.Path, cp: cp, yield: yield})
		switch {
		case err == nil, noTable(err): // an older or newer layout, or one that is being made
			cp.Size, cp.ModTime, cp.Inode = now.Size, now.ModTime, now.Inode
		case errors.Is(err, errEnough):
		case errors.Is(err, fs.ErrNotExist):
			yield(collector.Record{}, fmt.Errorf("read table: %w", err))
		default:
			yield(collector.Record{}, &collector.Error{Code: collector.CodeUnavailable, Message: "read table " + st.Path, Err: err})
		}
	}
}

// rows yields the rows of a query and returns how many there were. Rows with an index move the checkpoint.
func (t *table) rows(ctx context.Context, query string, args ...any) (n int, err error) {
	for row, err := range t.read(ctx, t.path, query, args...) {
		if err != nil {
			return n, err
		}
		n++
		jsonl.Each(row, func(v *fastjson.Value) {
			if idx, ok := jsonl.Int(v, "idx"); ok && jsonl.Str(v, "source") == "step" {
				t.cp.Offset = idx + 1
			}
		})
		if !t.yield(collector.Record{Ref: collector.Ref{Offset: t.cp.Offset, Length: int64(len(row))}, Data: row}, nil) {
			return n, errEnough
		}
	}
	return n, nil
}

// decodeConversation takes a row of any of the three tables.
func decodeConversation(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		data := fromHex(jsonl.Str(v, "data"))
		switch source := jsonl.Str(v, "source"); source {
		case "step":
			idx, _ := jsonl.Int(v, "idx")
			dst = append(dst, responseUsage(idx, data))
		case "generation":
			if n, ok := data.at(1, 9, 10).number(4); ok && n > 0 && n <= maxTokens {
				dst = append(dst, collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Window: n}})
			}
		case "workspace":
			if f := place(data.at(1)); f != (collector.Facts{}) {
				dst = append(dst, collector.Event{Kind: collector.EventFacts, Facts: &f})
			}
		default:
			dst = append(dst, collector.Event{Kind: collector.EventUnknown, Name: "row of " + source})
		}
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}

// responseUsage takes what a response consumed from its step's metadata: 9.2 input without what was read from the cache,
// 9.3 output with thinking, 9.5 read from the cache; a zero is left out. The transcript's own numbers (from 1.2.16) rank
// higher. A response without usage is told too: the n-th row belongs to the n-th response.
func responseUsage(idx int64, metadata message) collector.Event {
	ev := collector.Event{Kind: collector.EventUsage, Key: fmt.Sprintf("%019d", idx), Usage: &collector.Usage{Rank: collector.UsageTable}}
	if seconds, ok := metadata.at(1).number(1); ok {
		nanos, _ := metadata.at(1).number(2)
		ev.Time = seconds*1000 + nanos/1_000_000
	}
	usage := metadata.at(9)
	if usage == nil {
		return ev
	}
	ev.Usage.Tokens = collector.Tokens{
		Input: field(usage, 2), Output: field(usage, 3), CacheRead: field(usage, 5),
		CacheWrite5m: collector.Exact[int64](0), CacheWrite1h: collector.Exact[int64](0),
	}
	return ev
}

func field(usage message, number protowire.Number) collector.Count {
	n, ok := usage.number(number)
	switch {
	case !ok:
		return collector.Exact[int64](0)
	case n > maxTokens:
		return collector.Count{}
	}
	return collector.Exact(n)
}

// place takes a workspace: 1 its URI, 3.1 the repository's name, 4 the branch.
func place(w message) collector.Facts {
	dir := directoryOf(w.text(1))
	if dir == "" {
		return collector.Facts{}
	}
	return collector.Facts{Cwd: dir, Repo: w.text(3, 1), Branch: w.text(4)}
}

// directoryOf returns the path of a file URI, "" of any other.
func directoryOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" {
		return ""
	}
	return u.Path
}
