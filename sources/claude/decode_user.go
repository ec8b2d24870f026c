package claude

import (
	"bytes"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// user decodes a line in the user's name: a prompt, the result of a call, or what the harness tells the model.
func (d *decoder) user() {
	content := d.message.Get("content")
	blocks := content.GetArray()
	if len(blocks) == 0 {
		d.said(content.GetStringBytes())
		return
	}
	results := 0
	for _, b := range blocks {
		if string(word(b.Get("type"))) == "tool_result" {
			d.result(b)
			results++
		}
	}
	if results > 0 {
		return
	}
	d.blocks(blocks)
}

// blocks decodes a prompt in several blocks: images, and texts of which the harness may have added some.
func (d *decoder) blocks(blocks []*fastjson.Value) {
	var parts []string
	images := 0
	for _, b := range blocks {
		switch typ := word(b.Get("type")); string(typ) {
		case "text":
			whole := b.GetStringBytes("text")
			if bytes.HasPrefix(whole, []byte("[Request interrupted")) {
				d.interrupted(string(whole))
				return
			}
			if t := stripped(whole); len(t) > 0 {
				parts = append(parts, string(t))
			}
		case "image", "document":
			images++
		default:
			d.unknown("user/" + string(typ))
		}
	}
	switch {
	case len(parts) == 1:
		d.said([]byte(parts[0]))
	case len(parts) > 1:
		d.said([]byte(strings.Join(parts, "\n")))
	case images > 0:
		d.said([]byte("[image]"))
	}
}

// said decodes text in the user's name.
func (d *decoder) said(whole []byte) {
	t := stripped(whole)
	switch kindOfText(t) {
	case textInterrupt:
		d.interrupted(string(t))
	case textNotification:
		d.notification(string(t), !d.isMeta())
	case textOutput:
		d.modelSet(t)
	case textHarness:
	case textCommand:
		d.slashCommand(string(t))
	case textShell:
		if !d.isMeta() {
			d.prompt("! " + between(string(t), "<bash-input>", "</bash-input>")).Tentative = true
		}
	default:
		d.plain(string(t))
	}
}

func (d *decoder) isMeta() bool { return truth(d.meta) || truth(d.summary) }

// plain decodes text that is no wrapped one: a prompt, unless the line says that the harness wrote it.
func (d *decoder) plain(t string) {
	switch {
	case truth(d.summary) || t == "":
	case truth(d.meta):
		d.skillLoaded(t)
	case truth(d.sidechain) && !d.isChild():
		// A sub-agent of before 1.0.8x, inside its parent's transcript and without a name: its responses are
		// the parent's turn's, and its prompt is an argument of the parent's call.
	default:
		d.prompt(t)
	}
}

// prompt adds a prompt of whom the line names.
func (d *decoder) prompt(t string) *collector.Event {
	d.envelope()
	ev := d.add(collector.EventPrompt)
	ev.Text = jsonl.ClipString(t, d.limit)
	ev.Origin = d.promptOrigin(strings.HasPrefix(t, "<teammate-message"))
	return ev
}

// promptOrigin says who asked.
func (d *decoder) promptOrigin(byTeammate bool) collector.PromptOrigin {
	switch k := word(d.origin.Get("kind")); string(k) {
	case "":
	case "human":
		return collector.PromptHuman
	case "coordinator", "teammate", "peer", "agent":
		return collector.PromptAgent
	default: // task-notification, schedules, channels
		return collector.PromptAuto
	}
	switch t := word(d.turnOrigin); string(t) {
	case "", "human", "sdk":
	default:
		return collector.PromptAuto
	}
	if string(word(d.promptSource)) == "system" {
		return collector.PromptAuto
	}
	if d.isChild() || byTeammate {
		return collector.PromptAgent
	}
	return collector.PromptHuman
}

// interrupted decodes the line that an interrupt leaves.
func (d *decoder) interrupted(t string) {
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.MarkerStatus, ev.Name = collector.MarkerAbort, collector.MarkerFailed, "interrupt"
	ev.Text = jsonl.ClipString(t, d.limit)
	d.add(collector.EventTurnEnd).TurnStatus = collector.TurnInterrupted
}

// slashCommand decodes a command as its typing, "/x args". Most commands are done without the model.
func (d *decoder) slashCommand(t string) {
	if d.isMeta() {
		return
	}
	name := strings.TrimSpace(between(t, "<command-name>", "</command-name>"))
	args := strings.TrimSpace(between(t, "<command-args>", "</command-args>"))
	if name == "" {
		return
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	d.prompt(strings.TrimSpace(name + " " + args)).Tentative = true
	if strings.Contains(t, "<skill-format>true</skill-format>") {
		ev := d.add(collector.EventMarker)
		ev.Marker, ev.Name, ev.Source = collector.MarkerSkill, name[1:], skillSource(name)
	}
}

// modelSet decodes what /model answers.
func (d *decoder) modelSet(t []byte) {
	const said = "Set model to "
	out := between(string(t[:min(len(t), 500)]), "<local-command-stdout>", "</local-command-stdout>")
	at := strings.Index(out, said)
	if at < 0 {
		return
	}
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.Name = collector.MarkerModel, plainText(out[at+len(said):])
}

// plainText drops terminal escapes.
func plainText(s string) string {
	var b strings.Builder
	for rest := s; rest != ""; {
		before, after, found := strings.Cut(rest, "\x1b[")
		b.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "m")
	}
	return strings.TrimSpace(b.String())
}

// between returns what stands between two tags, up to the end if the second is missing.
func between(s, from, to string) string {
	_, s, ok := strings.Cut(s, from)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, to)
	return s
}
