package antigravity_test

import (
	"encoding/json"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/antigravity"
)

// TestPromptUnwrapped: a prompt is what the user typed, with tags that he typed and without what the harness put behind it.
func TestPromptUnwrapped(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{"<USER_REQUEST>\nhi\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx\n</ADDITIONAL_METADATA>", "hi"},
		{"<USER_REQUEST>\nhi\n</USER_REQUEST>", "hi"},
		{"<USER_REQUEST>\nunclosed\n<ADDITIONAL_METADATA>\nx", "unclosed"},
		{"plain\n<USER_SETTINGS_CHANGE>\nx\n<ADDITIONAL_METADATA>\ny", "plain"},
		{"what is `<USER_REQUEST>`?\n<USER_REQUEST>x</USER_REQUEST> it says", "what is `<USER_REQUEST>`?\n<USER_REQUEST>x</USER_REQUEST> it says"},
		{"<USER_REQUEST>\na <USER_REQUEST>b</USER_REQUEST> c\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nx", "a <USER_REQUEST>b</USER_REQUEST> c"},
		{"<USER_REQUEST>\na\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n</USER_REQUEST>\n</ADDITIONAL_METADATA>", "a"},
		{"<USER_REQUEST>\na\n<ADDITIONAL_METADATA> is a tag\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx", "a\n<ADDITIONAL_METADATA> is a tag"},
	} {
		line, err := json.Marshal(map[string]any{"step_index": 0, "type": "USER_INPUT", "source": "USER_EXPLICIT", "content": tt.content})
		if err != nil {
			t.Fatal(err)
		}
		events, err := antigravity.New(collector.Host{}).Decode(nil, collector.Stream{ID: "antigravity/log/x"}, collector.Record{Data: line})
		if err != nil {
			t.Fatal(err)
		}
		if got := events[len(events)-1].Text.Preview; got != tt.want {
			t.Errorf("%q: %q, want %q", tt.content, got, tt.want)
		}
	}
}
