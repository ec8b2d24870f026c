// Package muse reads Muse Code: the event log of each session, session.jsonl, those of its sub-agents below it, and the
// index of sessions beside them (titles, places). README.md says what each record says, and on what evidence: all of it
// is other people's.
//
// It refuses what other streams wrote into a session's log (runs of sub-agents in old versions, tasks): each has a log of
// its own, or says again what the run's own records say.
package muse

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
)

// agent is the name before the colon of every session id.
const agent collector.Agent = "muse"

// The streams, by what their ids begin with.
const (
	idLog       = "muse/log/"
	idDirectory = "muse/directory/"
	idIndex     = "muse/facts/index/"
)

// Source reads Muse Code's files.
type Source struct {
	host collector.Host

	mu   sync.Mutex
	last map[collector.StreamID]position // where reading a log stopped, and at which number
}

var _ collector.Unverified = (*Source)(nil)

// New returns the source for the host's data directories.
func New(h collector.Host) *Source {
	return &Source{host: h, last: map[collector.StreamID]position{}}
}

// Agent returns "muse".
func (*Source) Agent() collector.Agent { return agent }

// Unverified says what the source rests on.
func (*Source) Unverified() string {
	return "Made after published notes on the logs of Muse Code 0.1.0 and 1.4.2 and other people's parsers."
}

// Read yields a log line by line, and the index row by row.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog):
		return s.readLog(ctx, st, cp)
	case strings.HasPrefix(id, idIndex):
		return s.readIndex(ctx, st, cp)
	}
	return func(func(collector.Record, error) bool) {} // a directory holds no records
}

// Decode says what one record said.
func (*Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog):
		return decodeLine(dst, st, r), nil
	case strings.HasPrefix(id, idIndex):
		return decodeIndex(dst, r), nil
	}
	return dst, nil
}
