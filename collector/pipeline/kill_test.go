//go:build linux

package pipeline_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// TestKilledAnywhereThenRestarted kills a process that reads a home, at random points, until it is through, over and over,
// and compares what the store then knows with an undisturbed run.
func TestKilledAnywhereThenRestarted(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	points := scale(200, 12)
	survived := 0
	for kills := 0; kills < points; {
		a := childArgs{Role: "ingest", Home: home, Data: t.TempDir(), Batch: 1 + rand.IntN(40), KillFor: 25 * time.Millisecond}
		for kills < points {
			a.KillAt = 1 + rand.IntN(300)
			killed, _ := a.run(t)
			if !killed {
				break
			}
			kills++
		}
		a.KillAt = 0
		a.run(t)
		survived++
		if got := stored(t, a.Data, home); got != want {
			t.Fatalf("after %d kills, batches of %d: %s", kills, a.Batch, firstDifference(got, want))
		}
	}
	t.Logf("%d kills in %d runs", points, survived)
}

// TestKilledInHeavyBatches does the same with batches as large as they are in use.
func TestKilledInHeavyBatches(t *testing.T) {
	home := t.TempDir()
	if _, err := corpus.Generate(home, corpus.Options{MB: 8, Sessions: 30, Seed: 5}); err != nil {
		t.Fatal(err)
	}
	want := ingest(t, home, pipeline.Config{})
	points := scale(12, 2)
	a := childArgs{Role: "ingest", Home: home, Data: t.TempDir(), KillFor: 200 * time.Millisecond}
	for range points {
		a.KillAt = 1 + rand.IntN(1500)
		if killed, _ := a.run(t); !killed {
			break
		}
	}
	a.KillAt = 0
	a.run(t)
	if got := stored(t, a.Data, home); got != want {
		t.Error(firstDifference(got, want))
	}
}

// stored returns what the store in a data directory knows.
func stored(t *testing.T, data, home string) string {
	t.Helper()
	db, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	return dump(t, db, home)
}
