package codex

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// outcome is what the text of an output tells. The agent marks no output as failed.
type outcome struct {
	status  collector.CallStatus
	exit    *int
	running bool   // the command goes on; write_stdin asks for more
	reason  string // why it failed: a sentence, or what a failed command printed first
	wall    collector.Count
	child   string // thread that spawn_agent started
	text    collector.Text
	hash    uint64
}

// headBytes is how much of an output's beginning is looked at: the status lines that the agent puts before what the tool
// said are shorter.
const headBytes = 400

// reasonBytes bounds why a call failed: a reason, not a report.
const reasonBytes = 200

// readOutput reads an output: a text, or an array of texts and images.
func readOutput(out *fastjson.Value, limit int) outcome {
	if out == nil {
		return outcome{status: collector.CallOK}
	}
	if parts := array(out); len(parts) > 0 { // not "!= nil": of an empty array that depends on what was parsed before
		return readParts(parts, limit)
	}
	text := jsonl.Clip(out, limit)
	head := text.Preview
	if limit > 0 && limit < headBytes { // else one look at a text that may be long is enough
		head = jsonl.Clip(out, headBytes).Preview
	}
	head = head[:min(len(head), headBytes)]
	if strings.HasPrefix(head, `{"output":`) {
		if o, ok := readLegacy(jsonl.Str(out), limit); ok {
			return o
		}
	}
	o := readHead(head)
	o.text = text
	o.hash = hashBody(out, o.exit)
	return o
}

// array returns the elements of an array, nil if v is none. It does not ask a string for its type: that would unescape
// it as a whole.
func array(v *fastjson.Value) []*fastjson.Value { return v.GetArray() }

func readParts(parts []*fastjson.Value, limit int) outcome {
	var said []*fastjson.Value
	var heads strings.Builder
	var h xxhash.Digest
	h.Reset()
	for i, p := range parts {
		t := p.Get("text")
		if t == nil {
			_, _ = h.WriteString(strconv.FormatUint(jsonl.Hash(p), 36)) // an image
			continue
		}
		said = append(said, t)
		head := jsonl.Clip(t, headBytes).Preview
		if heads.Len() < headBytes {
			heads.WriteString(head)
			heads.WriteByte('\n')
		}
		if i > 0 || !statusLine(head) {
			_, _ = h.WriteString(strconv.FormatUint(jsonl.Hash(t), 36))
		}
	}
	o := readHead(heads.String())
	o.text, o.hash = jsonl.Join(limit, said...), max(1, h.Sum64())
	return o
}

// readLegacy reads the JSON that wrapped outputs of shell and apply_patch up to 0.125.
func readLegacy(s string, limit int) (outcome, bool) {
	o, ok := outcome{}, false
	jsonl.Each([]byte(s), func(v *fastjson.Value) {
		code, known := jsonl.Int(v, "metadata", "exit_code")
		if ok || !known || !v.Exists("output") {
			return
		}
		ok = true
		o.status = collector.CallOK
		o.setExit(int(code))
		if sec, known := jsonl.Float(v, "metadata", "duration_seconds"); known {
			o.wall = seconds(sec)
		}
		o.text, o.hash = jsonl.Clip(v.Get("output"), limit), hashBody(v.Get("output"), o.exit)
	})
	return o, ok
}

func (o *outcome) setExit(code int) {
	o.exit = &code
	if code != 0 {
		o.status = collector.CallFailed
	}
}

func seconds(s float64) collector.Count { return collector.Exact(int64(s*1000 + 0.5)) }

// statusLine reports whether a text begins with the lines that the agent puts before what a tool said.
func statusLine(head string) bool {
	for _, p := range []string{"Chunk ID: ", "Exit code: ", "Wall time", "Process exited with code ", "Process running with", "Script "} {
		if strings.HasPrefix(head, p) {
			return true
		}
	}
	return false
}

// readHead reads the status lines at the beginning of an output, or the sentence that is all of it.
func readHead(head string) outcome {
	o := outcome{status: collector.CallOK}
	if !statusLine(head) {
		o.sentence(head)
		return o
	}
	rest := head
	for line := range strings.Lines(head) {
		rest = rest[len(line):]
		line = strings.TrimSuffix(line, "\n")
		switch word, value, _ := strings.Cut(line, ": "); {
		case line == "Output:":
			if o.status == collector.CallFailed {
				o.reason = jsonl.ClipString(strings.TrimSpace(rest), reasonBytes).Preview
			}
			return o
		case word == "Exit code":
			o.code(value)
		case strings.HasPrefix(line, "Process exited with code "):
			o.code(strings.TrimPrefix(line, "Process exited with code "))
		case strings.HasPrefix(line, "Process running with session ID"):
			o.running = true
		case line == "Script failed":
			o.status = collector.CallFailed
		case strings.HasPrefix(line, "Wall time"):
			n, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(line, "Wall time"), ": "), " ")
			if s, err := strconv.ParseFloat(n, 64); err == nil {
				o.wall = seconds(s)
			}
		case line == "aborted by user" || line == "aborted":
			o.status = collector.CallInterrupted
		}
	}
	return o
}

func (o *outcome) code(s string) {
	if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil {
		o.setExit(n)
	}
}

// refusals begin outputs of calls that could not run.
var refusals = []string{
	"unsupported call:", "failed to parse function arguments:", "apply_patch verification failed:", "write_stdin failed:",
	"exec_command failed:", "unable to locate image", "invalid agent id", "Fatal error:", "execution error:", "collab spawn failed",
}

// sentence reads an output that has no status lines.
func (o *outcome) sentence(head string) {
	const agent = `{"agent_id":"`
	switch {
	case strings.HasPrefix(head, agent) && len(head) >= len(agent)+uuidLen:
		o.child = head[len(agent) : len(agent)+uuidLen]
	case strings.HasPrefix(head, "patch rejected by user"), strings.HasPrefix(head, "exec_command failed:") && strings.Contains(head, "Rejected("),
		strings.HasPrefix(head, "exec command rejected by user"):
		o.status, o.reason = collector.CallDenied, firstLine(head)
	case head == "aborted", strings.HasPrefix(head, "aborted by user"), strings.HasPrefix(head, "aborted\n"):
		o.status = collector.CallInterrupted
	default:
		for _, p := range refusals {
			if strings.HasPrefix(head, p) {
				o.status, o.reason = collector.CallFailed, firstLine(head)
				return
			}
		}
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return jsonl.ClipString(line, reasonBytes).Preview
}

var rawBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// hashBody hashes what a tool said without the status lines, which differ each time (a chunk's id, the wall time). The
// text stays escaped: outputs run to hundreds of kilobytes.
func hashBody(out *fastjson.Value, exit *int) uint64 {
	p := rawBuffers.Get().(*[]byte)
	b := out.MarshalTo((*p)[:0])
	body := b
	const mark = `Output:\n`
	if head := b[:min(len(b), headBytes)]; len(head) > 1 && statusLine(string(head[1:min(len(head), 32)])) {
		if i := bytes.Index(head, []byte(mark)); i >= 0 {
			body = b[i+len(mark):]
		}
	}
	h := xxhash.Sum64(body)
	if exit != nil {
		h ^= uint64(uint32(*exit)+1) * 0x9e3779b97f4a7c15 // the golden ratio spreads small codes
	}
	const pooled = 1 << 20 // bytes; a larger one would stay for good
	if cap(b) <= pooled {
		*p = b[:0]
		rawBuffers.Put(p)
	}
	return max(1, h)
}
