package claude

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// skillCalled marks the use of a skill. Where it comes from is told when it is loaded.
func (d *decoder) skillCalled(call string, input *fastjson.Value) {
	name := jsonl.Str(input, "skill")
	if name == "" {
		name = jsonl.Str(input, "command")
	}
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.Name, ev.Call, ev.Key = collector.MarkerSkill, strings.TrimPrefix(name, "/"), call, "skill:"+call
	ev.Source = skillSource(name)
	ev.MarkerStatus = collector.MarkerOK
}

// skillLoaded completes the marker when the skill's text is given to the model.
func (d *decoder) skillLoaded(t string) {
	const said = "Base directory for this skill: "
	dir, found := strings.CutPrefix(t, said)
	call := text(d.sourceCall)
	if !found || call == "" {
		return
	}
	dir, _, _ = strings.Cut(dir, "\n")
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.Call, ev.Key, ev.MarkerStatus = collector.MarkerSkill, call, "skill:"+call, collector.MarkerOK
	cwd := text(d.cwd)
	switch {
	case strings.Contains(dir, "/plugins/"):
		ev.Source = "plugin"
	case cwd != "" && strings.HasPrefix(dir, cwd):
		ev.Source = "project"
	default:
		ev.Source = "user"
	}
}

// skillSource is what a skill's name tells: plugins' are "<plugin>:<skill>".
func skillSource(name string) string {
	if strings.Contains(name, ":") {
		return "plugin"
	}
	return ""
}
