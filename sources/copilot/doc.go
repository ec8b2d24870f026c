// Package copilot reads GitHub Copilot CLI: session-state/<id>/events.jsonl first of all, and beside it workspace.yaml
// (title), session-store.db (usage per call, from 1.0.70) and the process logs (usage per call, old versions of staff).
// README.md says which file says what, and on what evidence.
//
// It refuses to conclude: whether a call was lost, whether a total is a segment's or the session's, which turn a late
// record belongs to, all that is fold's.
package copilot

import (
	"context"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// agent is the name before the colon of every session id.
const agent collector.Agent = "copilot"

// The streams, by what their ids begin with.
const (
	idLog       = "copilot/log/"
	idDirectory = "copilot/directory/"
	idWorkspace = "copilot/facts/workspace/"
	idProcess   = "copilot/facts/process/"
	idStore     = "copilot/facts/store/"
)

// Source reads Copilot CLI's files.
type Source struct {
	host collector.Host

	mu      sync.Mutex         // of what Live remembers
	seen    map[string]lockDir // by session directory: what was found there
	logs    map[string]logHead // by process log: the sessions that it opened
	pids    map[int]look       // running processes
	swept   time.Time          // when the session directories were looked at
	holding bool               // whether any session was held then
}

var _ collector.Source = (*Source)(nil)

// New returns the source for the homes that the host's environment names, and the default one.
func New(h collector.Host) *Source {
	return &Source{host: h, seen: map[string]lockDir{}, logs: map[string]logHead{}}
}

// Agent returns "copilot".
func (*Source) Agent() collector.Agent { return agent }

// Read yields a log line by line, workspace.yaml as a whole, a table row by row, and of a process log its telemetry.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog):
		return follow.Lines(ctx, st, cp)
	case strings.HasPrefix(id, idWorkspace):
		return follow.Document(ctx, st, cp)
	case strings.HasPrefix(id, idProcess):
		return readProcessLog(ctx, st, cp)
	case strings.HasPrefix(id, idStore):
		return s.readStore(ctx, st, cp)
	}
	return func(func(collector.Record, error) bool) {} // a directory holds no records
}

// Decode says what one record said.
func (s *Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog):
		return decodeLine(dst, st, r), nil
	case strings.HasPrefix(id, idWorkspace):
		return decodeWorkspace(dst, r), nil
	case strings.HasPrefix(id, idProcess):
		return decodeTelemetry(dst, r), nil
	case strings.HasPrefix(id, idStore):
		return decodeRow(dst, r), nil
	}
	return dst, nil
}
