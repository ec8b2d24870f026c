// Command measure runs the built daemon on synthetic homes and compares it with its goals: as ratios to a peer that ran in
// turn with it, where there is one. It is a development tool and no part of the product.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// bench is one run of the tool.
type bench struct {
	bin    string // the daemon
	peer   string // the peer's program; "" = none
	cache  string // generated homes are kept here
	mb     int
	rounds int
	idle   time.Duration
	only   string
	rows   []row
}

func main() {
	b := &bench{}
	flag.StringVar(&b.bin, "bin", "bin/turnwatch", "the daemon to measure")
	flag.StringVar(&b.peer, "peer", "", "the peer's program (.ci/bench installs it)")
	flag.StringVar(&b.cache, "cache", ".cache/measure", "where generated homes are kept")
	flag.IntVar(&b.mb, "mb", 920, "size of the corpus, in MB; 100 for a quick look")
	flag.IntVar(&b.rounds, "rounds", 3, "rounds of cold index and peer, in turn")
	flag.DurationVar(&b.idle, "idle", time.Minute, "how long to watch it idle")
	flag.StringVar(&b.only, "only", "", "comma-separated: cold, live, turns, flat (default: all)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context) error {
	bin, err := filepath.Abs(b.bin)
	if err != nil {
		return err
	}
	b.bin = bin
	if b.cache, err = filepath.Abs(b.cache); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"cold", b.cold}, {"live", b.live}, {"turns", b.turns}, {"flat", b.flat}} {
		if b.only != "" && !strings.Contains(","+b.only+",", ","+part.name+",") {
			continue
		}
		step("%s", part.name)
		if err := part.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	fmt.Printf("\n%s\n\n%s", machine(), table(b.rows))
	return nil
}

// work returns a fresh directory that the returned function removes.
func (b *bench) work() (string, func(), error) {
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp(b.cache, "run-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

func step(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  "+format+"\n", append([]any{time.Now().Format("15:04:05")}, args...)...)
}
