package jsonl_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector/jsonl"
	"github.com/valyala/fastjson"
)

func TestEach(t *testing.T) {
	nul := strings.Repeat("\x00", 300)
	nested := `{"type":"m","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}`
	for _, c := range []struct {
		name, line string
		want       []string
		bad        int
	}{
		{"one", `{"a":1}`, []string{`{"a":1}`}, 0},
		{"nothing", "", nil, 0},
		{"blank", " \t\r", nil, 0},
		{"crlf", "{\"a\":1}\r", []string{`{"a":1}`}, 0},
		{"byte order mark", "\xef\xbb\xbf{\"a\":1}", []string{`{"a":1}`}, 0},
		{"NULs before", nul + `{"a":1}`, []string{`{"a":1}`}, 0},
		{"NULs behind", `{"a":1}` + nul, []string{`{"a":1}`}, 0},
		{"only NULs", nul, nil, 0},
		{"NULs between", `{"a":1}` + nul + `{"a":2}`, []string{`{"a":1}`, `{"a":2}`}, 0},
		{"array", `[{"a":1}]`, []string{`[{"a":1}]`}, 0},
		{"glued", `{"a":1}{"b":"}{"}{"c":3}`, []string{`{"a":1}`, `{"b":"}{"}`, `{"c":3}`}, 0},
		{"line separator", "{\"a\":\"x\u2028y\"}", []string{"{\"a\":\"x\u2028y\"}"}, 0},
		{"escaped quotes", `{"a":"\\\"{\\"}{"b":"\\"}`, []string{`{"a":"\\\"{\\"}`, `{"b":"\\"}`}, 0},

		{"cut in a string, then a record", `{"type":"a","text":"hel{"type":"b","n":1}`, []string{`{"type":"b","n":1}`}, 1},
		{"cut in a key", `{"type":"a","te{"parentUuid":null,"n":1}`, []string{`{"parentUuid":null,"n":1}`}, 1},
		{"cut in a number", `{"type":"a","n":12{"timestamp":"t","n":1}`, []string{`{"timestamp":"t","n":1}`}, 1},
		{"cut, then nested objects", `{"type":"a","text":"hel` + nested, []string{nested}, 1},
		{"cut, then two", `{"type":"a","te{"type":"b"}` + nested, []string{`{"type":"b"}`, nested}, 1},
		{"cut, NULs, then two", `{"type":"a","te` + nul + `{"type":"b"}` + nul + nested, []string{`{"type":"b"}`, nested}, 1},
		{"good, cut, good", `{"n":0}{"type":"a","te{"type":"b"}`, []string{`{"n":0}`, `{"type":"b"}`}, 1},
		{"cut at the end", `{"type":"a","text":"hel`, nil, 1},
		{"good, then cut at the end", `{"type":"a"}{"type":"b","x":`, []string{`{"type":"a"}`}, 1},
		{"rest of a record", `lo","n":1}{"type":"b"}`, []string{`{"type":"b"}`}, 1},
		{"no JSON", `Traceback (most recent call last):`, nil, 1},
		{"a number", `17`, nil, 1},
		{"a string", `"{\"type\":1}"`, nil, 1},
		{"brackets that match without being JSON", `{"type":nope}{"type":"b"}`, []string{`{"type":"b"}`}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.line)
			var got []string
			bad := jsonl.Each(in, func(v *fastjson.Value) { got = append(got, v.String()) })
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("values (-want +got):\n%s", d)
			}
			if len(bad) != c.bad {
				t.Errorf("bad = %q, want %d", bad, c.bad)
			}
			if string(in) != c.line {
				t.Errorf("input was changed to %q", in)
			}
		})
	}
}

func TestEachReasonsHoldNoText(t *testing.T) {
	for _, b := range jsonl.Each([]byte(`{"type":"a","token":"secret-1{"type":"b","token":"secret-2`), func(*fastjson.Value) {}) {
		if strings.Contains(b, "secret") {
			t.Errorf("reason %q quotes the line", b)
		}
	}
}

// Looking for a start must not take quadratic time: 256 KiB of openings took minutes before there was a budget.
func TestEachBoundsItsSearch(t *testing.T) {
	for _, unit := range []string{`{"type":`, `{"type":"`, `{"type":{}`, `[`, `{"a":[`} {
		line := bytes.Repeat([]byte(unit), 256<<10/len(unit))
		if bad := jsonl.Each(line, func(*fastjson.Value) {}); len(bad) == 0 {
			t.Errorf("%q repeated: nothing was reported", unit)
		}
	}
}

func TestEachKeepsRecordsOfALongGluedLine(t *testing.T) {
	line := bytes.Repeat([]byte(`{"type":"a","n":1}`), 20_000)
	n := 0
	bad := jsonl.Each(line, func(*fastjson.Value) { n++ })
	if n != 20_000 || bad != nil {
		t.Errorf("got %d records and %q, want 20000 and none", n, bad)
	}
}

func TestEachIsReentrant(t *testing.T) {
	var got []string
	jsonl.Each([]byte(`{"a":"x"}`), func(outer *fastjson.Value) {
		jsonl.Each([]byte(`{"b":"y"}`), func(inner *fastjson.Value) {
			got = append(got, outer.String(), inner.String())
		})
	})
	if d := cmp.Diff([]string{`{"a":"x"}`, `{"b":"y"}`}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
