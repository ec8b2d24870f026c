package opencode

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// user decodes a message of the user's, or one that the program made up in the user's name.
func (d *decoder) user(parts []*fastjson.Value) {
	var typed, attached []*fastjson.Value
	var madeUp *fastjson.Value
	silent := false
	for _, p := range parts {
		p = p.Get("part")
		switch typ := jsonl.Str(p, "type"); typ {
		case "text":
			switch {
			case jsonl.Bool(p, "ignored"):
			case !jsonl.Bool(p, "synthetic"):
				typed = append(typed, p.Get("text"))
			case jsonl.Bool(p, "metadata", "compaction_continue"):
				silent = true // the turn goes on with a shorter history
			default:
				madeUp = p.Get("text")
			}
		case "subtask":
			typed = append(typed, p.Get("prompt"))
		case "file":
			attached = append(attached, p.Get("filename"))
		case "compaction":
			silent = true // the summary that follows says what it needs
		case "agent":
		default:
			d.unknown("part " + typ)
		}
	}
	text := jsonl.Join(d.limit, typed...)
	if text.Bytes == 0 && !silent && madeUp == nil {
		text = jsonl.Join(d.limit, attached...)
	}
	d.turn = d.message
	switch {
	case text.Bytes > 0:
		ev := d.add(collector.EventPrompt)
		ev.Key, ev.Origin, ev.Text = d.message, collector.PromptHuman, text
	case madeUp != nil && !silent:
		ev := d.add(collector.EventPrompt)
		ev.Key, ev.Origin, ev.Joins, ev.Text = d.message, collector.PromptAuto, true, jsonl.Clip(madeUp, d.limit)
	}
}
