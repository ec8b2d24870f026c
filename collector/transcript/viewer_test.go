package transcript_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// viewer puts pages together as whoever shows them does: parts go to the message of their id, results to their calls.
type viewer struct {
	messages []collector.ConversationMessage
}

func (v *viewer) older(c collector.Conversation) {
	v.messages = append(slices.Clone(c.Messages), v.messages...)
}

func (v *viewer) newer(c collector.Conversation) { v.messages = append(v.messages, c.Messages...) }

// assembled returns the messages with what belongs to them, by id.
func (v *viewer) assembled() []collector.ConversationMessage {
	byID := map[string]int{}
	results := map[string][]collector.ConversationPart{}
	var all []collector.ConversationMessage
	for _, m := range v.messages {
		var own []collector.ConversationPart
		for _, p := range m.Content {
			if p.Type == collector.PartToolResult {
				results[p.ID] = append(results[p.ID], p)
			} else {
				own = append(own, p)
			}
		}
		if m.Kind == collector.KindResult {
			continue
		}
		m.Content = own
		if i, known := byID[m.ID]; known {
			all[i].Content = append(all[i].Content, own...)
			if m.Usage != nil {
				all[i].Usage = m.Usage
			}
			continue
		}
		byID[m.ID] = len(all)
		all = append(all, m)
	}
	for i := range all {
		for j := range all[i].Content {
			if p := &all[i].Content[j]; p.Type == collector.PartToolUse {
				for _, r := range results[p.ID] {
					take(p, r)
				}
			}
		}
	}
	return all
}

// take gives a call a result that stood on another page. One that comes again tells of a failure at most.
func take(p *collector.ConversationPart, r collector.ConversationPart) {
	if p.Result == nil {
		p.Result = &collector.ResultOfPart{ConversationText: r.ConversationText, Status: r.Status, Error: r.Error}
	} else if r.Status == collector.CallFailed {
		failed := *p.Result
		failed.Status = r.Status
		p.Result = &failed
	}
}

func (v *viewer) check(t *testing.T, id collector.SessionID, how string, whole collector.Conversation) {
	t.Helper()
	want := viewer{whole.Messages}
	if d := cmp.Diff(want.assembled(), v.assembled()); d != "" {
		t.Errorf("%s: read %s (-whole +pages):\n%s", id, how, d)
	}
}
