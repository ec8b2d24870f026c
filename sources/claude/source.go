package claude

import (
	"context"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

const agent collector.Agent = "claude"

// Source reads Claude Code's files. The zero value is of no use; see New.
type Source struct {
	host collector.Host
}

var _ collector.Source = (*Source)(nil)

// New returns a source that looks for sessions on h. It does no I/O.
func New(h collector.Host) *Source { return &Source{host: h} }

// Agent returns "claude".
func (s *Source) Agent() collector.Agent { return agent }

// Read yields the lines of a transcript, or a small document as a whole.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch st.Kind {
	case collector.StreamLog:
		return follow.Lines(ctx, st, cp)
	case collector.StreamFacts:
		return follow.Document(ctx, st, cp)
	}
	return func(func(collector.Record, error) bool) {}
}
