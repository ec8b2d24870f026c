package opencode

import (
	"cmp"
	"maps"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// news is what a page of events tells: which messages and sessions changed.
type news struct {
	messages map[string]event // the last one about each
	sessions map[string]bool
	last     event
	events   int
	follows  bool // the events go on from the last one that was read
}

type event struct {
	row  int64
	hash uint64 // of its id
}

// changed yields again what changed among the messages that were read, as events tell. Where they do not go on from the
// last one, or there are none though something changed, times of change tell.
func (r *reader) changed() error {
	if r.cp.Offset == 0 {
		r.cp.HeadLen, r.cp.TailLen = 0, firstTime
		return r.toLastEvent()
	}
	told := false
	for {
		n, err := r.events()
		if err != nil {
			return err
		}
		if !n.follows {
			if err := r.toLastEvent(); err != nil {
				return err
			}
			told = false
			break
		}
		if n.events == 0 {
			break
		}
		told = true
		if err := r.again(n); err != nil {
			return err
		}
		r.to(n.last)
	}
	if told || r.first() { // what is not read yet is not old either
		return nil
	}
	return r.recent()
}

// toLastEvent moves to the last event: whatever is read afterwards is at least as new.
func (r *reader) toLastEvent() error {
	r.to(event{})
	return r.rows(selectLastEvent, nil, func(v *fastjson.Value) error {
		r.to(eventOf(v))
		return nil
	})
}

func (r *reader) to(e event) { r.cp.Line, r.cp.HeadHash = e.row, e.hash }

func eventOf(v *fastjson.Value) event {
	row, _ := jsonl.Int(v, "row")
	return event{row, jsonl.HashString(jsonl.Str(v, "id"))}
}

// events reads a page of events behind the last one.
func (r *reader) events() (news, error) {
	n := news{messages: map[string]event{}, sessions: map[string]bool{}, follows: r.cp.Line == 0}
	err := r.rows(selectEvents, []any{r.cp.Line}, func(v *fastjson.Value) error {
		e := eventOf(v)
		if e.row == r.cp.Line {
			n.follows = e.hash == r.cp.HeadHash
			return nil
		}
		n.last = e
		n.events++
		if compacted, _ := jsonl.Int(v, "compacted"); compacted > 0 {
			return nil
		}
		if m := jsonl.Str(v, "message"); m != "" {
			n.messages[m] = e
		} else {
			n.sessions[jsonl.Str(v, "session")] = true
		}
		return nil
	})
	return n, err
}

// again yields what the events are about, in the order of the last event about each: where the caller stops, all events
// up to that one are done with.
func (r *reader) again(n news) error {
	if err := r.sessions(0, slices.Collect(maps.Keys(n.sessions))); err != nil {
		return err
	}
	ids := slices.SortedFunc(maps.Keys(n.messages), func(a, b string) int { return cmp.Compare(n.messages[a].row, n.messages[b].row) })
	return r.reread(ids, func(id string) { r.to(n.messages[id]) })
}

// reread yields messages that were read before, in the order of ids, and says so of each.
func (r *reader) reread(ids []string, done func(id string)) error {
	for page := range slices.Chunk(ids, pageMessages) {
		all, err := r.messages(selectMessages, r.cp.Offset, list(page))
		if err != nil {
			return err
		}
		slices.SortStableFunc(all, func(a, b *message) int { return slices.Index(page, a.id) - slices.Index(page, b.id) })
		for _, m := range all {
			r.seen(m)
			err := r.give(m)
			done(m.id)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// recent yields what changed lately among the newest messages, by the times of change.
func (r *reader) recent() error {
	since := r.since()
	if err := r.sessions(since, nil); err != nil {
		return err
	}
	var ids []string
	err := r.rows(selectRecent, []any{r.cp.Offset, r.cp.Offset - recentMessages, since, since}, func(v *fastjson.Value) error {
		ids = append(ids, jsonl.Str(v, "id"))
		return nil
	})
	if err != nil {
		return err
	}
	return r.reread(ids, func(string) {})
}

// sessions yields sessions whose own rows changed: the named ones, or without names those since a time.
func (r *reader) sessions(since int64, names []string) error {
	if since == 0 && len(names) == 0 {
		return nil
	}
	only := ""
	if len(names) > 0 {
		only = list(names)
	}
	all, err := r.messages(selectSessions, since, only, only)
	if err != nil {
		return err
	}
	for _, m := range all {
		r.seen(m)
		if err := r.give(m); err != nil {
			return err
		}
	}
	return nil
}
