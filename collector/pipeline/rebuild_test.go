package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// sound is what the program asks of a session that is taken over from a damaged database.
func sound(st *sqlite.StoredSession) error {
	_, err := fold.Restore(st.Session, st.Turns, st.Cursor)
	return err
}

// worn is a data directory whose store holds some sessions and one whose log is gone; two sessions have a label.
type worn struct {
	home, data  string
	gone, other collector.SessionID
	dump        string // of the store
	rev         int64
}

func wear(t *testing.T) worn {
	t.Helper()
	const own = "99999999-0000-4000-8000-000000000009"
	w := worn{home: t.TempDir(), data: t.TempDir(), gone: collector.SessionID(homes.Session(own))}
	for i := range 8 {
		other := fmt.Sprintf("99999999-0000-4000-8000-1%011d", i)
		must(t, homes.Write(homes.Transcript(w.home, other), homes.Lines(other, other, 6, i)...))
	}
	must(t, homes.Write(homes.Transcript(w.home, own), homes.Lines(own, "a", 3, 0)...))
	p := run(t, options{home: w.home, data: w.data}).ready()
	must(t, os.Remove(homes.Transcript(w.home, own))) // as agents do with old ones
	p.session(string(w.gone), "deleted", func(s *collector.Session) bool { return s.Gone })
	page, err := p.db.Sessions(t.Context(), collector.SessionQuery{})
	must(t, err)
	for _, s := range page.Sessions {
		if s.ID != w.gone {
			w.other = s.ID
		}
	}
	for _, id := range []collector.SessionID{w.gone, w.other} {
		_, err := p.db.AddLabel(t.Context(), id, "kept")
		must(t, err)
	}
	p.stop()
	w.dump = p.dump()
	w.rev, err = p.db.Revision(t.Context())
	must(t, err)
	must(t, p.db.Close())
	return w
}

// copied returns another data directory with the same store.
func (w worn) copied(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	must(t, os.CopyFS(data, os.DirFS(w.data)))
	return data
}

// TestDamagedStoreIsRebuilt: a damaged database is put aside and kept; what logs hold is read again, what they do not
// hold is taken over from it where it can be read.
func TestDamagedStoreIsRebuilt(t *testing.T) {
	w := wear(t)
	fresh := ingest(t, w.home, pipeline.Config{})
	for name, d := range damages {
		t.Run(name, func(t *testing.T) {
			data := w.copied(t)
			d.do(t, filepath.Join(data, sqlite.FileName))
			db, err := sqlite.Open(t.Context(), data)
			if sqlite.Damaged(err) == d.passes {
				t.Fatalf("damaged: %t, want %t (%v)", !d.passes, d.passes, err)
			}
			if err == nil {
				must(t, db.Close())
			}
			got, err := readThrough(t, w.home, data)
			must(t, err)
			want := fresh
			if d.carried || d.passes {
				want = w.dump
			}
			if got != want {
				t.Error(firstDifference(got, want))
			}
			d.check(t, w, data)
		})
	}
}

// check looks whether labels, revision and the damaged database itself were kept.
func (d damage) check(t *testing.T, w worn, data string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), data)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	if labels, err := db.Labels(t.Context(), w.other); err != nil || len(labels) != 1 {
		t.Errorf("labels %q, %v", labels, err)
	}
	if rev, err := db.Revision(t.Context()); err != nil || d.readable && rev <= w.rev {
		t.Errorf("revision %d after %d: %v", rev, w.rev, err)
	}
	all, err := sqlite.Rebuilds(data)
	must(t, err)
	if d.passes {
		if len(all) > 0 {
			t.Errorf("put aside: %+v", all)
		}
		return
	}
	if len(all) != 1 {
		t.Fatalf("%d put aside, want 1", len(all))
	}
	if r := all[0]; r.DoneAt == 0 || r.Reason == "" || (r.Carried == 1) != d.carried || r.Labels != 2 || r.At == 0 || r.Unreadable == d.readable {
		t.Errorf("it says of itself: %+v", r)
	}
	if left, err := filepath.Glob(filepath.Join(data, "*damaged*-shm")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestTornStore: garbage in any page of a database is seen when that page is needed, by whoever needs it; the database is
// then made anew, and what can be read of the old one is taken over.
func TestTornStore(t *testing.T) {
	w := wear(t)
	without := ingest(t, w.home, pipeline.Config{})
	intact := read(t, filepath.Join(w.data, sqlite.FileName))
	const page = 4096
	pages := len(intact) / page
	rebuilt, carried := 0, 0
	for i := 0; i < pages; i += max(1, pages/scale(16, 6)) {
		data := t.TempDir()
		must(t, homes.Write(filepath.Join(data, sqlite.FileName), intact))
		overwrite(t, filepath.Join(data, sqlite.FileName), i*page, page)
		_, err := readThrough(t, w.home, data)
		if sqlite.Damaged(err) {
			must(t, sqlite.PutAside(data, time.Now(), err))
		} else {
			must(t, err)
		}
		got, err := readThrough(t, w.home, data)
		must(t, err)
		all, err := sqlite.Rebuilds(data)
		must(t, err)
		want := without
		switch {
		case len(all) == 0:
			continue // garbage that belongs to nothing, or in the middle of a text
		case all[0].Carried > 0:
			want = w.dump
			carried++
		}
		rebuilt++
		if got != want {
			t.Errorf("page %d of %d: %s", i, pages, firstDifference(got, want))
		}
	}
	if rebuilt == 0 || carried == 0 {
		t.Errorf("of %d pages, %d made it be rebuilt, and %d of these times a session was taken over", pages, rebuilt, carried)
	}
}

// readThrough runs a pipeline until history is in, and reads all that is stored.
func readThrough(t *testing.T, home, data string) (string, error) {
	t.Helper()
	db, err := sqlite.OpenOrRebuild(t.Context(), data, time.Now(), sound)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	w := newWatcher()
	p := pipeline.New(pipeline.Config{}, pipeline.Deps{
		Sources: sources.All(host(home)), Store: db, Publisher: w, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Judges: fold.Judges{Analyzers: analyzers.All(analyzers.Config{})},
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	for !w.has(ready) {
		select {
		case err := <-done:
			return "", err
		case <-w.news:
		}
	}
	cancel()
	if err := <-done; err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = db.Dump(t.Context(), &b)
	return strings.ReplaceAll(b.String(), home, "HOME"), err
}

// TestLabelsOutliveTheDatabase: who deletes the database by hand keeps his labels.
func TestLabelsOutliveTheDatabase(t *testing.T) {
	w := wear(t)
	data := w.copied(t)
	must(t, os.Remove(filepath.Join(data, sqlite.FileName)))
	_, err := readThrough(t, w.home, data)
	must(t, err)
	db, err := sqlite.Open(t.Context(), data)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	if labels, err := db.Labels(t.Context(), w.other); err != nil || len(labels) != 1 {
		t.Errorf("labels %q, %v", labels, err)
	}
}
