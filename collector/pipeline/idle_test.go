//go:build linux

package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// use is what a process used so far.
type use struct {
	read, written int64 // bytes, by any system call
	cpu           time.Duration
}

var ioLine = regexp.MustCompile(`(?m)^(rchar|wchar): (\d+)$`)

func used() (u use, err error) {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return u, err
	}
	for _, m := range ioLine.FindAllSubmatch(b, -1) {
		n, err := strconv.ParseInt(string(m[2]), 10, 64)
		if err != nil {
			return u, err
		}
		if string(m[1]) == "rchar" {
			u.read = n
		} else {
			u.written = n
		}
	}
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return u, err
	}
	u.cpu = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	return u, nil
}

// childIdle measures a pipeline that has nothing to do, and prints what it did all the same.
func childIdle(a childArgs) error {
	cfg := pipeline.Config{LiveEvery: 500 * time.Millisecond}
	return childRun(a, cfg, sources.All(host(a.Home)), func(db *sqlite.DB, _ *pipeline.Pipeline, _ *watcher) error {
		const span = 2 * time.Second
		rev, err := db.Revision(context.Background())
		if err != nil {
			return err
		}
		settle := time.NewTimer(span / 4) // events of what the test itself wrote just before
		<-settle.C
		own, err := used()
		if err != nil {
			return err
		}
		again, err := used() // measuring reads too
		if err != nil {
			return err
		}
		overhead := again.read - own.read
		settle.Reset(span)
		<-settle.C
		now, err := used()
		if err != nil {
			return err
		}
		// Go's scheduler wakes itself through an eventfd, 8 bytes each way.
		const scheduler = 512
		if n := now.read - again.read - overhead; n > scheduler {
			fmt.Printf("%d bytes were read while idle\n", n)
		}
		if n := now.written - again.written; n > scheduler {
			fmt.Printf("%d bytes were written while idle\n", n)
		}
		if cpu := now.cpu - again.cpu; cpu > span/20 && !slow {
			fmt.Printf("%v of CPU were used in %v while idle\n", cpu, span)
		}
		if r, err := db.Revision(context.Background()); err != nil || r != rev {
			fmt.Printf("revision %d became %d while idle (%v)\n", rev, r, err)
		}
		return nil
	})
}

func init() { roles["idle"] = childIdle }

// TestIdleReadsAndWritesNothing: once history is in, nothing is read or written, however many logs there are.
func TestIdleReadsAndWritesNothing(t *testing.T) {
	home := demoHome(t)
	for i := range 300 {
		own := fmt.Sprintf("55555555-0000-4000-8000-%012d", i)
		must(t, homes.Write(homes.Transcript(home, own), homes.Lines(own, own, 1, i)...))
	}
	a := childArgs{Role: "idle", Home: home, Data: t.TempDir()}
	if _, out := a.run(t); out != "" {
		t.Error(out)
	}
}
