//go:build linux

package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
)

// childArgs is what a child process is told, by its environment.
type childArgs struct {
	Role    string
	Home    string
	Data    string
	Batch   int
	KillAt  int // kills itself shortly after so many records; 0 = never
	KillFor time.Duration
	Limit   uint64 // of a resource that the role limits
}

// command returns the test binary as a child process.
func (a childArgs) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Env = append(os.Environ(),
		childVar+"="+a.Role, "CHILD_HOME="+a.Home, "CHILD_DATA="+a.Data, "CHILD_BATCH="+strconv.Itoa(a.Batch),
		"CHILD_KILL_AT="+strconv.Itoa(a.KillAt), "CHILD_KILL_FOR="+a.KillFor.String(), "CHILD_LIMIT="+strconv.FormatUint(a.Limit, 10))
	return cmd
}

// run runs the child to its end and reports whether it was killed; any other failure ends the test.
func (a childArgs) run(t *testing.T) (killed bool, out string) {
	t.Helper()
	var b bytes.Buffer
	cmd := a.command(t.Context())
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL {
		return true, b.String()
	}
	if err != nil {
		t.Fatalf("child: %v\n%s", err, b.String())
	}
	return false, b.String()
}

// roles are the things that child processes do.
var roles = map[string]func(childArgs) error{}

func init() {
	child = childMain
	roles["ingest"] = childIngest
}

func childMain(role string) int {
	var a childArgs
	a.Role, a.Home, a.Data = role, os.Getenv("CHILD_HOME"), os.Getenv("CHILD_DATA")
	var err error
	if a.Batch, err = strconv.Atoi(os.Getenv("CHILD_BATCH")); err == nil {
		a.KillAt, err = strconv.Atoi(os.Getenv("CHILD_KILL_AT"))
	}
	if err == nil {
		a.KillFor, err = time.ParseDuration(os.Getenv("CHILD_KILL_FOR"))
	}
	if err == nil {
		a.Limit, err = strconv.ParseUint(os.Getenv("CHILD_LIMIT"), 10, 64)
	}
	if err == nil {
		err = roles[role](a)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// childStart starts a pipeline over the child's home; stop ends it and closes its store.
func childStart(a childArgs, cfg pipeline.Config, all []collector.Source) (db *sqlite.DB, p *pipeline.Pipeline, w *watcher, stop func() error, err error) {
	if db, err = sqlite.Open(context.Background(), a.Data); err != nil {
		return nil, nil, nil, nil, err
	}
	w = newWatcher()
	p = pipeline.New(cfg, pipeline.Deps{
		Sources: all, Store: db, Publisher: w, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Judges: fold.Judges{Analyzers: analyzers.All(analyzers.Config{})},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	return db, p, w, func() error {
		cancel()
		return errors.Join(<-done, db.Close())
	}, nil
}

// childRun runs a pipeline over the child's home, and fn when history is in.
func childRun(a childArgs, cfg pipeline.Config, all []collector.Source, fn func(*sqlite.DB, *pipeline.Pipeline, *watcher) error) error {
	db, p, w, stop, err := childStart(a, cfg, all)
	if err != nil {
		return err
	}
	for !w.has(ready) {
		<-w.news
	}
	return errors.Join(fn(db, p, w), stop())
}

// childIngest reads a home until its history is in, and may kill itself on the way.
func childIngest(a childArgs) error {
	all := sources.All(host(a.Home))
	if a.KillAt > 0 {
		var records atomic.Int64
		for i := range all {
			all[i] = suicidal{all[i], a, &records}
		}
	}
	return childRun(a, pipeline.Config{BatchRecords: a.Batch}, all, func(*sqlite.DB, *pipeline.Pipeline, *watcher) error { return nil })
}

// suicidal is a source that kills the process a random moment after a number of records.
type suicidal struct {
	collector.Source
	args    childArgs
	records *atomic.Int64
}

func (s suicidal) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		for r, err := range s.Source.Read(ctx, st, cp) {
			if s.records.Add(1) == int64(s.args.KillAt) {
				time.AfterFunc(rand.N(s.args.KillFor), func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) })
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
