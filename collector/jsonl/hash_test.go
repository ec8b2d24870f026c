package jsonl_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector/jsonl"
)

func TestArgsHash(t *testing.T) {
	base := `{"command":"go test","timeout":5,"opts":{"x":[1,{"b":"1","a":"2"}],"y":null}}`
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"itself", base, base, true},
		{"order", base, `{"opts":{"y":null,"x":[1,{"a":"2","b":"1"}]},"timeout":5,"command":"go test"}`, true},
		{"white space", base, "{ \"command\" : \"go test\",\n\"timeout\":5,\"opts\":{\"x\":[1,{\"b\":\"1\",\"a\":\"2\"}],\"y\":null} }", true},
		{"ignored key", base, `{"description":"runs tests","command":"go test","timeout":5,"opts":{"x":[1,{"b":"1","a":"2"}],"y":null}}`, true},
		{"ignored key is ignored at the top only", base, `{"command":"go test","timeout":5,"opts":{"description":"d","x":[1,{"b":"1","a":"2"}],"y":null}}`, false},
		{"value", base, `{"command":"go vet","timeout":5,"opts":{"x":[1,{"b":"1","a":"2"}],"y":null}}`, false},
		{"array order", `{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{"empty array and object", `{"a":[]}`, `{"a":{}}`, false},
		{"nesting", `{"a":[[1],2]}`, `{"a":[[1,2]]}`, false},
		{"key or value", `{"a":"b"}`, `{"b":"a"}`, false},
		{"no object", `"go test"`, `"go test"`, true},
	} {
		a, b := jsonl.ArgsHash(parse(t, c.a), "description"), jsonl.ArgsHash(parse(t, c.b), "description")
		if (a == b) != c.same {
			t.Errorf("%s: equal = %v, want %v", c.name, a == b, c.same)
		}
		if a == 0 || b == 0 {
			t.Errorf("%s: 0 means unknown", c.name)
		}
	}
	if jsonl.ArgsHash(nil) == 0 {
		t.Error("no arguments hash to 0")
	}
}

func TestHash(t *testing.T) {
	v := parse(t, `{"a":"x\ny","b":"x\ny","c":"xy"}`)
	a, b, c := jsonl.Hash(v.Get("a")), jsonl.Hash(v.Get("b")), jsonl.Hash(v.Get("c"))
	if a != b || a == c || a == 0 {
		t.Errorf("hashes of equal, equal and other strings are %d, %d, %d", a, b, c)
	}
	jsonl.Str(v, "a")
	jsonl.Clip(v.Get("a"), 1)
	if got := jsonl.Hash(v.Get("a")); got != a {
		t.Error("reading a string changed its hash")
	}
	if got := jsonl.Hash(nil); got != 0 {
		t.Errorf("hash of nothing = %d, want 0", got)
	}
	if jsonl.HashString("x") != jsonl.HashString(string([]byte{'x'})) || jsonl.HashString("x") == jsonl.HashString("y") || jsonl.HashString("") == 0 {
		t.Error("HashString: want equal for equal strings, other for others, never 0")
	}
}
