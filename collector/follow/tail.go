package follow

import (
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"github.com/nxadm/tail"
	"github.com/nxadm/tail/util"
	"github.com/turnwatch/turnwatch/collector"
)

// Tail follows the plain-text log s, whose process lives, and sends whenever it may have grown: once at the start, then
// after every batch of complete lines. Signals that nobody takes are coalesced. The channel is closed when ctx ends,
// or at once if there is no such file.
//
// The lines themselves still come from Lines and a checkpoint. nxadm/tail only wakes, because measured against these logs it
// loses or doubles lines when a file is replaced or rewritten in place, and its Tell is no bookmark; as a signal it may do
// all that without harm. It costs three goroutines and a descriptor, so it is for live process logs, of which there
// are as many as agents run, and never for history.
func Tail(ctx context.Context, s collector.Stream, logger *slog.Logger) <-chan struct{} {
	wake := make(chan struct{}, 1)
	// The size is taken before the first signal: what is appended after that comes as lines.
	fi, err := os.Stat(s.Path)
	if err != nil || !fi.Mode().IsRegular() || ctx.Err() != nil {
		close(wake)
		return wake
	}
	survive(logger)
	t, err := tail.TailFile(s.Path, tail.Config{
		Follow:        true,
		ReOpen:        true,
		CompleteLines: true, // without it half lines are sent, and what was written meanwhile is skipped
		Poll:          true, // its inotify mode goes silent when a path is tailed twice, and exits when inotify's limits are reached
		MustExist:     true,
		Location:      &tail.SeekInfo{Offset: fi.Size(), Whence: io.SeekStart},
		Logger:        tail.DiscardingLogger,
	})
	if err != nil {
		logger.Debug("log is not tailed", "stream", s.ID, "err", err)
		close(wake)
		return wake
	}
	wake <- struct{}{}
	go func() {
		defer close(wake)
		stop := context.AfterFunc(ctx, func() { t.Kill(nil) })
		defer stop()
		for range t.Lines {
			select {
			case wake <- struct{}{}:
			default:
			}
		}
		if err := t.Wait(); err != nil && ctx.Err() == nil {
			logger.Debug("tailing ended", "stream", s.ID, "err", err)
		}
	}()
	return wake
}

// survive keeps nxadm/tail from ending the process: when its poller cannot stat a file for another reason than that
// it is gone (a parent directory lost its permissions, a network mount), it logs and calls os.Exit. The log's writer ends
// that goroutine instead. Its tail is silent from then on, and the slow sweep sees the stream grow.
var survive = func() func(*slog.Logger) {
	var once sync.Once
	return func(logger *slog.Logger) { once.Do(func() { util.LOGGER.SetOutput(lastWords{logger}) }) }
}()

type lastWords struct{ log *slog.Logger }

// Write does not return.
func (w lastWords) Write([]byte) (int, error) {
	w.log.Warn("a log is no longer tailed because its file cannot be looked at")
	runtime.Goexit()
	return 0, nil
}
