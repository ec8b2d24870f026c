package jsontext_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// lists returns the paths, as positions, of all objects and arrays.
func lists(n *jsontext.Node, path []int) [][]int {
	var out [][]int
	if n.Kind != jsontext.Scalar {
		out = append(out, path)
	}
	for i, it := range n.Items {
		out = append(out, lists(it.Value, append(path[:len(path):len(path)], i))...)
	}
	return out
}

func follow(t *testing.T, src []byte, path []int) *jsontext.Node {
	t.Helper()
	n, err := jsontext.Parse(src)
	if err != nil {
		t.Fatalf("%v in %q", err, src)
	}
	for _, i := range path {
		n = n.Items[i].Value
	}
	return n
}

// FuzzEdits appends to every list of a text and removes it again: what comes out must be the text, byte for byte. And
// plain JSON is read as encoding/json reads it.
func FuzzEdits(f *testing.F) {
	for _, seed := range []string{
		"{}", "[ ]", `{"hooks":{"A":[{"hooks":[1]}]},"x":"\u00e4\\\""}`, "{\r\n\t\"a\": [1, 2 , 3,], // c\r\n}\r\n",
		"\ufeff{\n    \"a\": {\n    }\n}", "[1 /* x */, /* y */ 2]", "[\n1\n,2\n//z\n]", `{"a":1,"a":{"b":[]}}`, "// top\n{ \"a\" :{}}", "[[[]],{},\"//\"]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		root, err := jsontext.Parse(src)
		if json.Valid(src) != (err == nil) && err != nil && len(src) < 400 {
			t.Fatalf("%q: %v", src, err)
		}
		if err != nil {
			return
		}
		var want any
		if json.Unmarshal(src, &want) == nil && !reflect.DeepEqual(want, root.Decode(src)) {
			t.Fatalf("%q is read as %v", src, root.Decode(src))
		}
		for _, path := range lists(root, nil) {
			roundTrip(t, src, path)
		}
	})
}

func roundTrip(t *testing.T, src []byte, path []int) {
	t.Helper()
	list := follow(t, src, path)
	before := len(list.Items)
	edits := jsontext.Append(src, list, jsontext.Member{Key: "k1", Value: []string{"</>"}}, jsontext.Member{Key: "k2", Value: 2})
	text := jsontext.Apply(src, edits)
	if back := jsontext.Without(text, jsontext.Inserted(edits)); string(back) != string(src) {
		t.Fatalf("%q became %q, and that without what was inserted %q", src, text, back)
	}
	for n := before + 2; n > before; n-- {
		list := follow(t, text, path)
		if len(list.Items) != n {
			t.Fatalf("%q became %q: %d items, want %d", src, text, len(list.Items), n)
		}
		text = jsontext.Apply(text, jsontext.Remove(text, list, n-1))
	}
	if string(text) != string(src) {
		t.Fatalf("%q became %q at %v", src, text, path)
	}
}
