package gemini

import (
	"context"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
)

// Live yields nothing yet.
func (s *Source) Live(context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(func(collector.LiveSession, error) bool) {}
}
