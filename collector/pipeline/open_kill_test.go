//go:build linux

package pipeline_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

func init() { roles["open"] = childOpen }

// childOpen opens a store, and may kill itself on the way.
func childOpen(a childArgs) error {
	if a.KillFor > 0 {
		time.AfterFunc(rand.N(a.KillFor), func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) })
	}
	db, err := sqlite.OpenOrRebuild(context.Background(), a.Data, time.Now(), sound)
	if err != nil {
		return err
	}
	return db.Close()
}

// downgrade takes a store back to what the first migration made.
func downgrade(t *testing.T, path string) {
	t.Helper()
	for _, text := range []string{
		"DROP TABLE labels", "DROP TRIGGER rollups_stale", "DROP TRIGGER rollups_forget", "DROP TABLE rollups",
		"ALTER TABLE turns DROP COLUMN rewound",
		"DELETE FROM goose_db_version WHERE version_id > 1",
	} {
		statement(t, path, text)
	}
}

// TestKilledWhileOpening: a process that is killed while it makes, migrates or puts aside a database leaves one from which
// the next goes on, and takes nothing of what was known away.
func TestKilledWhileOpening(t *testing.T) {
	w := wear(t)
	fresh := ingest(t, w.home, pipeline.Config{})
	path := func(data string) string { return filepath.Join(data, sqlite.FileName) }
	cases := map[string]struct {
		prepare  func(t *testing.T) (data string)
		want     string
		rebuilds int
		labels   int
	}{
		"a first start": {func(t *testing.T) string { return t.TempDir() }, fresh, 0, 0},
		"a migration": {func(t *testing.T) string {
			data := w.copied(t)
			downgrade(t, path(data))
			return data
		}, w.dump, 0, 0},
		"a damaged database": {func(t *testing.T) string {
			data := w.copied(t)
			statement(t, path(data), "DROP INDEX sessions_stream")
			return data
		}, w.dump, 1, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kills := 0
			for i := 0; i < scale(4, 1) || kills == 0 && i < 40; i++ { // a fast machine may be done before it is killed
				data := c.prepare(t)
				for range 4 {
					killed, _ := childArgs{Role: "open", Data: data, KillFor: 40 * time.Millisecond}.run(t)
					if !killed {
						break
					}
					kills++
				}
				got, err := readThrough(t, w.home, data)
				must(t, err)
				if got != c.want {
					t.Error(firstDifference(got, c.want))
				}
				all, err := sqlite.Rebuilds(data)
				must(t, err)
				if len(all) != c.rebuilds {
					t.Errorf("%d databases put aside, want %d", len(all), c.rebuilds)
				}
				if n := labelsIn(t, data); n != c.labels {
					t.Errorf("%d labels, want %d", n, c.labels)
				}
				if left, err := filepath.Glob(filepath.Join(data, "*.new")); err != nil || len(left) > 0 {
					t.Errorf("left behind: %v, %v", left, err)
				}
			}
			if kills == 0 {
				t.Error("nothing was killed")
			}
			t.Logf("%d kills", kills)
		})
	}
}

// labelsIn counts the labels that a store's sessions have.
func labelsIn(t *testing.T, data string) (n int) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), data)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	all, err := db.AllLabels(t.Context())
	must(t, err)
	for _, l := range all {
		n += l.Sessions
	}
	return n
}
