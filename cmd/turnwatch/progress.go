package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// While a history is read, garbage collection is given more room; what it saves in time was measured at a sixth.
const (
	readingGC    = 200
	readingLimit = 74 << 20 // bytes, so that the peak stays under 128 MB
)

// tellProgress tells on the terminal how reading the history goes, until it is in.
func tellProgress(ctx context.Context, pipe interface{ Ingest() collector.Ingest }) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	st, err := os.Stderr.Stat()
	terminal := err == nil && st.Mode()&os.ModeCharDevice != 0
	start := time.Now()
	gc := debug.SetGCPercent(readingGC)
	limit := debug.SetMemoryLimit(readingLimit)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		p := pipe.Ingest().Progress
		if p.Ready {
			debug.SetGCPercent(gc)
			debug.SetMemoryLimit(limit)
			debug.FreeOSMemory()
			if terminal {
				fmt.Fprint(os.Stderr, "\r\033[K")
			}
			fmt.Printf("  history   %d logs, %s, in %s\n", p.StreamsTotal, screen.Size(p.BytesTotal), time.Since(start).Round(100*time.Millisecond))
			return nil
		}
		if terminal && p.StreamsTotal > 0 {
			fmt.Fprintf(os.Stderr, "\r\033[K  history   %d of %d logs, %s of %s, %d s left", p.Streams, p.StreamsTotal, screen.Size(p.Bytes), screen.Size(p.BytesTotal), p.EtaMs.Value/1000)
		}
	}
}
