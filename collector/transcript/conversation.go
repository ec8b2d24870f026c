package transcript

import (
	"context"
	"errors"
	"io/fs"
	"math"

	"github.com/turnwatch/turnwatch/collector"
)

// Index is the sparse index of a log's lines: where turns and responses begin.
type Index interface {
	// Places returns where the n last turns and responses that begin before the line begin; line 0 = the log's end.
	Places(ctx context.Context, id collector.SessionID, line int64, n int) ([]collector.Ref, error)
	// TurnStarts returns where the turns begin that the lines from to to belong to; to 0 = the log's end.
	TurnStarts(ctx context.Context, id collector.SessionID, from, to int64) ([]collector.TurnStart, error)
	// Messages returns how many prompts and responses there are.
	Messages(ctx context.Context, id collector.SessionID) (int, error)
}

// Conversation returns a page of a session's messages. It reads the log itself, so it also knows what the store does not
// know yet; the store only says where to begin.
func (r *Reader) Conversation(ctx context.Context, id collector.SessionID, q collector.ConversationQuery) (collector.Conversation, error) {
	page := collector.Conversation{Messages: []collector.ConversationMessage{}}
	l, err := r.log(ctx, id)
	if gone(err) {
		return page, nil
	}
	if err != nil {
		return page, err
	}
	page.Generation = l.generation
	if page.Total, err = r.store.Messages(ctx, id); err != nil {
		return page, err
	}
	c := conversation{log: l, index: r.store, id: id, page: &page, limit: q.Limit}
	switch {
	case q.After != nil:
		err = c.after(ctx, *q.After)
	case q.Offset != nil:
		err = c.offset(ctx, *q.Offset)
	case q.Before != nil:
		err = c.before(ctx, *q.Before)
	default:
		err = c.before(ctx, math.MaxInt64)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return collector.Conversation{Messages: []collector.ConversationMessage{}}, nil // went away meanwhile
	}
	page.Total = max(page.Total, len(page.Messages))
	return page, errors.Join(err, c.nameTurns(ctx))
}

func gone(err error) bool {
	return err != nil && collector.ErrorCode(err) == collector.CodeUnavailable && errors.Is(err, fs.ErrNotExist)
}

// conversation is one page in the making.
type conversation struct {
	log   log
	index Index
	id    collector.SessionID
	page  *collector.Conversation
	limit int
}

// before makes the page of the newest messages before a line.
func (c *conversation) before(ctx context.Context, line int64) error {
	bound := line
	switch {
	case line == math.MaxInt64:
		bound = 0
	case line <= 1:
		return nil // nothing stands there
	}
	for n := c.limit + margin; ; n *= 4 {
		from, err := c.from(ctx, bound, n)
		if err != nil {
			return err
		}
		b, last, bad, err := c.upTo(ctx, from, line)
		if err != nil {
			return err
		}
		first := max(from.Line, 1)
		if from.Offset > 0 {
			// The first message may have begun before, and responses need not be messages.
			if len(b.messages) < 2 {
				continue
			}
			first = b.messages[max(len(b.messages)-c.limit, 1)].Line
		}
		messages, cut := b.newest(first, last, c.limit)
		c.page.HasMore = from.Offset > 0 || len(b.page(1, cut-1)) > 0
		c.fill(messages, cut, last, bad)
		return nil
	}
}

// margin is how many turns and responses before a page are read too: those that stand before it may reach into it.
const margin = 4

// from returns where the n last turns and responses before a line begin, or the log's start if there are fewer.
func (c *conversation) from(ctx context.Context, line int64, n int) (collector.Ref, error) {
	places, err := c.index.Places(ctx, c.id, line, n)
	if err != nil || len(places) < n {
		return collector.Ref{}, err
	}
	return places[0], nil
}

// upTo reads from a place to a line, and returns the last line before it.
func (c *conversation) upTo(ctx context.Context, from collector.Ref, line int64) (*builder, int64, map[int64]bool, error) {
	b := newBuilder()
	bad := map[int64]bool{}
	last, ahead := max(from.Line-1, 0), 0
	for s, err := range c.read(ctx, from, textLimit) {
		if err != nil {
			return nil, 0, nil, err
		}
		if s.ref.Line >= line {
			if ahead++; !c.lookAhead(b, s, ahead) {
				break
			}
			continue
		}
		last = s.ref.Line
		bad[last] = s.bad
		for i := range s.events {
			b.add(&s.events[i], s.ref)
		}
	}
	if line != math.MaxInt64 {
		last = line - 1
	}
	return b, last, bad, nil
}

// maxAhead is how many records behind a page are looked at for results of its calls.
const maxAhead = 200

// lookAhead joins results that stand behind the page to its calls; it reports whether any call still waits.
func (c *conversation) lookAhead(b *builder, s said, n int) bool {
	waiting := b.waiting()
	if waiting == 0 || n > maxAhead {
		return false
	}
	for i := range s.events {
		if s.events[i].Kind == collector.EventResult && b.answer(&s.events[i], s.ref) {
			waiting--
		}
	}
	return waiting > 0
}

// after makes the page of the oldest messages behind a line.
func (c *conversation) after(ctx context.Context, line int64) error {
	from, err := c.from(ctx, line+1, margin)
	if err != nil {
		return err
	}
	b := newBuilder()
	bad := map[int64]bool{}
	last := line
	begun := 0 // messages before the page
	for s, err := range c.read(ctx, from, textLimit) {
		if err != nil {
			return err
		}
		if s.ref.Line > line {
			last = s.ref.Line
			bad[last] = s.bad
		}
		for i := range s.events {
			b.add(&s.events[i], s.ref)
		}
		if s.ref.Line <= line {
			begun = len(b.messages)
		}
		if len(b.messages)-begun > c.limit && len(b.page(line+1, last)) > c.limit {
			break
		}
	}
	messages, end := b.oldest(line+1, last, c.limit)
	c.page.HasMore = end < last
	c.fill(messages, line+1, end, bad)
	return nil
}

// offset makes the page that begins with the message of that number. It has to read all before it.
func (c *conversation) offset(ctx context.Context, n int) error {
	b := newBuilder()
	for s, err := range c.read(ctx, collector.Ref{}, 1) {
		if err != nil {
			return err
		}
		for i := range s.events {
			b.add(&s.events[i], s.ref)
		}
		if len(b.messages) > n {
			return c.after(ctx, b.messages[n].Line-1)
		}
	}
	if all := len(b.messages); all > 0 {
		c.page.LastLine = b.messages[all-1].last
	}
	return nil
}

func (c *conversation) fill(messages []collector.ConversationMessage, first, last int64, bad map[int64]bool) {
	if messages != nil {
		c.page.Messages = messages
	}
	c.page.FirstLine, c.page.LastLine = first, last
	for line, is := range bad {
		if is && line >= first && line <= last {
			c.page.Skipped++
		}
	}
}

// nameTurns says which turn each message belongs to.
func (c *conversation) nameTurns(ctx context.Context) error {
	m := c.page.Messages
	if len(m) == 0 {
		return nil
	}
	starts, err := c.index.TurnStarts(ctx, c.id, m[0].Line, m[len(m)-1].Line)
	if err != nil {
		return err
	}
	for i := range m {
		for _, s := range starts {
			if s.Ref.Line <= m[i].Line {
				m[i].Turn, m[i].Rewound = s.Index, s.Rewound
			}
		}
	}
	return nil
}
