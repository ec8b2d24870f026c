package corpus

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"
)

type claudeSess struct {
	*sess
	parent string
	side   bool
	agent  string
	ctx    int
	model  string
	slug   string
	prompt string
}

// claude writes <out>/.claude/projects/<dir>/<uuid>.jsonl and its sub-agents.
func (g *gen) claude(r *rand.Rand, budget int, t time.Time) error {
	p := projects[r.IntN(len(projects))]
	id := uuid(r)
	dir := filepath.Join(".claude/projects", "-home-dev-"+p)
	s, err := g.open("claude", filepath.Join(dir, id+".jsonl"), r, budget, t)
	if err != nil {
		return err
	}
	s.id, s.cwd = id, "/home/dev/"+p
	s.c.Sessions++
	c := &claudeSess{sess: s, model: []string{"claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101", "claude-haiku-4-5-20251001"}[r.IntN(3)], slug: "brave-" + token(r, "", 6)}
	c.ctx = 14000 + r.IntN(9000)
	for first := true; first || !s.full(); first = false {
		if err := c.turn(dir, 0); err != nil {
			return err
		}
	}
	return s.close()
}

func (c *claudeSess) head(typ string) {
	if c.parent == "" {
		c.a(`{"parentUuid":null,"isSidechain":`)
	} else {
		c.a(`{"parentUuid":"`, c.parent, `","isSidechain":`)
	}
	c.a(fmt.Sprint(c.side))
	if c.agent != "" {
		c.a(`,"agentId":"`, c.agent, `"`)
	}
	if typ == "user" {
		c.a(`,"promptId":"`, c.prompt, `","type":"user"`)
	}
}

func (c *claudeSess) tail(ms int) {
	u := uuid(c.r)
	c.a(`,"uuid":"`, u, `","timestamp":"`, c.tick(ms), `","userType":"external","entrypoint":"cli","cwd":"`, c.cwd, `","sessionId":"`, c.id, `","version":"2.1.215","gitBranch":"`, c.branch, `","slug":"`, c.slug, `"}`)
	c.parent = u
	c.endLine()
}

func (c *claudeSess) turn(dir string, depth int) error {
	r := c.r
	c.prompt = uuid(r)
	if !c.side {
		c.a(`{"type":"file-history-snapshot","messageId":"`, uuid(r), `","snapshot":{"messageId":"`, uuid(r), `","trackedFileBackups":{},"timestamp":"`, c.tick(50), `"},"isSnapshotUpdate":false}`)
		c.endLine()
	}
	c.head("user")
	c.a(`,"message":{"role":"user","content":"`).t(kProse, logn(r, 240, 1.1, 20, 20000)).a(`"}`)
	c.tail(90000)
	c.c.UserPrompts++
	trips := logn(r, 7, 0.9, 1, 120)
	for k := 0; k < trips; k++ {
		last := k == trips-1
		if err := c.roundTrip(dir, depth, last); err != nil {
			return err
		}
		if c.full() && !last && r.IntN(3) == 0 {
			break
		}
	}
	if c.ctx > 165000 && !c.side {
		c.compact()
	}
	return nil
}

func (c *claudeSess) compact() {
	c.head("system")
	c.a(`,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"auto","preTokens":`).i(c.ctx).a(`}`)
	c.tail(30000)
	c.prompt = uuid(c.r)
	c.head("user")
	c.a(`,"message":{"role":"user","content":"This session is being continued from a previous conversation that ran out of context. `).t(kProse, 9000).a(`"},"isVisibleInTranscriptOnly":true,"isCompactSummary":true`)
	c.tail(2000)
	c.ctx = 20000
	c.c.Compactions++
}

// roundTrip is one model response (several lines sharing message.id, as the CLI
// writes them) followed by its tool results.
func (c *claudeSess) roundTrip(dir string, depth int, last bool) error {
	r := c.r
	in, out, cr, cw := usage(r, &c.ctx)
	c.c.RoundTrips++
	c.c.InputTokens += int64(in)
	c.c.OutputTokens += int64(out)
	c.c.CacheRead += int64(cr)
	c.c.CacheWrite += int64(cw)
	mid, rid := token(r, "msg_01", 22), token(r, "req_011C", 20)
	stop := `"tool_use"`
	if last {
		stop = `"end_turn"`
	}
	block := func(ms int, f func()) {
		c.head("assistant")
		c.a(`,"message":{"model":"`, c.model, `","id":"`, mid, `","type":"message","role":"assistant","content":[`)
		f()
		c.a(`],"stop_reason":`, stop, `,"stop_sequence":null,"usage":{"input_tokens":`).i(in).
			a(`,"cache_creation_input_tokens":`).i(cw).a(`,"cache_read_input_tokens":`).i(cr).
			a(`,"cache_creation":{"ephemeral_5m_input_tokens":`).i(cw).a(`,"ephemeral_1h_input_tokens":0},"output_tokens":`).i(out).
			a(`,"service_tier":"standard","inference_geo":"not_available"}},"requestId":"`, rid, `","type":"assistant"`)
		c.tail(ms)
	}
	if r.IntN(100) < 45 {
		block(9000, func() {
			c.a(`{"type":"thinking","thinking":"`).t(kProse, logn(r, 500, 1.0, 40, 20000)).a(`","signature":"`).blob(300 + r.IntN(900)).a(`"}`)
		})
	}
	if last || r.IntN(100) < 40 {
		block(6000, func() { c.a(`{"type":"text","text":"`).t(kProse, logn(r, 300, 1.1, 20, 12000)).a(`"}`) })
	}
	if last {
		return nil
	}
	return c.calls(dir, depth, block)
}

// calls asks for tool calls, one block each, and answers them.
func (c *claudeSess) calls(dir string, depth int, block func(ms int, f func())) error {
	r := c.r
	nt := 1
	switch x := r.IntN(100); {
	case x < 12:
		nt = 2 + r.IntN(3)
	case x < 14:
		nt = 6 + r.IntN(5) // fan-out
	}
	type call struct {
		id, name, uuid, agent string
	}
	calls := make([]call, nt)
	for j := range calls {
		name := pick(r)
		if name == "Task" && (depth > 0 || c.budget < 60000) {
			name = "Read"
		}
		k := call{id: token(r, "toolu_01", 22), name: name}
		block(4000, func() {
			c.a(`{"type":"tool_use","id":"`, k.id, `","name":"`, name, `","input":`)
			c.input(name)
			c.a(`}`)
		})
		k.uuid = c.parent
		calls[j] = k
		c.c.ToolCalls++
	}
	for _, k := range calls {
		if k.name == "Task" {
			k.agent = fmt.Sprintf("a%016x", r.Uint64())
			if err := c.subAgent(dir, k.agent); err != nil {
				return err
			}
		}
		c.result(k.id, k.name, k.uuid, k.agent)
	}
	return nil
}

func (c *claudeSess) subAgent(dir, agent string) error {
	r := rand.New(rand.NewPCG(c.r.Uint64(), 3))
	s, err := c.g.open("claude", filepath.Join(dir, c.id, "subagents", "agent-"+agent+".jsonl"), r, logn(r, 60000, 0.9, 8000, 400000), c.now)
	if err != nil {
		return err
	}
	c.c.SubAgents++
	s.id, s.cwd, s.branch = c.id, c.cwd, c.branch
	sub := &claudeSess{sess: s, side: true, agent: agent, model: "claude-haiku-4-5-20251001", ctx: 9000, slug: c.slug}
	sub.prompt = c.prompt
	sub.head("user")
	sub.a(`,"message":{"role":"user","content":"`).t(kProse, 900).a(`"}`)
	sub.tail(1000)
	sub.c.UserPrompts++
	for !s.full() {
		if err := sub.roundTrip(dir, 1, false); err != nil {
			return err
		}
	}
	if err := sub.roundTrip(dir, 1, true); err != nil {
		return err
	}
	c.budget -= s.n // the sub-agent's bytes come out of the session's budget
	return s.close()
}
