package api_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
)

// unmasked are the fields of answers that leave as they are: names that programs give, and what the user wrote for Turnwatch.
var unmasked = []string{
	"agent", "at", "attachedSession", "better", "call", "candidates", "categories", "category", "change", "child", "code", "dataDir",
	"day", "doc", "duplicateOf", "flagKinds", "flags", "folder", "forkedFrom", "id", "in", "key", "kind", "label", "labels", "lane",
	"model", "name", "next", "onMultiple", "origin", "parent", "parentCall", "pricesDate", "reason", "role", "scope", "sentence",
	"session", "sessionId", "source", "state", "status", "statuses", "stopReason", "target", "tool", "tools", "trust", "type",
	"tz", "unit", "verdict", "version", "within",
}

// TestNoFieldForgetsToMask fills every text of every answer with a secret and lets it out: no field keeps it but those that
// hold names. A new field is masked, or stands in the list above.
func TestNoFieldForgetsToMask(t *testing.T) {
	_, s := start(t, api.Config{}, deps())
	seen := map[string]bool{}
	n := 0
	for name, typ := range api.AnswerTypes(s) {
		if name == "reveal" {
			continue
		}
		v := reflect.New(typ)
		fill(v.Elem(), planted(), 0)
		out, err := api.Outbound(v.Elem().Interface())
		if err != nil {
			if out, err = api.Outbound(v.Interface()); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
		}
		n++
		b, err := json.Marshal(out)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var tree any
		if err := json.Unmarshal(b, &tree); err != nil {
			t.Fatal(err)
		}
		leaks(tree, "", func(field string) { seen[field] = true })
	}
	if n < 15 {
		t.Errorf("only %d answers were looked at", n)
	}
	if diff := cmp.Diff(unmasked, slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Errorf("fields that keep a secret (-may +do):\n%s", diff)
	}
}

// fill sets every text in v, with one element in each list and map.
func fill(v reflect.Value, text string, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if depth < 12 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), text, depth+1)
		}
	case reflect.Slice:
		if depth < 12 && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), text, depth+1)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, "key", depth+1)
		fill(value, text, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text, depth+1)
			}
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(text))
		}
	}
}

// leaks calls found with the name of each field that holds the secret.
func leaks(v any, field string, found func(field string)) {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, planted()) {
			found(field)
		}
	case []any:
		for _, e := range v {
			leaks(e, field, found)
		}
	case map[string]any:
		for k, e := range v {
			leaks(e, k, found)
		}
	}
}
