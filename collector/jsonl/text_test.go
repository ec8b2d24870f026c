package jsonl_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
	"github.com/valyala/fastjson"
)

func parse(t testing.TB, s string) *fastjson.Value {
	t.Helper()
	v, err := fastjson.Parse(s)
	if err != nil {
		t.Fatalf("parse %s: %v", s, err)
	}
	return v
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
		want     string
		bytes    int64
	}{
		{"all", `"hello"`, 0, "hello", 5},
		{"fits", `"hello"`, 5, "hello", 5},
		{"cut", `"hello"`, 3, "hel", 5},
		{"empty", `""`, 3, "", 0},
		{"null", `null`, 3, "", 0},
		{"number", `1.50`, 0, "1.50", 4},
		{"object is its JSON", `{"a":"b\nc"}`, 0, `{"a":"b\nc"}`, 12},
		{"object cut", `{"a":"b\nc"}`, 7, `{"a":"b`, 12},
		{"bool", `true`, 0, "true", 4},
		{"escapes", `"a\n\t\"\\\/\b\f\rz"`, 0, "a\n\t\"\\/\b\f\rz", 10},
		{"fits only unescaped", `"\n\n\n"`, 3, "\n\n\n", 3},
		{"never cut in an escape", `"a\u00e9b"`, 2, "a", 4},
		{"cut behind an escape", `"a\u00e9b"`, 3, "aé", 4},
		{"never cut in a rune", `"aéb"`, 2, "a", 4},
		{"never cut in a surrogate pair", `"a\ud83d\ude00b"`, 4, "a", 6},
		{"pair fits", `"a\ud83d\ude00b"`, 5, "a😀", 6},
		{"lone surrogate", `"a\ud83db"`, 0, "a\uFFFDb", 5},
		{"swapped pair", `"\ude00\ud83d"`, 0, "\uFFFD\uFFFD", 6},
		{"surrogate, then another escape", `"\ud83d\n"`, 0, "\uFFFD\n", 4},
		{"NUL", `"a\u0000b"`, 0, "a\x00b", 3},
		{"unknown escape stands", `"a\qb"`, 0, `a\qb`, 4},
		{"broken escape stands", `"a\u12zzb"`, 0, `a\u12zzb`, 8},
		{"no UTF-8", "\"a\xffb\"", 0, "a\uFFFDb", 3},
		{"no UTF-8, cut", "\"a\xff\xff\xff\xff\xff\xffb\"", 3, "a", 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := collector.Text{Preview: c.want, Bytes: c.bytes}
			v := parse(t, c.in)
			if d := cmp.Diff(want, jsonl.Clip(v, c.limit)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if strings.Contains(c.name, "surrogate, ") || strings.Contains(c.name, "lone") || strings.Contains(c.name, "swapped") {
				return // fastjson has its own idea of broken ones
			}
			v.Type() // fastjson unescapes the string in place
			if d := cmp.Diff(want, jsonl.Clip(v, c.limit)); d != "" {
				t.Errorf("after fastjson unescaped it (-want +got):\n%s", d)
			}
		})
	}
	if d := cmp.Diff(collector.Text{}, jsonl.Clip(nil, 10)); d != "" {
		t.Errorf("missing value (-want +got):\n%s", d)
	}
}

func TestClipString(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  collector.Text
	}{
		{"", 5, collector.Text{}},
		{"aé", 2, collector.Text{Preview: "a", Bytes: 3}},
		{"aé", 3, collector.Text{Preview: "aé", Bytes: 3}},
		{"aé", 0, collector.Text{Preview: "aé", Bytes: 3}},
		{"a\xffb", 0, collector.Text{Preview: "a\uFFFDb", Bytes: 3}},
	} {
		if d := cmp.Diff(c.want, jsonl.ClipString(c.in, c.limit)); d != "" {
			t.Errorf("ClipString(%q, %d) (-want +got):\n%s", c.in, c.limit, d)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		parts []string
		limit int
		want  collector.Text
	}{
		{nil, 5, collector.Text{}},
		{[]string{`"ab"`, `"cd"`}, 0, collector.Text{Preview: "ab\ncd", Bytes: 5}},
		{[]string{`"ab"`, `""`, `null`, `"cd"`}, 0, collector.Text{Preview: "ab\ncd", Bytes: 5}},
		{[]string{`"ab"`, `"cd"`}, 4, collector.Text{Preview: "ab\nc", Bytes: 5}},
		{[]string{`"ab"`, `"cd"`}, 3, collector.Text{Preview: "ab\n", Bytes: 5}},
		{[]string{`"ab"`, `"cd"`}, 2, collector.Text{Preview: "ab", Bytes: 5}},
		{[]string{`"aé"`, `"c"`, `"d"`}, 2, collector.Text{Preview: "a", Bytes: 7}},
	} {
		var vs []*fastjson.Value
		for _, p := range c.parts {
			vs = append(vs, parse(t, p))
		}
		if d := cmp.Diff(c.want, jsonl.Join(c.limit, append(vs, nil)...)); d != "" {
			t.Errorf("Join(%d, %s) (-want +got):\n%s", c.limit, c.parts, d)
		}
	}
}

// FuzzClip compares with encoding/json, and every cut with the whole text.
func FuzzClip(f *testing.F) {
	f.Add(`"a\u00e9\ud83d\ude00\n\\"`, 3)
	f.Add(`"\ud83d\ud83d\ude00"`, 4)
	f.Add("\"\xff\xfe\\x41\"", 2)
	f.Add(`{"a":["\n"]}`, 4)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		v, err := fastjson.Parse(s)
		if err != nil {
			return
		}
		all := jsonl.Clip(v, 0)
		if !utf8.ValidString(all.Preview) {
			t.Fatalf("Clip(%q) = %q: no UTF-8", s, all.Preview)
		}
		var want string
		if json.Unmarshal([]byte(s), &want) == nil && utf8.ValidString(s) && s != "null" {
			if all.Preview != want || all.Bytes != int64(len(want)) {
				t.Fatalf("Clip(%q) = %q, %d, encoding/json says %q", s, all.Preview, all.Bytes, want)
			}
			if got := jsonl.Str(v); got != want {
				t.Fatalf("Str(%q) = %q, encoding/json says %q", s, got, want)
			}
		}
		if limit = limit%64 + 64; limit > 0 && utf8.ValidString(s) {
			cut := jsonl.Clip(v, limit)
			if len(cut.Preview) > limit || !strings.HasPrefix(all.Preview, cut.Preview) || cut.Bytes != all.Bytes ||
				len(all.Preview)-len(cut.Preview) > 0 && limit-len(cut.Preview) >= max(utf8.UTFMax, len(`\u1234`)) {
				t.Fatalf("Clip(%q, %d) = %q, %d of %q, %d", s, limit, cut.Preview, cut.Bytes, all.Preview, all.Bytes)
			}
		}
	})
}

func FuzzEach(f *testing.F) {
	f.Add([]byte(`{"type":"a","text":"hel{"type":"b","n":1}`))
	f.Add([]byte("\x00\xef\xbb\xbf{\"a\":1}{\"b\":2}\x00{\"type\":"))
	f.Fuzz(func(t *testing.T, line []byte) {
		before := fmt.Sprintf("%q", line)
		n := 0
		bad := jsonl.Each(line, func(v *fastjson.Value) {
			n++
			jsonl.Clip(v, 10)
			jsonl.ArgsHash(v, "a")
			jsonl.Time(v, "timestamp")
		})
		if got := fmt.Sprintf("%q", line); got != before {
			t.Fatalf("input was changed from %s to %s", before, got)
		}
		if n == 0 && len(bad) == 0 && len(strings.Trim(string(line), " \t\r\n\x00\ufeff")) > 0 {
			t.Fatalf("%q gave neither a value nor a reason", line)
		}
	})
}
