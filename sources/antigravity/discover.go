package antigravity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// roots returns the homes: of the command line agent, and of the editor under its two names.
func (s *Source) roots() []string {
	return follow.Roots(s.host, nil, ".gemini/antigravity-cli", ".gemini/antigravity", ".gemini/antigravity-ide")
}

// Discover yields the streams of all roots. A conversation that two roots hold is yielded from the first one only.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		d := discovery{source: s, yield: yield, taken: map[string]bool{}}
		for _, root := range s.roots() {
			if !d.root(ctx, root) {
				return
			}
		}
	}
}

// discovery is one pass over the roots. Its methods return false when the caller wants no more.
type discovery struct {
	source *Source
	yield  func(collector.Stream, error) bool
	taken  map[string]bool // conversations whose transcript was yielded, and "db " + those whose database was
}

func (d *discovery) root(ctx context.Context, root string) bool {
	brain, conversations := filepath.Join(root, "brain"), filepath.Join(root, "conversations")
	for _, dir := range []string{root, brain, conversations} {
		if !d.directory(dir) {
			return false
		}
	}
	entries, err := os.ReadDir(brain)
	if !d.failed(err) {
		return false
	}
	for _, e := range entries {
		if ctx.Err() != nil || !d.brain(filepath.Join(brain, e.Name()), e) {
			return false
		}
	}
	entries, err = os.ReadDir(conversations)
	if !d.failed(err) {
		return false
	}
	for _, e := range entries {
		if ctx.Err() != nil || !d.conversation(filepath.Join(conversations, e.Name()), e) {
			return false
		}
	}
	if !d.file(collector.Stream{ID: collector.StreamID(idHistory + root), Kind: collector.StreamFacts, Path: filepath.Join(root, "history.jsonl")}) {
		return false
	}
	return d.table(collector.Stream{ID: collector.StreamID(idIndex + root), Path: filepath.Join(root, "conversation_summaries.db")})
}

// brain yields the transcript of one conversation: the full one if there is one, else the one with shortened texts. Both
// are one stream, so that what changes when the full one appears is read anew, and nothing twice.
func (d *discovery) brain(dir string, e fs.DirEntry) bool {
	id := e.Name()
	if !e.IsDir() || strings.HasPrefix(id, ".") || d.taken[id] {
		return true
	}
	logs := filepath.Join(dir, ".system_generated", "logs")
	if !d.directory(logs) {
		return false
	}
	st := collector.Stream{ID: collector.StreamID(idLog + id), Kind: collector.StreamLog, Session: collector.NewSessionID(agent, id)}
	for _, name := range []string{fullTranscript, "transcript.jsonl"} {
		st.Path = filepath.Join(logs, name)
		if fi, err := os.Stat(st.Path); err == nil && fi.Mode().IsRegular() {
			d.taken[id] = true
			return d.file(st)
		}
	}
	return true
}

// conversation yields a conversation's database; an encrypted one only to be counted, if nothing else tells of it.
func (d *discovery) conversation(path string, e fs.DirEntry) bool {
	id, isTable := strings.CutSuffix(e.Name(), ".db")
	if isTable && !d.taken["db "+id] {
		d.taken["db "+id] = true
		return d.table(collector.Stream{ID: collector.StreamID(idConversation + id), Session: collector.NewSessionID(agent, id), Path: path})
	}
	if id, encrypted := strings.CutSuffix(e.Name(), ".pb"); encrypted && !d.taken[id] && !d.taken["db "+id] {
		return d.file(collector.Stream{ID: collector.StreamID(idEncrypted + id), Kind: collector.StreamFacts, Path: path})
	}
	return true
}

// table yields a database. Its attributes are those of the file and its write-ahead log together: the agent commits to
// the latter.
func (d *discovery) table(st collector.Stream) bool {
	if d.source.host.Tables == nil {
		return true
	}
	st.Agent, st.Kind = agent, collector.StreamFacts
	if err := follow.FillTable(&st); err != nil {
		return d.failed(err)
	}
	return d.yield(st, nil)
}

func (d *discovery) directory(path string) bool {
	st := collector.Stream{ID: collector.StreamID(idDirectory + path), Agent: agent, Kind: collector.StreamDirectory, Path: path}
	if err := follow.Fill(&st); !d.failed(err) {
		return false
	}
	return d.yield(st, nil)
}

// file yields the stream if its file exists.
func (d *discovery) file(st collector.Stream) bool {
	st.Agent = agent
	if err := follow.Fill(&st); err != nil {
		return d.failed(err)
	}
	return d.yield(st, nil)
}

// failed yields err unless it only says that something is not there.
func (d *discovery) failed(err error) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return d.yield(collector.Stream{}, fmt.Errorf("discover: %w", err))
}
