package gemini

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// isDocument reports whether a session lies in one document, as versions before the log of lines wrote it.
func isDocument(path string) bool { return strings.HasSuffix(path, ".json") }

// readDocument reads a session that is rewritten as a whole with every message: any change replaces it.
func readDocument(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		if cp.Offset == 0 {
			follow.Document(ctx, st, cp)(yield)
			return
		}
		if err := follow.Fill(&st); err != nil {
			yield(collector.Record{}, err)
			return
		}
		if cp.Unchanged(st) {
			return
		}
		now := *cp
		changed := false
		for _, err := range follow.Document(ctx, st, &now) {
			if err != nil && !errors.Is(err, context.Canceled) {
				yield(collector.Record{}, err)
				return
			}
			changed = err == nil
		}
		if changed {
			yield(collector.Record{}, collector.ErrReplaced)
			return
		}
		*cp = now
	}
}
