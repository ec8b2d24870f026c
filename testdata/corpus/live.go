package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Live is a session that grows record by record, as an agent at work writes it: a prompt, then calls, one per response,
// each with its result.
type Live struct {
	Session string // its id on the wire
	Path    string // of its log
	Calls   int    // asked for so far

	own     string
	perTurn int
	open    bool // the latest call has no result yet
	parent  string
	prompts int
	r       *rand.Rand
	now     func() time.Time
	buf     bytes.Buffer
}

// NewLive begins a session below home: session n of the home, with a prompt before every perTurn calls. Records carry the
// time that now tells.
func NewLive(home string, n, perTurn int, now func() time.Time) (*Live, error) {
	r := rand.New(rand.NewPCG(uint64(n), 77))
	own := uuid(r)
	dir := filepath.Join(home, ".claude/projects", "-home-dev-live")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	l := &Live{Session: "claude:" + own, Path: filepath.Join(dir, own+".jsonl"), own: own, perTurn: perTurn, r: r, now: now}
	return l, l.Append(1)
}

// Append writes the next n records with one write.
func (l *Live) Append(n int) error {
	l.buf.Reset()
	for range n {
		l.record()
	}
	f, err := os.OpenFile(l.Path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(l.buf.Bytes()); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (l *Live) record() {
	at := l.now().UTC().Format("2006-01-02T15:04:05.000Z")
	var body, typ string
	switch {
	case l.open:
		typ, l.open = "user", false
		body = fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%06d","type":"tool_result","content":"%s"}]}`, l.Calls-1, l.text(900))
	case l.Calls == l.prompts*l.perTurn: // a prompt is due
		typ = "user"
		l.prompts++
		body = fmt.Sprintf(`"promptId":"p%06d","message":{"role":"user","content":"%s"}`, l.prompts, l.text(120))
	default:
		typ, l.open = "assistant", true
		tool, input := "Bash", fmt.Sprintf(`{"command":"go test ./pkg%d/...","description":"Run the tests"}`, l.Calls)
		if l.Calls%3 == 1 {
			tool, input = "Read", fmt.Sprintf(`{"file_path":"/home/dev/live/pkg%d/file.go"}`, l.Calls)
		}
		body = fmt.Sprintf(`"message":{"model":"claude-sonnet-4-5-20250929","id":"msg_%s_%06d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%06d","name":"%s","input":%s}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":310,"cache_read_input_tokens":%d,"output_tokens":96,"service_tier":"standard"}},"requestId":"req_%06d"`,
			l.own[:8], l.Calls, l.Calls, tool, input, 20000+l.Calls, l.Calls)
		l.Calls++
	}
	parent := "null"
	if l.parent != "" {
		parent = `"` + l.parent + `"`
	}
	l.parent = uuid(l.r)
	fmt.Fprintf(&l.buf, `{"parentUuid":%s,"isSidechain":false,%s,"type":"%s","uuid":"%s","timestamp":"%s","userType":"external","cwd":"/home/dev/live","sessionId":"%s","version":"2.1.215","gitBranch":"main"}`+"\n",
		parent, body, typ, l.parent, at, l.own)
}

func (l *Live) text(n int) string {
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(b, seedWords[l.r.IntN(len(seedWords))]...)
		b = append(b, ' ')
	}
	return string(b)
}

// Env tells a peer's program to read the sessions below home, and nothing else.
func Env(home string) []string {
	return []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, ".claude"), "CODEX_HOME=" + filepath.Join(home, ".codex"), "COPILOT_HOME=" + filepath.Join(home, ".copilot")}
}
