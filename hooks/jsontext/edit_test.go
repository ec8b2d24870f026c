package jsontext_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// at returns the value that a path of member names leads to.
func at(t testing.TB, src []byte, path ...string) *jsontext.Node {
	t.Helper()
	n, err := jsontext.Parse(src)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, src)
	}
	for _, p := range path {
		if n = n.Get(p); n == nil {
			t.Fatalf("no %s in:\n%s", p, src)
		}
	}
	return n
}

func TestAppend(t *testing.T) {
	one := []jsontext.Member{{Key: "x", Value: []int{1}}}
	for name, c := range map[string]struct {
		src, path, want string
		items           []jsontext.Member
	}{
		"empty":              {"{}", "", "{\n  \"x\": [\n    1\n  ]\n}", one},
		"empty, spaced":      {"{ }\n", "", "{\n  \"x\": [\n    1\n  ]\n }\n", one},
		"one line":           {`{"a":1}`, "", `{"a":1,"x":[1]}`, one},
		"one line, spaced":   {`{"a": 1, "b": 2}`, "", `{"a": 1, "b": 2, "x":[1]}`, one},
		"tabs":               {"{\n\t\"a\": 1\n}\n", "", "{\n\t\"a\": 1,\n\t\"x\": [\n\t\t1\n\t]\n}\n", one},
		"four":               {"{\n    \"a\": {\n    }\n}", "a", "{\n    \"a\": {\n        \"x\": [\n            1\n        ]\n    \n    }\n}", one},
		"carriage returns":   {"{\r\n  \"a\": 1\r\n}\r\n", "", "{\r\n  \"a\": 1,\r\n  \"x\": [\r\n    1\r\n  ]\r\n}\r\n", one},
		"two":                {"{\n  \"a\": 1\n}", "", "{\n  \"a\": 1,\n  \"x\": <1>,\n  \"y\": true\n}", []jsontext.Member{{"x", raw("<1>")}, {"y", true}}},
		"two into empty":     {`{"a": []}`, "a", "{\"a\": [\n  1,\n  2\n]}", []jsontext.Member{{Value: 1}, {Value: 2}}},
		"comment":            {"{\n  \"a\": 1 // one\n}", "", "{\n  \"a\": 1, // one\n  \"x\": [\n    1\n  ]\n}", one},
		"trailing comma":     {"{\n  \"a\": [\n    1,\n  ],\n}", "a", "{\n  \"a\": [\n    1,\n    2,\n  ],\n}", []jsontext.Member{{Value: 2}}},
		"no escapes":         {`{"a": []}`, "", `{"a": [], "x":"a <b> & \"c\""}`, []jsontext.Member{{"x", `a <b> & "c"`}}},
		"order is kept":      {`{"a":1}`, "", `{"a":1,"x":{"z":1,"b":2}}`, []jsontext.Member{{"x", jsontext.Members{{"z", 1}, {"b", 2}}}}},
		"byte order mark":    {"\ufeff{}", "", "\ufeff{\n  \"x\": [\n    1\n  ]\n}", one},
		"the last of two":    {`{"a":[],"a":[1]}`, "a", `{"a":[],"a":[1, 2]}`, []jsontext.Member{{Value: 2}}},
		"nothing to append":  {`{"a":1}`, "", `{"a":1}`, nil},
		"a comment in empty": {"{ // none\n}", "", "{\n  \"x\": [\n    1\n  ]\n // none\n}", one},
	} {
		t.Run(name, func(t *testing.T) {
			src := []byte(c.src)
			list := at(t, src, strings.Fields(c.path)...)
			edits := jsontext.Append(src, list, c.items...)
			got := jsontext.Apply(src, edits)
			if diff := cmp.Diff(strings.ReplaceAll(c.want, "<1>", `"<1>"`), string(got)); diff != "" {
				t.Error(diff)
			}
			if back := jsontext.Without(got, jsontext.Inserted(edits)); string(back) != c.src {
				t.Errorf("without what was inserted: %q", back)
			}
			if back := removeLast(t, got, len(c.items), strings.Fields(c.path)...); back != c.src {
				t.Errorf("after Remove: %q", back)
			}
		})
	}
}

func raw(s string) any { return s }

// removeLast removes the last n items of a list, one after the other.
func removeLast(t testing.TB, src []byte, n int, path ...string) string {
	t.Helper()
	for range n {
		list := at(t, src, path...)
		src = jsontext.Apply(src, jsontext.Remove(src, list, len(list.Items)-1))
	}
	return string(src)
}

func TestRemove(t *testing.T) {
	for name, c := range map[string]struct {
		src, path, want string
		index           int
	}{
		"first of two":             {"{\n  \"a\": [\n    1,\n    2\n  ]\n}", "a", "{\n  \"a\": [\n    2\n  ]\n}", 0},
		"last of two":              {"{\n  \"a\": [\n    1,\n    2\n  ]\n}", "a", "{\n  \"a\": [\n    1\n  ]\n}", 1},
		"between, on one line":     {"[1, 2, 3]", "", "[1, 3]", 1},
		"comma on the next line":   {"[\n  1\n  , 2\n]", "", "[\n  1\n  \n]", 1},
		"comments stay":            {"[1, /* two */ 2 /* was it */, 3]", "", "[1, /* two */  /* was it */ 3]", 1},
		"comment before the end":   {"[1, /* two */ 2]", "", "[1 /* two */]", 1},
		"only, trailing comma":     {"[ 1, ]", "", "[ ]", 0},
		"last, trailing comma":     {"[1, 2,]", "", "[1,]", 1},
		"member":                   {`{"a": 1, "b": 2}`, "", `{"b": 2}`, 0},
		"only":                     {`{"a":{"b":1}}`, "a", `{"a":{}}`, 0},
		"a space that is no ASCII": {"[1, 2\u2009, 3]", "", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			src := []byte(c.src)
			n, err := jsontext.Parse(src)
			if err != nil {
				if c.want != "" {
					t.Fatal(err)
				}
				return
			}
			for _, p := range strings.Fields(c.path) {
				n = n.Get(p)
			}
			if diff := cmp.Diff(c.want, string(jsontext.Apply(src, jsontext.Remove(src, n, c.index)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReplace(t *testing.T) {
	for src, want := range map[string]string{
		`{"a": [1]}`:                   "{\"a\": {\"n\":2}}",
		"{\n\t\"a\": [\n\t\t1\n\t]\n}": "{\n\t\"a\": {\n\t\t\"n\": 2\n\t}\n}",
	} {
		got := jsontext.Apply([]byte(src), jsontext.Replace([]byte(src), at(t, []byte(src), "a"), map[string]int{"n": 2}))
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"":                        "line 1, column 1: a value is missing",
		"{\n  \"a\" 1}":           "line 2, column 7: a colon is missing",
		"{\"a\": 1":               `line 1, column 8: '}' is missing`,
		"[1 2]":                   "line 1, column 4: a comma is missing",
		"[,]":                     "line 1, column 2: not a JSON value",
		"{a: 1}":                  "line 1, column 2: a name in quotes is missing",
		"{} x":                    "line 1, column 4: something follows the value",
		"[nul]":                   "line 1, column 2: not a JSON value",
		"\"abc":                   "line 1, column 1: not a JSON value",
		"\"a\nb\"":                "line 1, column 1: not a JSON value",
		"{} /* ":                  "line 1, column 4: a comment has no end",
		strings.Repeat("[", 1000): "line 1, column 501: nested too deeply",
	} {
		_, err := jsontext.Parse([]byte(src))
		var syntax *jsontext.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", src, err, want)
		}
	}
}

func TestWithoutRefusesForeignSpans(t *testing.T) {
	for _, spans := range [][]jsontext.Span{{{At: 1, Len: 9}}, {{At: -1, Len: 1}}, {{At: 2, Len: 1}, {At: 1, Len: 1}}, {{At: 1, Len: -1}}} {
		if got := jsontext.Without([]byte("[1]"), spans); got != nil {
			t.Errorf("%v: %q", spans, got)
		}
	}
}
