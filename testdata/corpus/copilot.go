package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

type copilotSess struct {
	*sess
	parent               string
	model                string
	ctx                  int
	in, out, cr, cw, req int
	interaction          string
}

// copilot writes <out>/.copilot/session-state/<uuid>/{events.jsonl,workspace.yaml}.
func (g *gen) copilot(r *rand.Rand, budget int, t time.Time) error {
	p := projects[r.IntN(len(projects))]
	id := uuid(r)
	s, err := g.open("copilot", filepath.Join(".copilot/session-state", id, "events.jsonl"), r, budget, t)
	if err != nil {
		return err
	}
	s.id, s.cwd = id, "/home/dev/"+p
	s.c.Sessions++
	yaml := fmt.Sprintf("id: %s\ncwd: %s\nbranch: %s\nname: Work on %s\ncreated_at: %s\n", id, s.cwd, s.branch, p, t.Format(time.RFC3339))
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.path), "workspace.yaml"), []byte(yaml), 0o644); err != nil {
		return err
	}
	c := &copilotSess{sess: s, model: []string{"claude-sonnet-4.6", "gpt-5.4"}[r.IntN(2)], ctx: 11000 + r.IntN(4000)}
	c.ev("session.start").a(`{"sessionId":"`, id, `","version":1,"producer":"copilot-agent","copilotVersion":"1.0.40","startTime":"`, t.Format(time.RFC3339Nano), `","context":{"cwd":"`, s.cwd, `","gitRoot":"`, s.cwd, `","branch":"`, s.branch, `","repository":"acme/`, p, `"}}`)
	c.end(10)
	c.ev("session.model_change").a(`{"newModel":"`, c.model, `"}`)
	c.end(10)
	for first := true; first || !s.full(); first = false {
		c.turn()
	}
	c.ev("session.shutdown").a(`{"shutdownType":"routine","totalPremiumRequests":`).i(c.req).a(`,"totalApiDurationMs":`).i(c.req*4000).a(`,"sessionStartTime":`).i(int(t.UnixMilli())).a(`,"codeChanges":{"linesAdded":120,"linesRemoved":30,"filesModified":["a.go"]},"modelMetrics":{"`, c.model, `":{"requests":{"count":`).i(c.req).a(`,"cost":`).i(c.req).a(`},"usage":{"inputTokens":`).i(c.in+c.cr+c.cw).a(`,"outputTokens":`).i(c.out).a(`,"cacheReadTokens":`).i(c.cr).a(`,"cacheWriteTokens":`).i(c.cw).a(`,"reasoningTokens":0}}},"currentModel":"`, c.model, `"}`)
	c.end(1000)
	return s.close()
}

func (c *copilotSess) ev(typ string) *sess { return c.a(`{"type":"`, typ, `","data":`) }
func (c *copilotSess) end(ms int) {
	u := uuid(c.r)
	c.a(`,"id":"`, u, `","timestamp":"`, c.tick(ms), `","parentId":`)
	if c.parent == "" {
		c.a(`null}`)
	} else {
		c.a(`"`, c.parent, `"}`)
	}
	c.parent = u
	c.endLine()
}

func (c *copilotSess) turn() {
	r := c.r
	c.interaction = uuid(r)
	c.ev("user.message").a(`{"content":"`)
	from := len(c.b)
	c.t(kProse, logn(r, 240, 1.1, 20, 20000))
	txt := string(c.b[from:])
	c.a(`","transformedContent":"<current_datetime>2026-09-01T00:00:00Z</current_datetime>\n\n`, txt, `","attachments":[],"interactionId":"`, c.interaction, `"}`)
	c.end(90000)
	c.c.UserPrompts++
	trips := logn(r, 7, 0.9, 1, 120)
	for k := 0; k < trips; k++ {
		last := k == trips-1
		c.roundTrip(k, last)
		if c.full() && !last && r.IntN(3) == 0 {
			c.roundTrip(k+1, true)
			break
		}
	}
	if c.ctx > 110000 {
		c.ev("session.compaction_start").a(`{}`)
		c.end(10)
		c.ev("session.compaction_complete").a(`{"success":true,"preCompactionTokens":`).i(c.ctx).a(`,"preCompactionMessagesLength":`).i(r.IntN(200)).a(`,"summaryContent":"`).t(kProse, 7000).a(`","checkpointNumber":1}`)
		c.end(20000)
		c.ctx = 15000
		c.c.Compactions++
	}
}

func (c *copilotSess) roundTrip(k int, last bool) {
	r := c.r
	tid := fmt.Sprint(k)
	in, out, cr, cw := usage(r, &c.ctx)
	c.in += in
	c.out += out
	c.cr += cr
	c.cw += cw
	c.req++
	c.c.RoundTrips++
	c.c.InputTokens += int64(in)
	c.c.OutputTokens += int64(out)
	c.c.CacheRead += int64(cr)
	c.c.CacheWrite += int64(cw)
	c.ev("assistant.turn_start").a(`{"turnId":"`, tid, `","interactionId":"`, c.interaction, `"}`)
	c.end(10)
	var calls []copilotCall
	c.ev("assistant.message").a(`{"messageId":"`, uuid(r), `","model":"`, c.model, `","content":"`)
	if last || r.IntN(3) == 0 {
		c.t(kProse, logn(r, 300, 1.1, 20, 12000))
	}
	c.a(`","toolRequests":[`)
	if !last {
		n := 1
		if r.IntN(100) < 12 {
			n = 2 + r.IntN(6)
		}
		for j := range n {
			q := copilotCall{token(r, "toolu_bdrk_01", 22), []string{"bash", "view", "edit", "grep", "create", "glob"}[r.IntN(6)]}
			if j > 0 {
				c.a(`,`)
			}
			c.a(`{"toolCallId":"`, q.id, `","name":"`, q.name, `","arguments":{"command":"`).t(kShell, logn(r, 150, 1.0, 10, 9000)).a(`","description":"step"},"type":"function"}`)
			calls = append(calls, q)
			c.c.ToolCalls++
		}
	}
	c.a(`],"interactionId":"`, c.interaction, `","turnId":"`, tid, `","reasoningOpaque":"`).blob(logn(r, 900, 0.8, 200, 9000)).a(`","outputTokens":`).i(out).a(`,"requestId":"`, uuid(r), `"}`)
	c.end(9000)
	c.execute(calls, tid)
	c.ev("assistant.turn_end").a(`{"turnId":"`, tid, `"}`)
	c.end(10)
}

type copilotCall struct{ id, name string }

func (c *copilotSess) execute(calls []copilotCall, tid string) {
	r := c.r
	for _, q := range calls {
		c.ev("tool.execution_start").a(`{"toolCallId":"`, q.id, `","toolName":"`, q.name, `","arguments":{"command":"`).t(kShell, logn(r, 150, 1.0, 10, 9000)).a(`","description":"step"},"turnId":"`, tid, `","model":"`, c.model, `"}`)
		c.end(20)
	}
	for _, q := range calls {
		ok := r.IntN(100) >= 6
		c.ev("tool.execution_complete").a(`{"toolCallId":"`, q.id, `","model":"`, c.model, `","interactionId":"`, c.interaction, `","turnId":"`, tid, `","success":`, fmt.Sprint(ok))
		if ok {
			c.a(`,"result":{"content":"`)
			from := len(c.b)
			c.t(kShell, resultSize(r))
			txt := string(c.b[from:])
			c.a(`","detailedContent":"`, txt, `"}`)
		} else {
			c.a(`,"error":{"message":"`).t(kShell, 200).a(`","code":"failure"}`)
			c.c.ToolErrors++
		}
		c.a(`,"toolTelemetry":{"properties":{"command":"`, q.name, `"},"metrics":{"resultLength":`).i(r.IntN(9000)).a(`,"resultForLlmLength":`).i(r.IntN(9000)).a(`}}}`)
		c.end(15000)
	}
}
