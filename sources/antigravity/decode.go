package antigravity

import (
	"path/filepath"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// fullTranscript holds the same steps as transcript.jsonl with nothing shortened. The values of a call's arguments are
// plain in it; in the other one each is JSON in a string.
const fullTranscript = "transcript_full.jsonl"

// decoder takes the steps of one line of a transcript.
type decoder struct {
	dst   []collector.Event
	limit int
	full  bool // of the full transcript
}

func decodeLine(dst []collector.Event, st collector.Stream, r collector.Record) []collector.Event {
	if r.Data == nil {
		return append(dst, collector.Event{Kind: collector.EventMalformed, Text: collector.Text{Preview: "line too long"}})
	}
	d := decoder{dst: dst, limit: r.TextLimit, full: filepath.Base(st.Path) == fullTranscript}
	bad := jsonl.Each(r.Data, d.step)
	return jsonl.Malformed(d.dst, bad, r.TextLimit)
}

// step is one step of a conversation: a prompt, a response, a tool's result or a notice.
type step struct {
	v      *fastjson.Value
	kind   string
	status string
	name   string // of the step in its conversation; "" = it has no number
	number int64
	time   int64
}

// event begins an event of the step.
func (s *step) event(kind collector.EventKind) collector.Event {
	return collector.Event{Kind: kind, Time: s.time}
}

func (d *decoder) add(ev collector.Event) { d.dst = append(d.dst, ev) }

// dropped are the steps that are known and say nothing that is shown: what the harness tells the model.
var dropped = map[string]bool{
	"CONVERSATION_HISTORY": true, "KNOWLEDGE_ARTIFACTS": true, "EPHEMERAL_MESSAGE": true, "USER_INFORMATION": true,
}

func (d *decoder) step(v *fastjson.Value) {
	s := step{v: v, kind: jsonl.Str(v, "type"), status: jsonl.Str(v, "status"), time: jsonl.Time(v, "created_at")}
	if n, ok := jsonl.Int(v, "step_index"); ok && n >= 0 {
		s.number, s.name = n, strconv.FormatInt(n, 10)
	}
	switch source := jsonl.Str(v, "source"); {
	case dropped[s.kind]:
	case s.kind == "USER_INPUT":
		d.prompt(&s, source)
	case s.kind == "PLANNER_RESPONSE":
		d.response(&s)
	case s.kind == "ERROR_MESSAGE":
		d.failure(&s)
	case s.kind == "SYSTEM_MESSAGE", s.kind == "CHECKPOINT":
		d.notice(&s)
	case s.kind != "" && source == "MODEL":
		d.result(&s) // GENERIC in 1.2.x; before, each tool had a type of its own: RUN_COMMAND, VIEW_FILE, …
	case s.kind == "":
		d.add(collector.Event{Kind: collector.EventUnknown, Time: s.time, Name: "step without a type"})
	default:
		d.add(collector.Event{Kind: collector.EventUnknown, Time: s.time, Name: s.kind})
	}
}

// over is what a step's status says about its end.
type over int

const (
	stillRuns over = iota
	ended
	endedBadly
	stopped
)

// overOf reads a status. Only DONE and ERROR were seen in published transcripts; the others are words that parsers look
// for. A step of a status that nobody knows is taken as ended, and counted.
func (d *decoder) overOf(s *step) over {
	switch s.status {
	case "DONE", "":
		return ended
	case "ERROR", "FAILED":
		return endedBadly
	case "CANCELED", "CANCELLED", "INTERRUPTED", "ABORTED":
		return stopped
	case "RUNNING", "ACTIVE", "GENERATING", "PENDING", "WAITING", "QUEUED":
		return stillRuns
	}
	d.add(collector.Event{Kind: collector.EventUnknown, Time: s.time, Name: "status " + s.status})
	return ended
}
