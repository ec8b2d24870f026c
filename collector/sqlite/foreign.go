package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

var _ collector.Tables = ReadForeign

// maxCopied is the largest database that is copied to be read.
const maxCopied = 1 << 30

// ReadForeign runs query on an agent's SQLite file and yields each row as a JSON object, keyed by column. All rows are
// read before the first is yielded, so that the database is open for as short as possible: queries should have a
// LIMIT. Nothing of the agent's is written, and no file is left beside it:
//
//   - With a write-ahead log and its index, an agent may be at work: the database is opened read-only, the index too
//     (readonly_shm), so that SQLite neither creates nor repairs it.
//   - With a write-ahead log and no index, the agent crashed, or its files were copied: reading would create the
//     index, so a copy is read.
//   - With neither, or an empty log and no index, the database rests: immutable=1 keeps SQLite from creating both. (With a
//     log, immutable would not see what is in it.)
//
// While there is a log, the lock of a reader is held from before the log is looked for: an agent that ends would remove it
// in between, and SQLite make an empty one in its place. (An agent that ends during a read leaves its log to the next one,
// as SQLite does where others read.)
//
// A file that does not exist is an error that wraps fs.ErrNotExist.
func ReadForeign(ctx context.Context, path, query string, args ...any) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		rows, err := readForeign(ctx, path, query, args)
		if err != nil {
			yield(nil, fmt.Errorf("read %s: %w", path, err))
			return
		}
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func readForeign(ctx context.Context, path, query string, args []any) ([][]byte, error) {
	path, err := filepath.Abs(path) // a URI has no relative paths
	if err != nil {
		return nil, err
	}
	if fi, err := os.Stat(path); err != nil {
		return nil, err
	} else if !fi.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if !exists(path + "-wal") {
		return queryForeign(ctx, uri(path, resting), query, args)
	}
	release, err := holdForeign(ctx, path)
	if err != nil {
		return nil, err
	}
	defer release()
	switch wal, err := os.Stat(path + "-wal"); {
	case err == nil && exists(path+"-shm"):
		return queryWorking(ctx, path, query, args)
	case err == nil && wal.Size() > 0:
		return queryCopy(ctx, path, query, args)
	}
	return queryForeign(ctx, uri(path, resting), query, args)
}

// The ways to open a database of which nothing may change.
const (
	wait    = "_pragma=busy_timeout(250)&_pragma=query_only(1)"
	resting = "mode=ro&immutable=1&" + wait
)

// queryWorking reads beside an agent. One that has just begun may not have made its index yet, which we cannot do for it.
func queryWorking(ctx context.Context, path, query string, args []any) ([][]byte, error) {
	for end := time.Now().Add(holdFor); ; time.Sleep(holdEvery) {
		rows, err := queryForeign(ctx, uri(path, "mode=ro&readonly_shm=1&"+wait), query, args)
		if code(err) != codeReadOnly || time.Now().After(end) || ctx.Err() != nil {
			return rows, err
		}
	}
}

// How long a lock or an index is waited for, and how often it is looked for.
const (
	holdFor   = 250 * time.Millisecond
	holdEvery = 5 * time.Millisecond
)

// queryCopy reads a copy of the database and its log.
func queryCopy(ctx context.Context, path, query string, args []any) ([][]byte, error) {
	dir, err := os.MkdirTemp("", "turnwatch-")
	if err != nil {
		return nil, err
	}
	copied := filepath.Join(dir, "copy.db")
	err = errors.Join(copyFile(copied, path), copyFile(copied+"-wal", path+"-wal"))
	var rows [][]byte
	if err == nil {
		rows, err = queryForeign(ctx, uri(copied, "mode=rw&"+wait), query, args)
	}
	return rows, errors.Join(err, os.RemoveAll(dir))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(dst, io.LimitReader(src, maxCopied+1))
	if err == nil && n > maxCopied {
		err = fmt.Errorf("copy %s: more than %d bytes", from, maxCopied)
	}
	return errors.Join(err, dst.Close())
}

func queryForeign(ctx context.Context, dsn, query string, args []any) (out [][]byte, err error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		out = append(out, appendRow(nil, columns, values))
	}
	return out, rows.Err()
}

// appendRow appends the row as a JSON object. Blobs become text where they are, null otherwise: SQLite lets programs
// store text as either.
func appendRow(dst []byte, columns []string, values []any) []byte {
	dst = append(dst, '{')
	for i, name := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendQuote(dst, name), ':')
		v := values[i]
		if b, ok := v.([]byte); ok {
			v = any(nil)
			if utf8.Valid(b) {
				v = string(b)
			}
		}
		cell, err := json.Marshal(v)
		if err != nil { // infinities
			cell = []byte("null")
		}
		dst = append(dst, cell...)
	}
	return append(dst, '}')
}
