package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// openStore opens the store that this process alone writes. What became of a damaged one is told on w now, and in health
// for as long as that one is kept.
func openStore(ctx context.Context, dir string, w io.Writer) (*sqlite.DB, []collector.Warning, error) {
	start := time.Now()
	db, err := sqlite.OpenOrRebuild(ctx, dir, start, func(st *sqlite.StoredSession) error {
		_, err := fold.Restore(st.Session, st.Turns, st.Cursor)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	all, err := sqlite.Rebuilds(dir)
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	var told []collector.Warning
	for _, r := range all {
		warning := rebuiltWarning(dir, r)
		told = append(told, warning)
		if r.DoneAt >= start.UnixMilli() {
			_, _ = fmt.Fprintf(w, "turnwatch: %s\n           %s: %s\n", warning.Message, warning.Path, r.Reason)
		}
	}
	return db, told, nil
}

// rebuiltWarning says what became of a damaged database.
func rebuiltWarning(dir string, r sqlite.Rebuilt) collector.Warning {
	var b strings.Builder
	b.WriteString("The database was damaged. It was put aside and made anew from the agents' logs")
	if r.Carried > 0 || r.Labels > 0 {
		fmt.Fprintf(&b, "; what no log holds was taken over: %s whose log is gone, %s", screen.Plural(r.Carried, "session"), screen.Plural(r.Labels, "label"))
	}
	b.WriteString(". ")
	switch {
	case r.Unreadable:
		b.WriteString("It cannot be read: if it knew sessions whose log is gone, sqlite3's .recover may still find them in it. ")
	case r.Lost > 0:
		fmt.Fprintf(&b, "%s whose log is gone could not be read and are only in there; sqlite3's .recover may find them. ", screen.Plural(r.Lost, "session"))
	}
	b.WriteString("Delete the file when you need it no more: then this notice goes too.")
	return collector.Warning{Code: "store-rebuilt", Message: b.String(), Path: filepath.Join(dir, r.File), Count: 1, LastAt: r.At}
}

// reportDamage returns what the server tells its errors: one that says that the store is damaged goes on to damaged.
func reportDamage(damaged chan<- error) func(error) {
	return func(err error) {
		if !sqlite.Damaged(err) {
			return
		}
		select {
		case damaged <- err:
		default: // it is known
		}
	}
}
