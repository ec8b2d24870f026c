package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how a text is laid out.
type style struct{ newline, indent string }

func styleOf(src []byte) style {
	st := style{newline: "\n", indent: "  "}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		st.newline = "\r\n"
	}
	root, err := Parse(src)
	if err == nil && len(root.Items) > 0 {
		if indent, own := ownLine(src, root.Start, root.Items[0].Start); own && indent != "" {
			st.indent = indent
		}
	}
	return st
}

// gap is what stands between the items of a list on one line.
func gap(src []byte, list *Node) string {
	first := list.Items[0]
	if len(list.Items) > 1 && commaAfter(src, first.Value.End)+1 == list.Items[1].Start ||
		len(list.Items) == 1 && list.Kind == Object && src[first.Value.Start-1] == ':' {
		return ""
	}
	return " "
}

// items writes items with sep between them.
func (st style) items(list *Node, items []Member, sep, indent string, pretty bool) string {
	texts := make([]string, 0, len(items))
	for _, it := range items {
		text := st.encode(it.Value, indent, pretty)
		if list.Kind == Object {
			name := st.encode(it.Key, "", false) + ":"
			if pretty {
				name += " "
			}
			text = name + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, sep)
}

// encode writes a value. Its further lines begin with indent.
func (st style) encode(value any, indent string, pretty bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // shell commands are full of < and >
	if pretty {
		enc.SetIndent(indent, st.indent)
	}
	if err := enc.Encode(value); err != nil {
		panic("jsontext: " + err.Error()) // what is written are literals of ours
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", st.newline)
}

// Members is an object that keeps its order.
type Members []Member

// MarshalJSON writes the object.
func (m Members) MarshalJSON() ([]byte, error) {
	st := style{}
	return []byte("{" + st.items(&Node{Kind: Object}, m, ",", "", false) + "}"), nil
}

// ownLine returns the indentation of an item that begins a line of its list.
func ownLine(src []byte, list, item int) (string, bool) {
	i := item
	for i > list+1 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	return string(src[i:item]), src[i-1] == '\n'
}

// lineIndent returns the white space with which the line of at begins.
func lineIndent(src []byte, at int) string {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	end := start
	for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return string(src[start:end])
}
