package transcript

import (
	"cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// result joins a result to its call, or makes a message of it if the call stands on another page.
func (b *builder) result(ev *collector.Event, ref collector.Ref) {
	at, known := b.calls[ev.Call]
	if ev.Enriches {
		b.enriched(at, known, ev, ref)
		return
	}
	b.open = -1
	status := cmp.Or(ev.CallStatus, collector.CallOK)
	if _, failed := b.failed[ev.Call]; failed {
		status = collector.CallFailed
	}
	if !known {
		b.orphan(ev, ref, status)
		return
	}
	p := &b.messages[at.message].Content[at.part]
	if p.Result != nil && p.Result.Status != collector.CallInterrupted && p.Result.Status != collector.CallPending {
		return // the first real answer counts
	}
	p.Result = &collector.ResultOfPart{ConversationText: text(ev.Text, ref), Status: status, Error: ev.Error}
	m := &b.messages[at.message]
	m.last = max(m.last, ref.Line)
}

// enriched takes in what a side record says about a call: a failure that it knows of is one, even if the result, which
// was there before, said nothing of it.
func (b *builder) enriched(at place, known bool, ev *collector.Event, ref collector.Ref) {
	if ev.CallStatus != collector.CallFailed {
		return
	}
	if !known {
		late := *ev
		late.Text = collector.Text{}
		b.orphan(&late, ref, ev.CallStatus)
		return
	}
	b.failed[ev.Call] = ref
	m := &b.messages[at.message]
	m.last = max(m.last, ref.Line)
	if r := m.Content[at.part].Result; r != nil {
		r.Status, r.Error = ev.CallStatus, cmp.Or(r.Error, ev.Error)
	}
}

// orphan shows a result alone; those of one record stand in one message.
func (b *builder) orphan(ev *collector.Event, ref collector.Ref, status collector.CallStatus) {
	part := collector.ConversationPart{
		Type: collector.PartToolResult, ConversationText: text(ev.Text, ref), ID: ev.Call, Status: status, Error: ev.Error,
	}
	if n := len(b.messages); n > 0 && b.messages[n-1].Kind == collector.KindResult && b.messages[n-1].Line == ref.Line {
		b.part(n-1, part)
		return
	}
	b.user(ev, ref, collector.KindResult, part)
}

// answer joins a result that stands behind the page to a call on it; it reports whether there was one that waited.
func (b *builder) answer(ev *collector.Event, ref collector.Ref) bool {
	at, known := b.calls[ev.Call]
	if !known || ev.Enriches || b.messages[at.message].Content[at.part].Result != nil {
		return false
	}
	b.result(ev, ref)
	return true
}

// waiting is how many calls have no result.
func (b *builder) waiting() int {
	n := 0
	for _, at := range b.calls {
		if b.messages[at.message].Content[at.part].Result == nil {
			n++
		}
	}
	return n
}
