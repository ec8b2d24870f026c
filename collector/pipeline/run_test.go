package pipeline_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
)

// options say how a pipeline runs in a test. Zero fields take what is usual.
type options struct {
	home, data string
	cfg        pipeline.Config
	host       *collector.Host
	wrap       func(collector.Source) collector.Source
	observe    func(*collector.Commit)
	stopped    func(stop func()) // is handed the function that ends the run
}

// running is a pipeline that runs.
type running struct {
	*watcher
	t    testing.TB
	home string
	db   *sqlite.DB
	p    *pipeline.Pipeline
	stop func()
}

func run(t testing.TB, o options) *running {
	t.Helper()
	if o.data == "" {
		o.data = t.TempDir()
	}
	h := host(o.home)
	if o.host != nil {
		h = *o.host
	}
	db, err := sqlite.Open(t.Context(), o.data)
	if err != nil {
		t.Fatal(err)
	}
	all := sources.All(h)
	if o.wrap != nil {
		for i := range all {
			all[i] = o.wrap(all[i])
		}
	}
	o.cfg.SweepEvery = cmp.Or(o.cfg.SweepEvery, time.Hour) // what the watch does not tell of is not found by waiting
	r := &running{watcher: newWatcher(), t: t, home: o.home, db: db}
	r.p = pipeline.New(o.cfg, pipeline.Deps{
		Sources: all, Store: db, Publisher: r.watcher, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Judges: fold.Judges{Analyzers: analyzers.All(analyzers.Config{})}, Observe: o.observe,
	})
	ctx, cancel := context.WithCancel(context.Background())
	if o.stopped != nil {
		o.stopped(cancel)
	}
	done := make(chan error, 1)
	go func() { done <- r.p.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		r.stop()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// ready waits until history is in.
func (r *running) ready() *running {
	r.t.Helper()
	r.wait(r.t, "ready", ready)
	return r
}

func (r *running) dump() string { return dump(r.t, r.db, r.home) }

// patience is how long a test waits: loaded machines are slow.
const patience = 3 * time.Minute

// until waits until ok holds, looking again after every message and now and then; what says why it does not.
func (r *running) until(what string, ok func() (bool, string)) {
	r.t.Helper()
	deadline := time.Now().Add(patience)
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		good, why := ok()
		if good {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("%s: %s; warnings: %v", what, why, r.p.Ingest().Warnings)
		}
		select {
		case <-r.news:
		case <-again.C:
		}
	}
}

// equals waits until the store knows what a fresh one learns from the same home.
func (r *running) equals(what string) {
	r.t.Helper()
	want := ingest(r.t, r.home, pipeline.Config{})
	r.until(what, func() (bool, string) {
		got := r.dump()
		return got == want, firstDifference(got, want)
	})
}

// session waits until the session is as ok wants it.
func (r *running) session(id string, what string, ok func(*collector.Session) bool) {
	r.t.Helper()
	r.until(what, func() (bool, string) {
		s, err := r.db.Session(r.t.Context(), collector.SessionID(id))
		if err != nil {
			return false, err.Error()
		}
		return ok(s), "state " + string(s.State) + fmt.Sprintf(", gone %t, path %s", s.Gone, s.Path)
	})
}

// warned waits for a warning of that code.
func (r *running) warned(code string) collector.Warning {
	r.t.Helper()
	return r.warnedAt(code, "")
}

// warnedAt waits for a warning about path, or about any if that is "".
func (r *running) warnedAt(code, path string) (found collector.Warning) {
	r.t.Helper()
	r.until("warning "+code+" "+path, func() (bool, string) {
		all := r.p.Ingest().Warnings
		for _, w := range all {
			if w.Code == code && (path == "" || w.Path == path) && w.Message != "" {
				found = w
				return true, ""
			}
		}
		return false, fmt.Sprintf("%+v", all)
	})
	return found
}

// scale returns how often to do what may be done more or less often.
func scale(full, short int) int {
	if testing.Short() || slow {
		return short
	}
	return full
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}
