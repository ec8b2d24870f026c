package collector

import (
	"context"
	"iter"
	"time"
)

// Source reads one kind of agent. A source keeps no goroutine, writes nothing in the agent's folders, and says only
// what the log said; package fold draws the conclusions.
type Source interface {
	Agent() Agent

	// Discover yields every stream that exists now, by reading directories, file attributes and, where a name does not
	// say whose a stream is, the beginning of a new file, once. It also yields the directories in which new streams
	// appear (StreamDirectory), whether they exist yet or not. A thing that cannot be looked at is yielded as an error
	// that names it; discovery goes on.
	Discover(ctx context.Context) iter.Seq2[Stream, error]

	// Read yields the complete records from cp up to the present end of the stream, then stops; it never waits. As
	// it goes it advances cp past the records that the caller took. Its first and only item is ErrReplaced if
	// the stream is not the one that cp was taken from (shrunk, replaced, rewritten); cp is then as it was, and
	// the caller starts over from an empty checkpoint of the next generation. A record's Data is valid until the
	// next one is asked for.
	Read(ctx context.Context, s Stream, cp *Checkpoint) iter.Seq2[Record, error]

	// Decode appends what r says to dst. It is pure and stateless: the same record gives the same events, whatever
	// was read before. Text is cut to r.TextLimit bytes. What it does not know becomes EventUnknown, what it
	// cannot read EventMalformed; an error means that nothing more can be read from this stream at all.
	Decode(dst []Event, s Stream, r Record) ([]Event, error)

	// Live yields the sessions that running processes hold now.
	Live(ctx context.Context) iter.Seq2[LiveSession, error]
}

// Unverified is a Source that was made after other people's accounts of the agent's files: what it says was never
// compared with what the agent's own program did.
type Unverified interface {
	Source
	// Unverified says in a sentence what the source rests on instead.
	Unverified() string
}

// UnverifiedAgents lists the agents whose sources are Unverified, in the order of sources.
func UnverifiedAgents(sources []Source) []UnverifiedAgent {
	agents := []UnverifiedAgent{}
	for _, s := range sources {
		if u, ok := s.(Unverified); ok {
			agents = append(agents, UnverifiedAgent{Agent: s.Agent(), Why: u.Unverified()})
		}
	}
	return agents
}

// RunningUnknown is a Source whose agent's log shows a call only after it has ended: what runs now only hooks tell.
type RunningUnknown interface {
	Source
	// RunningUnknown says in a sentence when a call is shown.
	RunningUnknown() string
}

// RunningUnknownAgents lists the agents whose sources are RunningUnknown, in the order of sources.
func RunningUnknownAgents(sources []Source) []RunningUnknownAgent {
	agents := []RunningUnknownAgent{}
	for _, s := range sources {
		if u, ok := s.(RunningUnknown); ok {
			agents = append(agents, RunningUnknownAgent{Agent: s.Agent(), Why: u.RunningUnknown()})
		}
	}
	return agents
}

// Host is the machine as sources see it, so that tests can put up another one.
type Host struct {
	Home   string                  // the user's home directory
	Getenv func(key string) string // the user's environment
	Proc   string                  // where processes are listed: "/proc"
	Now    func() time.Time
	Tables Tables // reads other programs' SQLite files; nil = they are not read
}

// Tables runs a query on another program's SQLite file and yields each row as a JSON object, keyed by column. It never
// writes to the file, nor beside it. A row is valid until the next one is asked for.
type Tables func(ctx context.Context, path, query string, args ...any) iter.Seq2[[]byte, error]

// StreamID names a stream for good: "<agent>/<kind>/<own key>". It survives renames, moves into an archive, and
// compression.
type StreamID string

// StreamKind says how a stream is read.
type StreamKind string

// The kinds of streams.
const (
	// StreamLog is an append-only log whose records make up sessions. When it is replaced, the sessions that it made up
	// are read anew.
	StreamLog StreamKind = "log"
	// StreamFacts is a document or table whose records state facts about sessions that a log makes up. It may be read
	// again at any time; records only say EventFacts, EventUsage of UsageTable rank or Unattributed, and EventResult that
	// Enriches a call by its id and is Late.
	StreamFacts StreamKind = "facts"
	// StreamDirectory is not read but watched: new streams appear in it.
	StreamDirectory StreamKind = "directory"
)

// Stream is one file, table or hook channel that is read in order.
type Stream struct {
	ID    StreamID
	Agent Agent
	Kind  StreamKind
	// Session is whose records it holds unless a record says otherwise; "" = every record says. Read, given a stream of
	// many sessions with one of them filled in, may leave out the records of the others.
	Session SessionID
	Path    string // where it is now
	Tail    bool   // a plain-text log that only grows while its process lives: follow it with nxadm/tail

	// Attributes at discovery. A stream whose three equal its checkpoint's is not read.
	Size    int64
	ModTime int64 // unix ns
	Inode   uint64
}

// Checkpoint is where reading a stream goes on.
type Checkpoint struct {
	Generation int   // how often the stream was found replaced
	Offset     int64 // bytes read, of the uncompressed stream; a table's last row id
	Line       int64 // lines read
	// Attributes when it was taken, to see whether the stream may have changed.
	Size    int64
	ModTime int64
	Inode   uint64
	// Fingerprints, to see whether it still is the same stream: hashes of its first HeadLen bytes and of the last
	// TailLen bytes before Offset.
	HeadLen, TailLen   int
	HeadHash, TailHash uint64
}

// Unchanged reports whether the stream looks as it did when the checkpoint was taken.
func (c Checkpoint) Unchanged(s Stream) bool {
	return c.Size == s.Size && c.ModTime == s.ModTime && c.Inode == s.Inode
}

// Record is one unit of a stream: a line, a row, a document.
type Record struct {
	Ref
	Data      []byte
	TextLimit int // bytes of any one text that Decode may copy; 0 = all
}

// LiveSession is a session that a running process holds.
type LiveSession struct {
	Session    SessionID
	Pid        int
	State      SessionState // busy, idle or waiting; "" = the process does not say, ask the log
	WaitingFor string
}
