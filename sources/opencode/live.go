package opencode

import (
	"context"
	"iter"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// Live yields the sessions that running processes hold, as far as that can be known: the program notes nowhere which
// session a process has. A process that has the database open holds the sessions of its directory that went on since it
// began and are not at their end, and the newest of them even so: a terminal shows it. Whether a turn runs only the
// database says.
func (s *Source) Live(ctx context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(yield func(collector.LiveSession, error) bool) {
		if s.host.Tables == nil {
			return
		}
		running := s.census()
		if len(running) == 0 {
			return
		}
		for st, err := range s.Discover(ctx) {
			if err != nil || st.Kind != collector.StreamLog || ctx.Err() != nil {
				continue // the discovery that looks for streams tells
			}
			holders := slices.DeleteFunc(slices.Clone(running), func(p process) bool { return !p.opened(st.Path) })
			if !s.held(ctx, st, holders, yield) {
				return
			}
		}
	}
}

// candidate is a session that went on since a process began.
type candidate struct {
	id         collector.SessionID
	parent     bool // it has one
	directory  string
	created    int64 // unix ms
	updated    int64
	unfinished bool
}

// held yields the sessions of a database, each for one process: the youngest processes choose first, as older ones have
// more to choose from.
func (s *Source) held(ctx context.Context, st collector.Stream, holders []process, yield func(collector.LiveSession, error) bool) bool {
	slices.SortFunc(holders, func(a, b process) int { return int(b.startedMs - a.startedMs) })
	taken := map[collector.SessionID]bool{}
	for _, p := range holders {
		all, err := s.candidates(ctx, st, p)
		if err != nil {
			return yield(collector.LiveSession{}, err)
		}
		shown := p.serves // a server shows no session by itself
		for _, c := range all {
			if taken[c.id] || !p.serves && c.directory != p.cwd {
				continue
			}
			if !c.unfinished && (shown || c.parent) {
				continue
			}
			shown = shown || !c.parent
			taken[c.id] = true
			if !yield(collector.LiveSession{Session: c.id, Pid: p.pid}, nil) {
				return false
			}
		}
	}
	return true
}

// candidates returns the sessions that went on since the process began, those begun by it first, then the latest.
func (s *Source) candidates(ctx context.Context, st collector.Stream, p process) ([]candidate, error) {
	var all []candidate
	r := reader{ctx: ctx, tables: s.host.Tables, stream: st}
	err := r.rows(selectLive, []any{p.startedMs + bootErrorMs}, func(v *fastjson.Value) error {
		d := decoder{}
		d.facts(v, "")
		c := candidate{id: d.session, parent: jsonl.Str(v, "parent") != "", directory: jsonl.Str(v, "directory"), created: jsonl.Time(v, "created")}
		c.updated = jsonl.Time(v, "updated")
		finish := jsonl.Str(v, "finish")
		c.unfinished = jsonl.Str(v, "role") == "user" || jsonl.Time(v, "completed") == 0 || stopReason(finish) == finish && finish != ""
		if jsonl.Str(v, "failed") != "" {
			c.unfinished = false
		}
		all = append(all, c)
		return nil
	})
	begun := func(c candidate) int {
		if c.created >= p.startedMs {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return begun(a) - begun(b) })
	return all, err
}
