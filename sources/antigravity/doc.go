// Package antigravity reads Antigravity, the command line agent (agy) and the editor: the transcript that each
// conversation has below brain/, and beside it the conversation's own database (usage, window, place), the index of
// conversations (titles, sub-agents) and the list of prompts (place). README.md says which file says what, and on what
// evidence: all of it is other people's.
//
// It refuses the encrypted conversations of old versions (they are counted), and to guess: a token class that a record
// does not state stays unknown.
package antigravity

import (
	"context"
	"iter"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// agent is the name before the colon of every session id.
const agent collector.Agent = "antigravity"

// The streams, by what their ids begin with.
const (
	idLog          = "antigravity/log/"
	idDirectory    = "antigravity/directory/"
	idConversation = "antigravity/facts/conversation/"
	idEncrypted    = "antigravity/facts/encrypted/"
	idIndex        = "antigravity/facts/index/"
	idHistory      = "antigravity/facts/history/"
)

// Source reads Antigravity's files.
type Source struct {
	host collector.Host
}

var _ collector.Unverified = (*Source)(nil)

// New returns the source for the homes of the command line agent and the editor.
func New(h collector.Host) *Source { return &Source{host: h} }

// Agent returns "antigravity".
func (*Source) Agent() collector.Agent { return agent }

// Unverified says what the source rests on.
func (*Source) Unverified() string {
	return "Made after published transcripts of agy 1.2.17 and other people's parsers; databases after their field maps."
}

// Read yields a transcript line by line, a database row by row.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog), strings.HasPrefix(id, idHistory):
		return follow.Lines(ctx, st, cp)
	case strings.HasPrefix(id, idConversation):
		return s.readConversation(ctx, st, cp)
	case strings.HasPrefix(id, idIndex):
		return s.readIndex(ctx, st, cp)
	case strings.HasPrefix(id, idEncrypted):
		return readEncrypted(ctx, st, cp)
	}
	return func(func(collector.Record, error) bool) {} // a directory holds no records
}

// Decode says what one record said.
func (*Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	switch id := string(st.ID); {
	case strings.HasPrefix(id, idLog):
		return decodeLine(dst, st, r), nil
	case strings.HasPrefix(id, idHistory):
		return decodeHistory(dst, r), nil
	case strings.HasPrefix(id, idConversation):
		return decodeConversation(dst, r), nil
	case strings.HasPrefix(id, idIndex):
		return decodeIndex(dst, r), nil
	case strings.HasPrefix(id, idEncrypted):
		return append(dst, collector.Event{Kind: collector.EventUnknown, Name: "encrypted conversation"}), nil
	}
	return dst, nil
}
