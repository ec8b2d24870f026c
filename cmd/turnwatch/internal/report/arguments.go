package report

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
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

// gist is what a call's arguments are about, on one line: the first text among them.
func gist(args collector.Text) string {
	text := args.Preview
	dec := json.NewDecoder(strings.NewReader(text))
	if open, err := dec.Token(); err == nil && open == json.Delim('{') {
		for dec.More() {
			var value any
			if _, err := dec.Token(); err != nil || dec.Decode(&value) != nil {
				break // cut off
			}
			if s, ok := value.(string); ok && s != "" {
				text = s
				break
			}
		}
	}
	return screen.Clip(screen.Line(text), 160)
}
