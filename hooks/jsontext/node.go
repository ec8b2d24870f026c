// Package jsontext edits JSON as text: what is not edited keeps its bytes, comments, order and spacing. It reads JSON
// with comments and trailing commas too, since people write them into settings. It refuses anything else.
package jsontext

import "encoding/json"

// Kind says what a value is.
type Kind byte

// The kinds.
const (
	Object Kind = iota
	Array
	Scalar // string, number, true, false or null
)

// Node is a value: the bytes from Start to End.
type Node struct {
	Kind       Kind
	Start, End int
	Items      []Item // of an object or array, in order
}

// Item is a member of an object, or an element of an array, which has no key.
type Item struct {
	Key   string
	Start int // of the key, or of the element
	Value *Node
}

// Get returns the member with that key, the last one if there are several as JSON readers do, or nil.
func (n *Node) Get(key string) *Node {
	if i := n.Index(key); i >= 0 {
		return n.Items[i].Value
	}
	return nil
}

// Index returns the position of the member that Get returns, or -1.
func (n *Node) Index(key string) int {
	if n == nil || n.Kind != Object {
		return -1
	}
	for i := len(n.Items) - 1; i >= 0; i-- {
		if n.Items[i].Key == key {
			return i
		}
	}
	return -1
}

// Decode returns the value as encoding/json would.
func (n *Node) Decode(src []byte) any {
	switch n.Kind {
	case Object:
		m := make(map[string]any, len(n.Items))
		for _, it := range n.Items {
			m[it.Key] = it.Value.Decode(src)
		}
		return m
	case Array:
		list := make([]any, 0, len(n.Items))
		for _, it := range n.Items {
			list = append(list, it.Value.Decode(src))
		}
		return list
	}
	var v any
	_ = json.Unmarshal(src[n.Start:n.End], &v) // Parse checked it
	return v
}
