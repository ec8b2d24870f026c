package antigravity

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// conversations selects the index of conversations, as version 1.2.17 has it. Its rows are few and small, and are rewritten in place.
const conversations = "SELECT 'conversation' AS source, conversation_id, title, workspace_uris, agent_name, parent_conversation_id " +
	"FROM conversation_summaries ORDER BY conversation_id LIMIT 100000"

// readIndex yields all rows of the index whenever it changed.
func (s *Source) readIndex(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return s.readTable(st, cp, func(t *table) error {
		_, err := t.rows(ctx, conversations)
		return err
	})
}

// decodeIndex takes a conversation's title, where it works, and, of a sub-agent's, whose it is.
func decodeIndex(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		own := jsonl.Str(v, "conversation_id")
		if own == "" {
			dst = append(dst, collector.Event{Kind: collector.EventUnknown, Name: "row of the index"})
			return
		}
		f := &collector.Facts{Title: jsonl.Str(v, "title"), TitleRank: collector.TitleAuto, Cwd: firstDirectory(jsonl.Str(v, "workspace_uris"))}
		if parent := jsonl.Str(v, "parent_conversation_id"); parent != "" && parent != own {
			f.Parent, f.Role = collector.NewSessionID(agent, parent), jsonl.Str(v, "agent_name")
		}
		dst = append(dst, collector.Event{Kind: collector.EventFacts, Session: collector.NewSessionID(agent, own), Facts: f})
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}

// firstDirectory takes a URI or a JSON list of them.
func firstDirectory(uris string) string {
	dir := directoryOf(uris)
	if v, err := fastjson.Parse(uris); dir == "" && err == nil {
		dir = directoryOf(jsonl.Str(v, "0"))
	}
	return dir
}

// decodeHistory takes a line of the list of prompts: it says where a conversation's prompts were typed. Older versions
// do not name the conversation; nothing follows from those.
func decodeHistory(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		own := cmp.Or(jsonl.Str(v, "conversationId"), jsonl.Str(v, "conversation_id"))
		dir := jsonl.Str(v, "workspace")
		if d := directoryOf(dir); d != "" {
			dir = d
		}
		if own != "" && dir != "" {
			dst = append(dst, collector.Event{Kind: collector.EventFacts, Session: collector.NewSessionID(agent, own), Facts: &collector.Facts{Cwd: dir}})
		}
	})
	return jsonl.Malformed(dst, bad, r.TextLimit)
}

// readEncrypted yields one record that stands for an encrypted conversation, once, without opening its file.
func readEncrypted(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		now := st
		if err := cmp.Or(ctx.Err(), follow.Fill(&now)); err != nil {
			yield(collector.Record{}, fmt.Errorf("read: %w", err))
			return
		}
		if cp.Offset == 0 {
			cp.Offset = max(now.Size, 1)
			if !yield(collector.Record{Ref: collector.Ref{Length: now.Size}}, nil) {
				return
			}
		}
		cp.Size, cp.ModTime, cp.Inode = now.Size, now.ModTime, now.Inode
	}
}
