package hooks

import (
	"bytes"
	"slices"

	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// addition is what makes a document complete.
type addition struct {
	text  []byte
	spans []jsontext.Span // what was inserted; nil if something was replaced too
	added []string        // members that were not there: "hooks", or the events
}

// install returns the document with our hooks in it: what stands as it should stays, what differs is replaced, what is
// missing is appended.
func (d document) install() (addition, error) {
	whole, err := d.repaired()
	if err != nil {
		return addition{}, err
	}
	edits, added := whole.missing()
	a := addition{text: jsontext.Apply(whole.src, edits), added: added}
	if bytes.Equal(whole.src, d.src) {
		a.spans = jsontext.Inserted(edits)
	}
	return a, nil
}

// repaired returns the document with those of our hooks that differ from what would be installed replaced in their
// place, or removed: doubled ones, those that somebody put into a group with others, those of events we leave alone now.
func (d document) repaired() (document, error) {
	seen := map[string]bool{}
	var replace, remove []handler
	for _, h := range d.ours() {
		wanted := slices.Contains(d.agent.events, h.event) && !seen[h.event] && h.alone
		switch {
		case !wanted:
			remove = append(remove, h)
			continue
		case !d.intact(h):
			replace = append(replace, h)
		}
		seen[h.event] = true
	}
	var edits []jsontext.Edit
	for _, h := range replace {
		edits = append(edits, jsontext.Replace(d.src, h.element, d.agent.element(h.event))...)
	}
	if len(edits) > 0 {
		var err error
		if d, err = d.apply(edits); err != nil { // positions in lists stay
			return d, err
		}
	}
	return d.without(remove, func(event string) bool { return !slices.Contains(d.agent.events, event) && event != "hooks" })
}

// missing returns the edits that append what is missing.
func (d document) missing() ([]jsontext.Edit, []string) {
	if d.hooks == nil {
		return jsontext.Append(d.src, d.root, d.agent.all()), []string{"hooks"}
	}
	have := map[string]bool{}
	for _, h := range d.ours() {
		have[h.event] = true
	}
	var edits []jsontext.Edit
	var added []string
	var events []jsontext.Member
	for _, e := range d.agent.events {
		if have[e] {
			continue
		}
		if list := d.hooks.Get(e); list != nil {
			edits = append(edits, jsontext.Append(d.src, list, jsontext.Member{Value: d.agent.element(e)})...)
			continue
		}
		events = append(events, jsontext.Member{Key: e, Value: []any{d.agent.element(e)}})
		added = append(added, e)
	}
	return append(edits, jsontext.Append(d.src, d.hooks, events...)...), added
}

// uninstall returns the document without our hooks, and without those members that they leave empty and that added has.
func (d document) uninstall(added []string) (document, error) {
	return d.without(d.ours(), func(member string) bool { return slices.Contains(added, "hooks") || slices.Contains(added, member) })
}

// without removes handlers, and then the members that they leave empty and that mayGo says.
func (d document) without(handlers []handler, mayGo func(member string) bool) (document, error) {
	var err error
	for _, h := range slices.Backward(handlers) { // the positions of those before stay
		list := d.hooks.Items[h.member].Value
		i := h.group
		if d.agent.grouped && len(list.Items[i].Value.Get("hooks").Items) > 1 {
			list, i = list.Items[i].Value.Get("hooks"), h.index
		}
		if d, err = d.apply(jsontext.Remove(d.src, list, i)); err != nil {
			return d, err
		}
	}
	for _, h := range slices.Backward(handlers) {
		if h.member >= len(d.hooks.Items) || d.hooks.Items[h.member].Key != h.event ||
			len(d.hooks.Items[h.member].Value.Items) > 0 || !mayGo(h.event) {
			continue
		}
		if d, err = d.apply(jsontext.Remove(d.src, d.hooks, h.member)); err != nil {
			return d, err
		}
	}
	if len(handlers) > 0 && len(d.hooks.Items) == 0 && mayGo("hooks") {
		return d.apply(jsontext.Remove(d.src, d.root, d.root.Index("hooks")))
	}
	return d, nil
}

// apply returns the document after edits.
func (d document) apply(edits []jsontext.Edit) (document, error) {
	return d.agent.parse(jsontext.Apply(d.src, edits))
}

// bare reports whether the document holds nothing that a new file of ours would not begin with.
func (d document) bare() bool {
	for _, it := range d.root.Items {
		if !slices.ContainsFunc(d.agent.top, func(m jsontext.Member) bool { return m.Key == it.Key }) {
			return false
		}
	}
	return true
}
