package report

import (
	"bytes"
	"encoding/json"
	"strings"
)

// arguments writes a JSON object as lines of «name: value», in its order; "" if the text is no whole object.
func arguments(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	var b strings.Builder
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return ""
		}
		b.WriteString(name.(string) + ": " + argument(value) + "\n")
	}
	if _, err := dec.Token(); err != nil || dec.More() {
		return ""
	}
	return b.String()
}

// argument writes a string as it is, its further lines indented, and all else as JSON.
func argument(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
	}
	var flat bytes.Buffer
	if json.Compact(&flat, value) != nil {
		return string(value)
	}
	return flat.String()
}
