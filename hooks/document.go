package hooks

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// document is a file with hooks as an agent reads it.
type document struct {
	agent agent
	src   []byte
	root  *jsontext.Node
	hooks *jsontext.Node // nil = there is none
}

// handler is one hook in a document: hooks.<event>[group] or hooks.<event>[group].hooks[index].
type handler struct {
	event                string
	member, group, index int            // positions
	node                 *jsontext.Node // the handler itself
	element              *jsontext.Node // of the event's list
	alone                bool           // in its group
}

// parse reads a file. It refuses one in which an agent would not find hooks either.
func (a agent) parse(src []byte) (document, error) {
	d := document{agent: a, src: src}
	var err error
	if d.root, err = jsontext.Parse(src); err != nil {
		return d, err
	}
	if d.root.Kind != jsontext.Object {
		return d, &shapeError{"it is no object"}
	}
	d.hooks = d.root.Get("hooks")
	if d.hooks == nil {
		return d, nil
	}
	if d.hooks.Kind != jsontext.Object {
		return d, &shapeError{`"hooks" is no object`}
	}
	for _, event := range d.hooks.Items {
		if event.Value.Kind != jsontext.Array {
			return d, &shapeError{`"hooks"."` + event.Key + `" is no list`}
		}
	}
	return d, nil
}

// shapeError says that a file is JSON, but not what its agent expects.
type shapeError struct{ what string }

func (e *shapeError) Error() string { return e.what }

// ours returns our handlers, in the order of the text.
func (d document) ours() []handler {
	if d.hooks == nil {
		return nil
	}
	var found []handler
	for m, event := range d.hooks.Items {
		for i, element := range event.Value.Items {
			h := handler{event: event.Key, member: m, group: i, element: element.Value, node: element.Value, alone: true}
			if !d.agent.grouped {
				if d.isOurs(h.node) {
					found = append(found, h)
				}
				continue
			}
			handlers := element.Value.Get("hooks")
			if handlers == nil || handlers.Kind != jsontext.Array {
				continue // somebody else's slip
			}
			for j, it := range handlers.Items {
				h.index, h.node, h.alone = j, it.Value, len(handlers.Items) == 1
				if d.isOurs(h.node) {
					found = append(found, h)
				}
			}
		}
	}
	return found
}

func (d document) isOurs(n *jsontext.Node) bool {
	return slices.ContainsFunc(d.agent.commands, func(key string) bool {
		command := n.Get(key)
		if command == nil {
			return false
		}
		text, _ := command.Decode(d.src).(string)
		return strings.Contains(text, mark)
	})
}

// intact reports whether a handler stands as it would be installed, however it is laid out.
func (d document) intact(h handler) bool {
	if !slices.Contains(d.agent.events, h.event) {
		return false
	}
	raw, err := json.Marshal(d.agent.element(h.event))
	if err != nil {
		return false
	}
	var want any
	return json.Unmarshal(raw, &want) == nil && reflect.DeepEqual(h.element.Decode(d.src), want)
}

// complete reports whether the document has exactly the hooks that would be installed.
func (d document) complete() bool {
	seen := map[string]bool{}
	for _, h := range d.ours() {
		if !d.intact(h) || seen[h.event] {
			return false
		}
		seen[h.event] = true
	}
	return len(seen) == len(d.agent.events)
}

// foreign reports whether the file of our name is somebody else's.
func (d document) foreign() bool { return d.agent.ours && len(d.ours()) == 0 }

// fresh returns a file that holds nothing but our hooks.
func (a agent) fresh() []byte {
	src := []byte("{}\n")
	root, err := jsontext.Parse(src)
	if err != nil {
		panic("hooks: " + err.Error()) // it is a literal
	}
	return jsontext.Apply(src, jsontext.Append(src, root, append(slices.Clone(a.top), a.all())...))
}

// all is the member "hooks" with nothing but ours.
func (a agent) all() jsontext.Member {
	events := make(jsontext.Members, 0, len(a.events))
	for _, e := range a.events {
		events = append(events, jsontext.Member{Key: e, Value: []any{a.element(e)}})
	}
	return jsontext.Member{Key: "hooks", Value: events}
}
