package grok

import (
	"path/filepath"
	"time"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// newborn is how long after a log's last record its session may wait for whoever spawned it to say so.
const newborn = time.Minute

// orphan reports whether a session is a sub-agent that no other session names yet: it becomes a child as soon as one
// does. What stays without a parent, since that was deleted, is shown by itself.
func (s *Source) orphan(dir string, modTime int64) bool {
	if s.now().Sub(time.Unix(0, modTime)) > newborn {
		return false
	}
	const most = 64 << 10 // a summary has a kilobyte
	data, err := follow.Head(nil, filepath.Join(dir, "summary.json"), most)
	sub := false
	if err == nil {
		jsonl.Object(data, func(v *fastjson.Value) { sub = isSubagent(v) })
	}
	return sub
}

func isSubagent(summary *fastjson.Value) bool {
	return jsonl.Str(summary, "session_kind") == "subagent"
}

func (s *Source) now() time.Time {
	if s.host.Now == nil {
		return time.Now()
	}
	return s.host.Now()
}
