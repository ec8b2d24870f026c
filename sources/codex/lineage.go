package codex

import (
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// isUUID reports whether s looks like a UUID.
func isUUID(s string) bool {
	if len(s) != uuidLen {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}

// madeAt returns when a version 7 UUID was made, in unix ms; 0 if id is none. Threads and turns have had such ids since
// they were first seen (0.45 and 0.104).
func madeAt(id string) int64 {
	if !isUUID(id) || id[14] != '7' {
		return 0
	}
	ms, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	if err != nil {
		return 0
	}
	return ms
}

// copied reports whether a turn is history that was copied from the thread this one was forked from, and whether
// that is sure. The copies have new times, but keep the turn's id and its start.
func (d *decoder) copied(turn string, startedAt int64) (copied, sure bool) {
	made := madeAt(turn)
	if made != 0 && d.born != 0 && made != d.born {
		return made < d.born, true
	}
	const second = 1000 // ms; started_at is cut to whole seconds
	if startedAt != 0 && d.born != 0 && startedAt+second <= d.born {
		return true, true
	}
	const slack = 10 * second // no own start was ever written that late
	if startedAt != 0 && d.at-startedAt > slack {
		return true, true
	}
	return false, false
}

// foreign reports whether a record says that it belongs to another thread.
func (d *decoder) foreign(thread string) bool {
	return thread != "" && thread != d.own && isUUID(d.own)
}

// meta reads a session_meta record, or the first line of the second generation. Only the first of a file is this
// thread's; another one begins the copied history of the thread that it names.
func (d *decoder) meta(p *fastjson.Value) {
	id := jsonl.Str(p, "id")
	if d.ref.Offset > 0 && id != d.own {
		d.add(collector.EventInherit)
		return
	}
	f := &collector.Facts{
		Cwd:       jsonl.Str(p, "cwd"),
		Branch:    jsonl.Str(p, "git", "branch"),
		Repo:      repoOf(jsonl.Str(p, "git", "repository_url")),
		Version:   jsonl.Str(p, "cli_version"),
		Role:      role(p),
		StartedAt: jsonl.Time(p, "timestamp"),
	}
	if parent := parentOf(p); parent != "" {
		f.Parent = d.relative(parent)
	} else if root := d.stream.Session.Root(); root != d.stream.Session {
		f.Parent = root // an agent of the harness's own, such as a reviewer: the root runs it
	}
	if from := jsonl.Str(p, "forked_from_id"); from != "" {
		f.ForkedFrom = d.relative(from)
	}
	d.add(collector.EventFacts).Facts = f
	if p.Exists("subagent_history_start_ordinal") {
		d.add(collector.EventInherit)
	}
}

// relative returns the id of a thread to which this one is related. Relatives of a sub-agent are of its tree; those of a
// root are not: it was forked from another one.
func (d *decoder) relative(thread string) collector.SessionID {
	root := d.stream.Session.Root()
	if root == d.stream.Session || root == sessionOf(thread) {
		return sessionOf(thread)
	}
	return root.Child(thread)
}

func parentOf(p *fastjson.Value) string {
	if id := jsonl.Str(p, "parent_thread_id"); id != "" {
		return id
	}
	return jsonl.Str(p, "source", "subagent", "thread_spawn", "parent_thread_id")
}

// role returns a sub-agent's type: that of the spawn, or the agent's own purpose ("review", "compact").
func role(p *fastjson.Value) string {
	for _, keys := range [][]string{
		{"agent_role"}, {"source", "subagent", "thread_spawn", "agent_role"}, {"source", "subagent"}, {"source", "subagent", "other"},
	} {
		if r := jsonl.Str(p, keys...); r != "" {
			return r
		}
	}
	return ""
}

// repoOf returns "owner/name" of a repository's URL.
func repoOf(url string) string {
	end, slashes := len(url), 0
	const suffix = ".git"
	if end > len(suffix) && url[end-len(suffix):] == suffix {
		end -= len(suffix)
	}
	for i := end - 1; i >= 0; i-- {
		if url[i] == '/' || url[i] == ':' {
			if slashes++; slashes == 2 {
				return url[i+1 : end]
			}
		}
	}
	return url[:end]
}

// spawned states which call of this session spawned a child. The child's own file names the parent, but not the call.
func (d *decoder) spawned(child, call, role string) {
	if !isUUID(child) || child == d.own {
		return
	}
	e := d.add(collector.EventFacts)
	e.Session = d.stream.Session.Root().Child(child)
	e.Facts = &collector.Facts{Parent: d.stream.Session, ParentCall: call, Role: role}
}
