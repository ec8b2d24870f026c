package claude

import (
	"path/filepath"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// document decodes a small file beside the transcripts.
func (d *decoder) document(v *fastjson.Value) {
	if v.GetObject() == nil {
		d.add(collector.EventMalformed).Text = jsonl.ClipString("not an object", 0)
		return
	}
	if filepath.Base(d.stream.Path) == "custom-title.json" {
		d.facts(collector.Facts{Title: jsonl.Str(v, "customTitle"), TitleRank: collector.TitleUser})
		return
	}
	d.agentMeta(v)
}

// agentMeta decodes a sub-agent's meta.json. 2.1.112 states its type and task; 2.1.332 also the call that started it
// and, from the second depth on, the sub-agent that made the call.
func (d *decoder) agentMeta(v *fastjson.Value) {
	root := d.stream.Session.Root()
	f := collector.Facts{
		Parent:     root,
		ParentCall: jsonl.Str(v, "toolUseId"),
		Role:       jsonl.Str(v, "agentType"),
		Title:      jsonl.Str(v, "description"),
		TitleRank:  collector.TitleAuto,
	}
	if own := jsonl.Str(v, "parentAgentId"); own != "" {
		f.Parent = root.Child(own)
	}
	d.facts(f)
}
