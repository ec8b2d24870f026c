package transcript

import (
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// whole finds the parts of a fold with whole texts by where they stand.
type whole struct {
	prompts map[int64]collector.Text
	trips   map[int64]*collector.RoundTrip
	calls   map[callPlace]*collector.ToolCall
	markers map[markerPlace]*collector.Marker
	replies map[int64]collector.Text // by the first record of the turn
}

type callPlace struct {
	key    string
	offset int64
}

type markerPlace struct {
	kind   collector.MarkerKind
	name   string
	offset int64
}

func wholeTexts(f *fold.Session) whole {
	w := whole{
		map[int64]collector.Text{}, map[int64]*collector.RoundTrip{}, map[callPlace]*collector.ToolCall{},
		map[markerPlace]*collector.Marker{}, map[int64]collector.Text{},
	}
	for _, t := range f.Turns() {
		w.prompts[t.Prompt.Ref.Offset] = t.Prompt
		w.replies[t.Reply.Ref.Offset] = t.Reply
		for _, r := range t.RoundTrips {
			w.trips[r.Ref.Offset] = r
		}
		for _, c := range t.ToolCalls {
			w.calls[callPlace{c.Key, c.Ref.Offset}] = c
		}
		for _, m := range t.Markers {
			w.markers[markerPlace{m.Kind, m.Name, m.Ref.Offset}] = m
		}
	}
	return w
}

// fill replaces the previews of t by whole texts.
func (w whole) fill(t *collector.Turn) {
	fillText(&t.Prompt, w.prompts[t.Prompt.Ref.Offset])
	fillText(&t.Reply, w.replies[t.Reply.Ref.Offset])
	for _, r := range t.RoundTrips {
		if o := w.trips[r.Ref.Offset]; o != nil {
			fillText(&r.Text, o.Text)
			fillText(&r.Thinking, o.Thinking)
		}
	}
	for _, c := range t.ToolCalls {
		if o := w.calls[callPlace{c.Key, c.Ref.Offset}]; o != nil {
			fillCall(c, o)
		}
	}
	for _, m := range t.Markers {
		if o := w.markers[markerPlace{m.Kind, m.Name, m.Ref.Offset}]; o != nil {
			fillText(&m.Text, o.Text)
		}
	}
}

func fillCall(c, whole *collector.ToolCall) {
	fillText(&c.Args, whole.Args)
	fillText(&c.Result, whole.Result)
}

func fillText(dst *collector.Text, whole collector.Text) {
	if len(whole.Preview) > len(dst.Preview) {
		dst.Preview = whole.Preview
	}
}
