// Package opencode reads OpenCode's SQLite database: a record is a message with all its parts, as the tables message and
// part have it now. The table event, a log of every change, is only the cursor: it says which messages changed since.
// Where it was pruned, or a version writes none, times of change say so. README.md says which table says what.
//
// It refuses to touch what holds secrets (account, control_account, credential, session_share): the queries name every
// table that is read, and a test looks at them. It writes nothing and leaves nothing beside the database.
package opencode

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
)

// agent is the name before the colon of every session id.
const agent collector.Agent = "opencode"

// The streams, by what their ids begin with.
const (
	idLog       = "opencode/log/"
	idDirectory = "opencode/directory/"
)

// Source reads OpenCode's databases.
type Source struct {
	host collector.Host

	mu   sync.Mutex   // guards pids
	pids map[int]look // running processes, as last looked at
}

var _ collector.Source = (*Source)(nil)

// New returns the source for the data directories that the host's environment names, and the default one.
func New(h collector.Host) *Source { return &Source{host: h} }

// Agent returns "opencode".
func (*Source) Agent() collector.Agent { return agent }

// Read yields the messages that are new or changed since cp; of a stream that names a session, the session's messages
// from the place cp.Offset on.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	if !strings.HasPrefix(string(st.ID), idLog) || s.host.Tables == nil {
		return func(func(collector.Record, error) bool) {} // a directory holds no records
	}
	return func(yield func(collector.Record, error) bool) {
		r := reader{ctx: ctx, tables: s.host.Tables, stream: st, cp: cp, yield: yield}
		r.run()
	}
}

// Decode says what one record said.
func (s *Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	if !strings.HasPrefix(string(st.ID), idLog) {
		return dst, nil
	}
	return decodeRecord(dst, r), nil
}
