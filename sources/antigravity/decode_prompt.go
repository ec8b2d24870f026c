package antigravity

import (
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// prompt takes what the user typed. It is wrapped, with the time and changed settings behind it.
func (d *decoder) prompt(s *step, source string) {
	content := jsonl.Str(s.v, "content")
	d.selection(s, content)
	ev := s.event(collector.EventPrompt)
	ev.Key = s.name
	ev.Origin = collector.PromptHuman
	if source != "USER_EXPLICIT" && source != "" {
		ev.Origin = collector.PromptAuto
	}
	ev.Text = jsonl.ClipString(unwrap(content), d.limit)
	d.add(ev)
}

const (
	requestBegin = "<USER_REQUEST>"
	requestEnd   = "</USER_REQUEST>"
)

// blocks are what the harness writes behind a prompt, each on a line of its own.
var blocks = []string{"\n<ADDITIONAL_METADATA>", "\n<USER_SETTINGS_CHANGE>"}

// unwrap returns what the user typed, who may have typed the tags, too: what stands between the first tag and the one
// before the first block; everything before that block where there are none.
func unwrap(content string) string {
	content = "\n" + strings.TrimLeft(content, "\n")
	rest, wrapped := strings.CutPrefix(content, "\n"+requestBegin)
	end := len(rest)
	for _, block := range blocks {
		if wrapped && strings.Contains(rest, requestEnd+block) {
			block = requestEnd + block
		}
		if i := strings.Index(rest, block); i >= 0 {
			end = min(end, i)
		}
	}
	rest = rest[:end]
	if wrapped {
		rest = strings.TrimSuffix(strings.TrimRight(rest, "\n"), requestEnd)
	}
	return strings.Trim(rest, "\n")
}

// maxModel is the longest name of a model that is believed.
const maxModel = 100

// selection takes the model that the user selected before the prompt. The sentence is
//
//	The user changed setting `Model Selection` from None to Some Model 3.6 (High). No need to …
func (d *decoder) selection(s *step, content string) {
	_, block, _ := strings.Cut(content, "<USER_SETTINGS_CHANGE>")
	_, rest, found := strings.Cut(block, "`Model Selection` from ")
	from, rest, ok := strings.Cut(rest, " to ")
	if !found || !ok {
		return
	}
	to := rest
	if i := strings.IndexAny(rest, "\n"); i >= 0 {
		to = rest[:i]
	}
	to, _, _ = strings.Cut(to, ". ")
	to = strings.TrimSuffix(strings.TrimSpace(to), ".")
	if to == "" || len(to) > maxModel || len(from) > maxModel {
		return
	}
	ev := s.event(collector.EventFacts)
	ev.Facts = &collector.Facts{Model: to}
	d.add(ev)
	if from != "None" && from != to {
		mark := s.event(collector.EventMarker)
		mark.Key, mark.Marker, mark.MarkerStatus, mark.Name = s.name+" model", collector.MarkerModel, collector.MarkerOK, to
		mark.Text = jsonl.ClipString("was "+from, d.limit)
		d.add(mark)
	}
}

// notice takes what the harness told the model or the user. A CHECKPOINT is a summary that stands for the steps before it;
// it was also seen after two steps, so it does not show that history was left out, and is no compaction here.
func (d *decoder) notice(s *step) {
	text := jsonl.Str(s.v, "content")
	if _, inner, ok := strings.Cut(text, "\n<SYSTEM_MESSAGE>"); ok {
		text, _, _ = strings.Cut(inner, "</SYSTEM_MESSAGE>")
	}
	if _, said, ok := strings.Cut(text, " content="); ok && strings.Contains(text, "[Message]") {
		text = said
	}
	ev := s.event(collector.EventMarker)
	ev.Key, ev.Marker, ev.MarkerStatus = s.name+" notice", collector.MarkerNotice, collector.MarkerOK
	ev.Name = strings.ToLower(s.kind)
	ev.Text = jsonl.ClipString(strings.TrimSpace(text), d.limit)
	d.add(ev)
}
