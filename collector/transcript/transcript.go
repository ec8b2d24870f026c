// Package transcript reads whole texts from the agents' own logs, on demand: the store keeps previews and where the rest
// stands. It decodes the records again and folds them again, so a text is found by the same rules as its preview.
package transcript

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// Store is what a Reader asks the store.
type Store interface {
	Index
	Log(ctx context.Context, id collector.SessionID) (collector.SessionID, sqlite.StoredStream, error)
	Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error)
	Call(ctx context.Context, id collector.SessionID, seq int) (*collector.ToolCall, error)
	Turns(ctx context.Context, id collector.SessionID, q collector.TurnQuery) (collector.TurnPage, error)
}

// Reader reads texts. Its methods may be called from any goroutine.
type Reader struct {
	store   Store
	sources map[collector.Agent]collector.Source
}

// New returns a reader of the sources' logs.
func New(store Store, sources []collector.Source) *Reader {
	r := &Reader{store: store, sources: map[collector.Agent]collector.Source{}}
	for _, s := range sources {
		r.sources[s.Agent()] = s
	}
	return r
}

// Turn returns a turn with whole texts.
func (r *Reader) Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error) {
	t, err := r.store.Turn(ctx, id, index)
	if err != nil {
		return nil, err
	}
	l, err := r.log(ctx, id)
	if err != nil {
		return nil, err
	}
	f := fold.NewFull(l.session)
	if _, err := l.fold(ctx, f, t.Ref, t.EndOffset, 0); err != nil {
		return nil, err
	}
	w := wholeTexts(f)
	w.fill(t)
	return t, nil
}

// Call returns a tool call with its whole arguments and result.
func (r *Reader) Call(ctx context.Context, id collector.SessionID, seq int) (*collector.ToolCall, error) {
	c, err := r.store.Call(ctx, id, seq)
	if err != nil {
		return nil, err
	}
	l, err := r.log(ctx, id)
	if err != nil {
		return nil, err
	}
	f := fold.NewFull(l.session)
	for _, ref := range []collector.Ref{c.Ref, c.Result.Ref} {
		if ref.Length == 0 {
			continue
		}
		if _, err := l.fold(ctx, f, ref, ref.Offset+1, 0); err != nil {
			return nil, err
		}
	}
	for _, t := range f.Turns() {
		for _, k := range t.ToolCalls {
			if k.Key == c.Key {
				fillCall(c, k)
			}
		}
	}
	return c, nil
}

// Messages returns the prompts and responses of limit turns from the turn with index from; limit 0 = all.
func (r *Reader) Messages(ctx context.Context, id collector.SessionID, from, limit int) ([]collector.MessageText, error) {
	page, err := r.store.Turns(ctx, id, collector.TurnQuery{From: from, Limit: limit})
	if err != nil || len(page.Turns) == 0 {
		return nil, err
	}
	l, err := r.log(ctx, id)
	if err != nil {
		return nil, err
	}
	var end int64
	for _, t := range page.Turns {
		end = max(end, t.EndOffset)
	}
	f := fold.NewFull(l.session)
	if _, err := l.fold(ctx, f, page.Turns[0].Ref, end, 0); err != nil {
		return nil, err
	}
	w := wholeTexts(f)
	var all []collector.MessageText
	for _, row := range page.Turns {
		t, err := r.store.Turn(ctx, id, row.Index)
		if err != nil {
			return nil, err
		}
		w.fill(t)
		all = append(all, messages(t)...)
	}
	return all, nil
}

func messages(t *collector.Turn) []collector.MessageText {
	var all []collector.MessageText
	if t.Prompt.Bytes > 0 {
		all = append(all, collector.MessageText{
			Turn: t.Index, Role: collector.RoleUser, Text: t.Prompt.Preview, At: t.StartedAt, Ref: t.Prompt.Ref,
		})
	}
	for _, r := range t.RoundTrips {
		if r.Text.Bytes == 0 && r.Thinking.Bytes == 0 {
			continue
		}
		seq := r.Seq
		all = append(all, collector.MessageText{
			Turn: t.Index, RoundTrip: &seq, Role: collector.RoleAssistant, Text: r.Text.Preview, Thinking: r.Thinking.Preview,
			At: r.EndedAt, Model: r.Model, Ref: r.Ref,
		})
	}
	return all
}

// Raw returns the whole lines that overlap length bytes at offset; length 0 = one line.
func (r *Reader) Raw(ctx context.Context, id collector.SessionID, offset, length int64) (collector.RawLog, error) {
	l, err := r.log(ctx, id)
	if err != nil {
		return collector.RawLog{}, err
	}
	raw := collector.RawLog{Path: l.stream.Path, Offset: offset}
	var text strings.Builder
	for rec, err := range l.records(ctx, collector.Ref{Offset: offset}, offset+max(length, 1)) {
		if err != nil {
			return raw, fmt.Errorf("read %s: %w", l.stream.Path, err)
		}
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.Write(rec.Data)
		raw.Length = rec.Offset + rec.Length - offset
		if text.Len() > maxRaw {
			break
		}
	}
	raw.Text = text.String()
	return raw, nil
}

// maxRaw bounds one answer of Raw; a longer line is still given whole.
const maxRaw = 1 << 20
