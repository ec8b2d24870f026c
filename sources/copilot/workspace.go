package copilot

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// decodeWorkspace takes the title from workspace.yaml; the place is left to the log where that says it. The file is flat
// YAML and rewritten in place, so what cannot be made out is left out.
func decodeWorkspace(dst []collector.Event, r collector.Record) []collector.Event {
	f := flatYAML(string(r.Data))
	title := f["name"]
	if title == "" {
		title = f["summary"] // 1.0.20
	}
	if title != "" {
		facts := &collector.Facts{Title: title, TitleRank: collector.TitleSummary}
		if f["user_named"] == "true" {
			facts.TitleRank = collector.TitleUser
		}
		dst = append(dst, collector.Event{Kind: collector.EventFacts, Facts: facts})
	}
	place := &collector.Facts{Cwd: f["cwd"], Repo: f["repository"], Branch: f["branch"], StartedAt: millis(f["created_at"]), Fallback: true}
	if *place != (collector.Facts{Fallback: true}) {
		dst = append(dst, collector.Event{Kind: collector.EventFacts, Facts: place})
	}
	return dst
}

// flatYAML reads "key: value" lines; a block text ("key: |-") becomes one line.
func flatYAML(text string) map[string]string {
	out := map[string]string{}
	block := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n\x00")
		if block != "" && (strings.HasPrefix(line, " ") || line == "") {
			out[block] = strings.TrimSpace(out[block] + " " + strings.TrimSpace(line))
			continue
		}
		block = ""
		key, value, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.ContainsAny(key, " #") {
			continue
		}
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
			block, value = key, ""
		}
		out[key] = unquote(value)
	}
	return out
}

func unquote(v string) string {
	switch {
	case len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"':
		var s string
		if json.Unmarshal([]byte(v), &s) == nil {
			return s
		}
		return v[1 : len(v)-1]
	case len(v) >= 2 && v[0] == '\'' && v[len(v)-1] == '\'':
		return strings.ReplaceAll(v[1:len(v)-1], "''", "'")
	case v == "null" || v == "~":
		return ""
	}
	return v
}

// millis takes a time as the CLI or SQLite's datetime() writes it.
func millis(s string) int64 {
	for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMilli()
		}
	}
	return 0
}
