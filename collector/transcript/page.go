package transcript

import (
	"slices"
	"sort"

	"github.com/turnwatch/turnwatch/collector"
)

// page returns what the lines first to last say. Of a message that began before, only what the page adds to it is
// given, under the same id; a result whose call stands before is given alone.
func (b *builder) page(first, last int64) []collector.ConversationMessage {
	on := func(line int64) bool { return line >= first && line <= last }
	var page []collector.ConversationMessage
	for _, m := range b.messages {
		if m.last < first || m.Line > last {
			continue
		}
		own := m.ConversationMessage
		own.Content = make([]collector.ConversationPart, 0, len(m.Content))
		for _, p := range m.Content {
			switch {
			case on(p.Ref.Line):
				own.Content = append(own.Content, p)
			case p.Result != nil && on(p.Result.Ref.Line):
				page = append(page, alone(m, p))
			case p.Result != nil && on(b.failed[p.ID].Line):
				p.Result = &collector.ResultOfPart{ConversationText: collector.ConversationText{Ref: b.failed[p.ID]}, Status: p.Result.Status, Error: p.Result.Error}
				page = append(page, alone(m, p))
			}
		}
		switch {
		case on(m.Line):
		case len(own.Content) > 0:
			own.Line = own.Content[0].Ref.Line
		case on(m.last) && m.Usage != nil && !b.resulted(m, on):
			own.Line = m.last
		default:
			continue
		}
		page = append(page, own)
	}
	sort.SliceStable(page, func(i, j int) bool { return page[i].Line < page[j].Line })
	return page
}

// alone is the result of a call on another page.
func alone(m message, p collector.ConversationPart) collector.ConversationMessage {
	return collector.ConversationMessage{
		ID: "result:" + p.ID, Line: p.Result.Ref.Line, Type: collector.RoleUser, Kind: collector.KindResult, Turn: m.Turn,
		Content: []collector.ConversationPart{{
			Type: collector.PartToolResult, ConversationText: p.Result.ConversationText, ID: p.ID, Status: p.Result.Status, Error: p.Result.Error,
		}},
	}
}

// resulted reports whether the last that was said about m is a result.
func (b *builder) resulted(m message, on func(int64) bool) bool {
	return slices.ContainsFunc(m.Content, func(p collector.ConversationPart) bool {
		return p.Result != nil && on(p.Result.Ref.Line) && p.Result.Ref.Line == m.last || p.ID != "" && b.failed[p.ID].Line == m.last
	})
}

// newest returns the page of the limit last messages up to the line last, and its first line.
func (b *builder) newest(first, last int64, limit int) ([]collector.ConversationMessage, int64) {
	page := b.page(first, last)
	for len(page) > limit {
		from := page[len(page)-limit].Line
		if from == first {
			break // one record says it all; it cannot be cut
		}
		first = from
		page = b.page(first, last)
	}
	return page, first
}

// oldest returns the page of the limit first messages from the line first on, and its last line.
func (b *builder) oldest(first, last int64, limit int) ([]collector.ConversationMessage, int64) {
	page := b.page(first, last)
	for len(page) > limit {
		to := page[limit].Line - 1
		if to < page[0].Line || to == last {
			break
		}
		last = to
		page = b.page(first, last)
	}
	return page, last
}
