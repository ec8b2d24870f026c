package jsonl

import (
	"math"
	"time"

	"github.com/valyala/fastjson"
)

// Str returns a copy of the string at keys, "" if there is none.
func Str(v *fastjson.Value, keys ...string) string {
	v = v.Get(keys...)
	if v == nil {
		return ""
	}
	var s string
	withRaw(v, func(raw []byte) {
		if raw[0] != '"' {
			return
		}
		text, escaped, n := content(raw)
		if !escaped {
			s = string(text)
			return
		}
		s = string(appendUnescaped(make([]byte, 0, n), text, 0))
	})
	return valid(s, 0)
}

// Float returns the number at keys.
func Float(v *fastjson.Value, keys ...string) (float64, bool) {
	v = v.Get(keys...)
	if v == nil || v.Type() != fastjson.TypeNumber {
		return 0, false
	}
	f, err := v.Float64()
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// Int returns the number at keys without its fraction. Agents write whole numbers as floats now and then.
func Int(v *fastjson.Value, keys ...string) (int64, bool) {
	v = v.Get(keys...)
	if v == nil || v.Type() != fastjson.TypeNumber {
		return 0, false
	}
	if n, err := v.Int64(); err == nil {
		return n, true
	}
	f, ok := Float(v)
	if !ok || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// Bool returns the boolean at keys, false if there is none.
func Bool(v *fastjson.Value, keys ...string) bool { return v.GetBool(keys...) }

// Time returns the time at keys in unix ms, 0 if there is none: an RFC 3339 string, or a number of seconds or
// milliseconds (whichever makes it a time between 1973 and 5138; fractions of a second count).
func Time(v *fastjson.Value, keys ...string) int64 {
	v = v.Get(keys...)
	if v == nil {
		return 0
	}
	switch v.Type() {
	case fastjson.TypeString:
		return parseTime(v.GetStringBytes())
	case fastjson.TypeNumber:
		f, ok := Float(v)
		if !ok || f <= 0 || f >= 1e14 {
			return 0
		}
		if f < 1e11 {
			f *= 1000
		}
		return int64(math.Round(f))
	}
	return 0
}

// parseTime reads the form that all agents write ("2026-11-30T10:28:29.788Z") by hand: time.Parse took ten times as long.
func parseTime(b []byte) int64 {
	if len(b) >= 20 && b[len(b)-1] == 'Z' && b[4] == '-' && b[7] == '-' && b[10] == 'T' && b[13] == ':' && b[16] == ':' {
		y, ok1 := digits(b[0:4])
		mo, ok2 := digits(b[5:7])
		d, ok3 := digits(b[8:10])
		h, ok4 := digits(b[11:13])
		mi, ok5 := digits(b[14:16])
		s, ok6 := digits(b[17:19])
		ms, ok7 := millis(b[19 : len(b)-1])
		if ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7 && mo >= 1 && mo <= 12 && h < 24 && mi < 60 && s < 60 {
			t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
			if t.Day() != d {
				return 0 // there is no such day
			}
			return t.UnixMilli() + int64(ms)
		}
	}
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// millis reads a fraction of a second: nothing, or a dot and digits.
func millis(b []byte) (int, bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0] != '.' || len(b) == 1 {
		return 0, false
	}
	ms := 0
	for i := range 3 {
		ms *= 10
		if i+1 < len(b) {
			ms += int(b[i+1] - '0')
		}
	}
	_, ok := digits(b[1:])
	return ms, ok
}

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
