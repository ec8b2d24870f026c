package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// textLimit is where a single text is cut, in bytes.
const textLimit = 10 << 10

const truncated = "[truncated]"

// builder makes messages of events. It is fed what stands on a page, in order, and what stands before it back to the
// beginning of a response, so that copies and results find what they belong to.
type builder struct {
	messages []message
	unknown  bool // show what no source knows

	trips   map[string]int             // message by the name of its round trip
	latest  string                     // the name of the newest of them
	early   map[string]collector.Event // usage by the name of a response that has not begun
	calls   map[string]place
	failed  map[string]collector.Ref // side record that said so of a call
	prompts map[string]bool
	texts   map[[2]string]bool
	ranks   map[string]collector.UsageRank // witness of a message's usage
	open    int                            // the open unnamed response; -1 = none
	names   map[int64]int                  // messages named after a line
}

// message is a message and the last line that said something about it.
type message struct {
	collector.ConversationMessage
	last int64
}

// place is a part of a message.
type place struct{ message, part int }

func newBuilder() *builder {
	return &builder{
		trips: map[string]int{}, early: map[string]collector.Event{}, calls: map[string]place{}, failed: map[string]collector.Ref{}, prompts: map[string]bool{},
		texts: map[[2]string]bool{}, ranks: map[string]collector.UsageRank{}, open: -1, names: map[int64]int{},
	}
}

// add takes in an event of the record at ref.
func (b *builder) add(ev *collector.Event, ref collector.Ref) {
	switch ev.Kind {
	case collector.EventFacts:
		if ev.Facts.Resumed { // names may be given anew from here on
			b.newNames()
			clear(b.calls)
			clear(b.failed)
			clear(b.texts)
		}
	case collector.EventPrompt:
		b.prompt(ev, ref)
	case collector.EventTurnStart, collector.EventRoundTripStart:
		b.open = -1
	case collector.EventText:
		b.text(ev, ref)
	case collector.EventUsage, collector.EventRoundTripEnd:
		b.usage(ev, ref)
	case collector.EventCall:
		b.call(ev, ref)
	case collector.EventResult:
		b.result(ev, ref)
	case collector.EventMarker:
		if ev.Marker == collector.MarkerSkill && ev.MarkerStatus != collector.MarkerPending && ev.Text.Bytes > 0 {
			b.user(ev, ref, collector.KindSkill, collector.ConversationPart{Type: collector.PartText, ConversationText: text(ev.Text, ref), Name: ev.Name})
		}
	case collector.EventUnknown:
		if b.unknown {
			b.user(ev, ref, collector.KindUnknown, collector.ConversationPart{Type: collector.PartText, Name: ev.Name})
		}
	}
}

func text(t collector.Text, ref collector.Ref) collector.ConversationText {
	c := collector.ConversationText{Text: t.Preview, Bytes: max(t.Bytes, int64(len(t.Preview))), Ref: ref}
	if t.Clipped() {
		c.Text += truncated
		c.Truncated = true
	}
	return c
}

// message begins one and returns its number.
func (b *builder) message(id string, ev *collector.Event, ref collector.Ref, kind collector.MessageKind) int {
	m := message{ConversationMessage: collector.ConversationMessage{
		ID: id, Line: ref.Line, Type: collector.RoleUser, Kind: kind, At: ev.Time, Turn: -1, Content: []collector.ConversationPart{},
	}}
	if kind == collector.KindResponse {
		m.Type = collector.RoleAssistant
	}
	// The line tells responses apart that have one name: agents may give names anew when they resume.
	m.ID = strings.TrimPrefix(id+":line:"+strconv.FormatInt(ref.Line, 10), ":")
	if n := b.names[ref.Line]; n > 0 {
		m.ID += "." + strconv.Itoa(n+1)
	}
	b.names[ref.Line]++
	b.messages = append(b.messages, m)
	return len(b.messages) - 1
}

// part adds a part to a message.
func (b *builder) part(i int, p collector.ConversationPart) place {
	m := &b.messages[i]
	m.Content = append(m.Content, p)
	m.last = max(m.last, p.Ref.Line)
	return place{i, len(m.Content) - 1}
}

// user adds a message of the user's.
func (b *builder) user(ev *collector.Event, ref collector.Ref, kind collector.MessageKind, p collector.ConversationPart) place {
	b.open = -1
	if kind != collector.KindResult {
		b.newNames()
	}
	p.Ref = ref
	return b.part(b.message("", ev, ref, kind), p)
}

func (b *builder) prompt(ev *collector.Event, ref collector.Ref) {
	if ev.Key != "" {
		if b.prompts[ev.Key] {
			return
		}
		b.prompts[ev.Key] = true
	}
	kind := collector.KindPrompt
	switch {
	case ev.Origin == collector.PromptAuto:
		kind = collector.KindNotification
	case ev.Tentative:
		kind = collector.KindCommand
	case ev.Origin == collector.PromptAgent:
		kind = collector.KindTask
	case ev.Joins:
		kind = collector.KindSteer
	}
	b.user(ev, ref, kind, collector.ConversationPart{Type: collector.PartText, ConversationText: text(ev.Text, ref), Name: ev.Name})
}

// newNames forgets which responses have begun.
func (b *builder) newNames() {
	b.open, b.latest = -1, ""
	clear(b.trips)
	clear(b.early)
}

// response returns the message of the event's round trip.
func (b *builder) response(ev *collector.Event, ref collector.Ref) int {
	name := ev.RoundTrip
	if name == collector.LatestRoundTrip {
		name = b.latest
	}
	i, known := b.trips[name]
	if name == "" {
		i, known = b.open, b.open >= 0
	}
	if !known {
		i = b.message(name, ev, ref, collector.KindResponse)
		if name == "" {
			b.open = i
		} else {
			b.trips[name], b.latest = i, name
		}
		if usage, waits := b.early[name]; waits {
			delete(b.early, name)
			b.usage(&usage, ref)
		}
	}
	m := &b.messages[i]
	m.Model = cmp.Or(ev.Model, m.Model)
	m.last = max(m.last, ref.Line)
	return i
}

func (b *builder) text(ev *collector.Event, ref collector.Ref) {
	if ev.Text.Bytes == 0 && !ev.Redacted {
		return
	}
	i := b.response(ev, ref)
	if ev.Key != "" {
		name := [2]string{b.messages[i].ID, ev.Key}
		if b.texts[name] {
			return
		}
		b.texts[name] = true
	}
	p := collector.ConversationPart{Type: collector.PartText, ConversationText: text(ev.Text, ref), Redacted: ev.Redacted}
	if ev.Thinking || ev.Redacted {
		p.Type = collector.PartThinking
	}
	b.part(i, p)
}

func (b *builder) call(ev *collector.Event, ref collector.Ref) {
	if at, known := b.calls[ev.Call]; known && ev.Call != "" {
		p := &b.messages[at.message].Content[at.part]
		p.Name, p.Category = cmp.Or(p.Name, ev.Tool), cmp.Or(p.Category, ev.Category)
		if p.Text == "" {
			p.ConversationText = text(ev.Args, p.Ref)
		}
		return
	}
	p := collector.ConversationPart{
		Type: collector.PartToolUse, ConversationText: text(ev.Args, ref), ID: ev.Call, Name: ev.Tool, Category: ev.Category,
	}
	if ev.Unasked {
		b.calls[ev.Call] = b.user(ev, ref, collector.KindCommand, p)
		return
	}
	b.calls[ev.Call] = b.part(b.response(ev, ref), p)
}
