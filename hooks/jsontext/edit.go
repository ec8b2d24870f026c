package jsontext

import (
	"bytes"
	"cmp"
	"slices"
)

// Edit replaces Del bytes at At by Text.
type Edit struct {
	At, Del int
	Text    string
}

// Span is a run of bytes.
type Span struct {
	At  int `json:"at"`
	Len int `json:"len"`
}

// Inserted returns where the texts of edits are once these are made; nil if they also took something away.
func Inserted(edits []Edit) []Span {
	edits = sorted(edits)
	spans := make([]Span, 0, len(edits))
	moved := 0
	for _, e := range edits {
		if e.Del > 0 {
			return nil
		}
		spans = append(spans, Span{At: e.At + moved, Len: len(e.Text)})
		moved += len(e.Text)
	}
	return spans
}

// Without returns src without spans; nil if they are not in order or not all inside it.
func Without(src []byte, spans []Span) []byte {
	edits := make([]Edit, 0, len(spans))
	end := 0
	for _, s := range spans {
		if s.At < end || s.Len < 0 || s.Len > len(src)-s.At {
			return nil
		}
		end = s.At + s.Len
		edits = append(edits, Edit{At: s.At, Del: s.Len})
	}
	return Apply(src, edits)
}

// sorted keeps the order of edits at the same place.
func sorted(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.At, b.At) })
	return edits
}

// Apply makes edits, which must not overlap.
func Apply(src []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range sorted(edits) {
		out = append(append(out, src[at:e.At]...), e.Text...)
		at = e.At + e.Del
	}
	return append(out, src[at:]...)
}

// Member is an item to write. The key counts in objects only.
type Member struct {
	Key   string
	Value any
}

// Append adds items behind the last one of an object or array, laid out as its neighbours are.
func Append(src []byte, list *Node, items ...Member) []Edit {
	if len(items) == 0 {
		return nil
	}
	st := styleOf(src)
	line := lineIndent(src, list.Start)
	if len(list.Items) == 0 {
		inner := st.newline + line + st.indent
		return []Edit{{At: list.Start + 1, Text: inner + st.items(list, items, ","+inner, line+st.indent, true) + st.newline + line}}
	}
	last := list.Items[len(list.Items)-1]
	end := last.Value.End
	indent, own := ownLine(src, list.Start, last.Start)
	if !own {
		gap := "," + gap(src, list)
		return []Edit{{At: end, Text: gap + st.items(list, items, gap, "", false)}}
	}
	inner := st.newline + indent
	text := inner + st.items(list, items, ","+inner, indent, true)
	if after := commentEnd(src, end); after > end {
		return []Edit{{At: end, Text: ","}, {At: after, Text: text}} // the comment stays with what it is about
	}
	return []Edit{{At: end, Text: "," + text}}
}

// Replace writes another value in the place of one.
func Replace(src []byte, n *Node, value any) []Edit {
	pretty := bytes.IndexByte(src[n.Start:n.End], '\n') >= 0
	return []Edit{{At: n.Start, Del: n.End - n.Start, Text: styleOf(src).encode(value, lineIndent(src, n.Start), pretty)}}
}

// Remove takes out an item, the comma that belongs to it and the space that Append gives.
func Remove(src []byte, list *Node, i int) []Edit {
	it := list.Items[i]
	start, end := it.Start, it.Value.End
	lead := start // of the white space before the item
	for lead > list.Start+1 && isSpace(src[lead-1]) {
		lead--
	}
	comma := commaAfter(src, end)
	switch {
	case i+1 < len(list.Items):
		next := list.Items[i+1].Start
		if onlySpace(src[end:comma]) && onlySpace(src[comma+1:next]) {
			return []Edit{{At: start, Del: next - start}}
		}
		return []Edit{{At: start, Del: end - start}, {At: comma, Del: 1}}
	case i > 0:
		before := commaAfter(src, list.Items[i-1].Value.End)
		if before+1 == lead {
			return []Edit{{At: before, Del: end - before}}
		}
		return []Edit{{At: before, Del: 1}, {At: lead, Del: end - lead}}
	}
	var edits []Edit
	if comma >= 0 {
		edits = append(edits, Edit{At: comma, Del: 1})
	}
	if lead == list.Start+1 && lead < start {
		// Append put a line break and the line's indentation behind the item.
		if tail := styleOf(src).newline + lineIndent(src, list.Start); comma < 0 && bytes.HasPrefix(src[end:], []byte(tail)) {
			end += len(tail)
		}
	}
	return append(edits, Edit{At: lead, Del: end - lead})
}

// commaAfter returns the position of the comma that follows a value, or -1.
func commaAfter(src []byte, at int) int {
	p := parser{src: src, at: at}
	if p.space() == nil && p.at < len(src) && src[p.at] == ',' {
		return p.at
	}
	return -1
}

// commentEnd returns where comments end that follow on the same line; at, if there are none or a comma comes first.
func commentEnd(src []byte, at int) int {
	p := parser{src: src, at: at}
	p.src = src[:lineEnd(src, at)]
	if p.space() != nil || p.at < len(p.src) {
		return at
	}
	for p.at > at && isSpace(src[p.at-1]) {
		p.at--
	}
	return p.at
}

func onlySpace(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return !isSpace(byte(r)) || r > 127 })
}
