// Package grok reads the sessions of xAI's Grok Build CLI: updates.jsonl, the stream of what happened, and beside it
// events.jsonl (outcome and duration of each call), summary.json (title, place) and signals.json (the context window).
// README.md says which file says what, and on what evidence.
//
// It refuses to conclude: which calls a compaction or a kill left without an answer, and what a turn is, decides package
// fold. It never reads chat_history.jsonl, which is rewritten, nor the agent's search index.
package grok

import (
	"context"
	"iter"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// agent is the name before the colon of every session id.
const agent collector.Agent = "grok"

// The streams, by what their ids begin with.
const (
	idLog       = "grok/log/"
	idDirectory = "grok/directory/"
	idEvents    = "grok/facts/events/"
	idSummary   = "grok/facts/summary/"
	idSignals   = "grok/facts/signals/"
	idMeta      = "grok/facts/meta/"
)

// Source reads the sessions of one user.
type Source struct {
	host  collector.Host
	known known
}

var _ collector.Source = (*Source)(nil)

// New returns the source for the homes that the host's environment names, and the default one. It reads nothing yet.
func New(h collector.Host) *Source { return &Source{host: h} }

// Agent returns "grok".
func (*Source) Agent() collector.Agent { return agent }

// Read yields the logs line by line, and the documents as a whole.
func (*Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog), strings.HasPrefix(id, idEvents):
		return follow.Lines(ctx, st, cp)
	case strings.HasPrefix(id, idSummary), strings.HasPrefix(id, idSignals), strings.HasPrefix(id, idMeta):
		return follow.Document(ctx, st, cp)
	}
	return func(func(collector.Record, error) bool) {} // a directory holds no records
}

// Decode says what one record said.
func (*Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	d := decoder{dst: dst, stream: st, limit: r.TextLimit}
	if r.Data == nil {
		d.malformed("line too long")
		return d.dst, nil
	}
	read := d.update
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idEvents):
		read = d.lifecycle
	case strings.HasPrefix(id, idSummary):
		read = d.summary
	case strings.HasPrefix(id, idSignals):
		read = d.signals
	case strings.HasPrefix(id, idMeta):
		read = d.meta
	}
	for _, why := range jsonl.Each(r.Data, read) {
		d.malformed(why)
	}
	return d.dst, nil
}
