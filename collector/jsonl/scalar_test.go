package jsonl_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector/jsonl"
)

func TestScalars(t *testing.T) {
	v := parse(t, `{"s":"a\"\u00e9","n":3,"neg":-7,"f":82.5,"whole":128000.0,"big":1e300,"exp":1e3,"nan":nan,"t":true,"o":{"s":"in","a":["x"]},"null":null}`)
	if got, want := jsonl.Str(v, "s"), `a"é`; got != want {
		t.Errorf("Str(s) = %q, want %q", got, want)
	}
	for key, want := range map[string]string{"n": "", "nothing": "", "null": "", "o": ""} {
		if got := jsonl.Str(v, key); got != want {
			t.Errorf("Str(%s) = %q, want %q", key, got, want)
		}
	}
	if got := jsonl.Str(v, "o", "a", "0"); got != "x" {
		t.Errorf("Str(o, a, 0) = %q, want x", got)
	}
	if got := jsonl.Str(nil, "s"); got != "" {
		t.Errorf("Str(nil) = %q, want none", got)
	}
	for _, c := range []struct {
		key  string
		want int64
		ok   bool
	}{{"n", 3, true}, {"neg", -7, true}, {"f", 82, true}, {"whole", 128000, true}, {"exp", 1000, true}, {"big", 0, false}, {"nan", 0, false}, {"s", 0, false}, {"nothing", 0, false}, {"null", 0, false}} {
		if got, ok := jsonl.Int(v, c.key); got != c.want || ok != c.ok {
			t.Errorf("Int(%s) = %d, %v, want %d, %v", c.key, got, ok, c.want, c.ok)
		}
	}
	for _, c := range []struct {
		key  string
		want float64
		ok   bool
	}{{"f", 82.5, true}, {"neg", -7, true}, {"nan", 0, false}, {"t", 0, false}} {
		if got, ok := jsonl.Float(v, c.key); got != c.want || ok != c.ok {
			t.Errorf("Float(%s) = %v, %v, want %v, %v", c.key, got, ok, c.want, c.ok)
		}
	}
	if !jsonl.Bool(v, "t") || jsonl.Bool(v, "n") || jsonl.Bool(v, "nothing") {
		t.Error("Bool: want true for t alone")
	}
}

func TestTime(t *testing.T) {
	const want = 1796034509788 // 2026-11-30T10:28:29.788Z
	for _, c := range []struct {
		in   string
		want int64
	}{
		{`"2026-11-30T10:28:29.788Z"`, want},
		{`"2026-11-30T10:28:29.788999Z"`, want},
		{`"2026-11-30T10:28:29.788999999Z"`, want},
		{`"2026-11-30T12:28:29.788+02:00"`, want},
		{`"2026-11-30T10:28:29.7Z"`, want - 88},
		{`"2026-11-30T10:28:29Z"`, want - 788},
		{`1796034509788`, want},
		{`1796034509.788`, want},
		{`1796034509`, want - 788},
		{`"1970-01-01T00:00:00.000Z"`, 0},
		{`"2026-13-30T10:28:29.788Z"`, 0},
		{`"2026-02-31T10:28:29.788Z"`, 0},
		{`"2026-11-30T10:28:29.Z"`, 0},
		{`"2026-11-30T10:28:29.7x8Z"`, 0},
		{`"yesterday"`, 0},
		{`""`, 0},
		{`-5`, 0},
		{`1e300`, 0},
		{`nan`, 0},
		{`null`, 0},
		{`{}`, 0},
	} {
		if got := jsonl.Time(parse(t, `{"at":`+c.in+`}`), "at"); got != c.want {
			t.Errorf("Time(%s) = %d, want %d", c.in, got, c.want)
		}
	}
	if got := jsonl.Time(parse(t, `{}`), "at"); got != 0 {
		t.Errorf("Time of nothing = %d, want 0", got)
	}
}
