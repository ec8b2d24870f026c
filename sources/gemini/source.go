package gemini

import (
	"bytes"
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// Agent is the agent's name in session ids.
const Agent collector.Agent = "gemini"

// Source reads the sessions of one user.
type Source struct {
	host      collector.Host
	heads     heads
	processes processes
}

var _ collector.RunningUnknown = (*Source)(nil)

// New returns a source that looks at host. It reads nothing yet.
func New(host collector.Host) *Source { return &Source{host: host} }

// Agent returns the agent's name.
func (s *Source) Agent() collector.Agent { return Agent }

// RunningUnknown says when a call is shown.
func (s *Source) RunningUnknown() string {
	return "Gemini CLI writes the calls of a response into its log when the last of them has ended."
}

// Read yields the lines of a log, or a small document as a whole.
func (s *Source) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	switch {
	case st.Kind == collector.StreamFacts:
		return follow.Document(ctx, st, cp)
	case isDocument(st.Path):
		return readDocument(ctx, st, cp)
	}
	return follow.Lines(ctx, st, cp)
}

// Decode appends what a record says.
func (s *Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	if st.Kind == collector.StreamFacts {
		return projectRoot(dst, r.Data), nil
	}
	d := decoder{dst: dst, stream: &st, limit: r.TextLimit}
	if r.Data == nil {
		d.add(collector.EventMalformed).Text = jsonl.ClipString("line too long", 0)
		return d.dst, nil
	}
	for _, why := range jsonl.Each(r.Data, d.record) {
		d.at = 0
		d.add(collector.EventMalformed).Text = jsonl.ClipString(why, 0)
	}
	return d.dst, nil
}

// projectRoot reads .project_root, which holds the path of the project's folder and nothing else.
func projectRoot(dst []collector.Event, data []byte) []collector.Event {
	const longest = 4096 // bytes of a path, as Linux has it
	path := string(bytes.TrimSpace(data))
	if path == "" || len(path) > longest || strings.ContainsAny(path, "\n\x00") || !isAbsolute(path) {
		return append(dst, collector.Event{Kind: collector.EventUnknown, Name: rootFile})
	}
	path = jsonl.ClipString(path, 0).Preview // as UTF-8
	return append(dst, collector.Event{Kind: collector.EventFacts, Facts: &collector.Facts{Cwd: path}})
}

// isAbsolute knows the paths of all systems: a home may have been copied.
func isAbsolute(path string) bool {
	return filepath.IsAbs(path) || path[0] == '/' || path[0] == '\\' || len(path) > 2 && path[1] == ':'
}
