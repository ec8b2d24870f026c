package codex

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// Agent is the agent's name in session ids.
const Agent collector.Agent = "codex"

// Source reads the threads of one user.
type Source struct {
	host  collector.Host
	heads heads
}

var _ collector.Source = (*Source)(nil)

// New returns a source that looks at host. It reads nothing yet.
func New(host collector.Host) *Source { return &Source{host: host} }

// Agent returns the agent's name.
func (s *Source) Agent() collector.Agent { return Agent }

// Read yields the records of a rollout or of the index of names.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	if st.Kind == collector.StreamLog && strings.HasSuffix(st.Path, ".json") {
		return readDocument(ctx, st, cp)
	}
	return follow.Lines(ctx, st, cp)
}

// readDocument reads a rollout of the first generation, which was rewritten as a whole: any change replaces it.
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

// sessionOf returns the id of the session that a thread is if no other thread spawned it.
func sessionOf(thread string) collector.SessionID { return collector.NewSessionID(Agent, thread) }
