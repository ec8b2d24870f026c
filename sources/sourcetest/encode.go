package sourcetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/turnwatch/turnwatch/collector"
)

// encoder writes goldens: JSON without zero values, a line per event, turn or part of a turn, and texts, measures, hashes
// and places in short forms that a person can review.
type encoder struct {
	buf    bytes.Buffer
	hashes map[uint64]int
}

func (e *encoder) value(v any) { e.reflect(reflect.ValueOf(v), "") }

func (e *encoder) reflect(v reflect.Value, name string) {
	if s, ok := e.short(v, name); ok {
		e.json(s)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		e.reflect(v.Elem(), name)
	case reflect.Struct:
		e.buf.WriteByte('{')
		e.fields(v, true)
		e.buf.WriteByte('}')
	case reflect.Slice:
		e.slice(v, name)
	case reflect.Map:
		e.mapping(v)
	default:
		e.json(v.Interface())
	}
}

func (e *encoder) fields(v reflect.Value, first bool) bool {
	for i := range v.NumField() {
		f, fv := v.Type().Field(i), v.Field(i)
		if f.Name == "Changed" || isZero(fv) && f.Type != kindType {
			continue
		}
		if f.Anonymous {
			first = e.fields(fv, first)
			continue
		}
		if !first {
			e.buf.WriteByte(',')
		}
		first = false
		name := fieldName(f)
		e.json(name)
		e.buf.WriteByte(':')
		e.reflect(fv, name)
	}
	return first
}

func (e *encoder) slice(v reflect.Value, name string) {
	elem := v.Type().Elem()
	if elem.Kind() == reflect.Pointer {
		elem = elem.Elem()
	}
	e.buf.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if elem.Kind() == reflect.Struct {
			e.buf.WriteByte('\n')
		}
		e.reflect(v.Index(i), name)
	}
	e.buf.WriteByte(']')
}

func (e *encoder) mapping(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	e.buf.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		e.json(k.String())
		e.buf.WriteByte(':')
		e.reflect(v.MapIndex(k), "")
	}
	e.buf.WriteByte('}')
}

// short returns the short form of what has one.
func (e *encoder) short(v reflect.Value, name string) (any, bool) {
	switch x := v.Interface().(type) {
	case collector.EventKind:
		return kindNames[x], true
	case collector.UsageRank:
		return rankNames[x], true
	case collector.Tristate:
		return []string{"unsure", "yes", "no"}[x], true
	case collector.Text:
		if x.Clipped() {
			return fmt.Sprintf("%s… of %d", x.Preview, x.Bytes), true
		}
		return x.Preview, true
	case collector.Ref:
		return place(x), true
	case collector.Count:
		return measure(x), true
	case collector.Amount:
		return measure(x), true
	case uint64:
		if strings.HasSuffix(name, "Hash") {
			if _, ok := e.hashes[x]; !ok {
				e.hashes[x] = len(e.hashes) + 1
			}
			return "#" + strconv.Itoa(e.hashes[x]), true
		}
	}
	return nil, false
}

func (e *encoder) json(v any) {
	enc := json.NewEncoder(&e.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only scalars come here
	}
	e.buf.Truncate(e.buf.Len() - 1)
}

func measure[N collector.Number](m collector.Measure[N]) any {
	switch m.Quality {
	case collector.QualityExact:
		return m.Value
	case collector.QualityPartial:
		return fmt.Sprintf("≥%v", m.Value)
	}
	return "unknown"
}

// place names a record: its line, else its offset.
func place(r collector.Ref) string {
	if r.Line > 0 {
		return "L" + strconv.FormatInt(r.Line, 10)
	}
	return "@" + strconv.FormatInt(r.Offset, 10)
}

// isZero reports whether a field says nothing. An exact zero says something.
func isZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		if t, ok := v.Interface().(collector.Text); ok {
			return t.Preview == "" && t.Bytes == 0
		}
		for i := range v.NumField() {
			if !isZero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

func fieldName(f reflect.StructField) string {
	if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
		return tag
	}
	r := []rune(f.Name)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

var kindType = reflect.TypeFor[collector.EventKind]()

var kindNames = map[collector.EventKind]string{
	collector.EventUnknown: "unknown", collector.EventMalformed: "malformed", collector.EventFacts: "facts",
	collector.EventPrompt: "prompt", collector.EventTurnStart: "turnStart", collector.EventTurnEnd: "turnEnd",
	collector.EventRoundTripStart: "roundTripStart", collector.EventText: "text", collector.EventUsage: "usage",
	collector.EventRoundTripEnd: "roundTripEnd", collector.EventCall: "call", collector.EventResult: "result",
	collector.EventMarker: "marker", collector.EventInherit: "inherit", collector.EventRewind: "rewind",
}

var rankNames = map[collector.UsageRank]string{
	collector.UsageNone: "none", collector.UsagePartial: "partial", collector.UsageCumulative: "cumulative",
	collector.UsageTable: "table", collector.UsageExact: "exact",
}
