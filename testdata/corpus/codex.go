package corpus

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"
)

type codexSess struct {
	*sess
	tin, tcr, tout, treas int // cumulative
	ctx                   int
	turnID                string
	model                 string
}

// codex writes <out>/.codex/sessions/YYYY/MM/DD/rollout-<ts>-<uuid>.jsonl.
func (g *gen) codex(r *rand.Rand, budget int, t time.Time) error {
	p := projects[r.IntN(len(projects))]
	id := uuid(r)
	name := "rollout-" + t.Format("2006-01-02T15-04-05") + "-" + id + ".jsonl"
	s, err := g.open("codex", filepath.Join(".codex/sessions", t.Format("2006/01/02"), name), r, budget, t)
	if err != nil {
		return err
	}
	s.id, s.cwd = id, "/home/dev/"+p
	s.c.Sessions++
	c := &codexSess{sess: s, ctx: 9000 + r.IntN(5000), model: []string{"gpt-5.1-codex", "gpt-5.1-codex-max"}[r.IntN(2)]}
	ts := c.tick(10)
	c.a(`{"timestamp":"`, ts, `","type":"session_meta","payload":{"id":"`, id, `","timestamp":"`, ts, `","cwd":"`, s.cwd, `","originator":"codex_cli_rs","cli_version":"0.128.0","source":"cli","model_provider":"openai","base_instructions":{"text":"`).t(kProse, 12000).a(`"},"git":{"commit_hash":"`, fmt.Sprintf("%016x%016x%08x", r.Uint64(), r.Uint64(), r.Uint32()), `","branch":"`, s.branch, `","repository_url":"https://example.test/acme/`, p, `.git"}}}`)
	c.endLine()
	for first := true; first || !s.full(); first = false {
		c.turn()
	}
	return s.close()
}

func (c *codexSess) ev(ms int, typ string) *sess {
	return c.a(`{"timestamp":"`, c.tick(ms), `","type":"`, typ, `","payload":`)
}
func (c *codexSess) end() { c.a(`}`); c.endLine() }

func (c *codexSess) turn() {
	r := c.r
	c.turnID = uuid(r)
	c.ev(90000, "event_msg").a(`{"type":"task_started","turn_id":"`, c.turnID, `","model_context_window":272000}`)
	c.end()
	c.ev(20, "turn_context").a(`{"turn_id":"`, c.turnID, `","cwd":"`, c.cwd, `","approval_policy":"on-request","sandbox_policy":{"type":"workspace-write","network_access":false},"model":"`, c.model, `","effort":"high","summary":"auto","truncation_policy":{"mode":"tokens","limit":10000}}`)
	c.end()
	c.ev(5, "response_item").a(`{"type":"message","role":"user","content":[{"type":"input_text","text":"`)
	from := len(c.b)
	c.t(kProse, logn(r, 240, 1.1, 20, 20000))
	txt := string(c.b[from:])
	c.a(`"}]}`)
	c.end()
	c.ev(5, "event_msg").a(`{"type":"user_message","message":"`, txt, `","images":[],"local_images":[],"text_elements":[]}`)
	c.end()
	c.c.UserPrompts++
	trips := logn(r, 8, 0.9, 1, 150)
	for k := 0; k < trips; k++ {
		last := k == trips-1
		c.roundTrip(last)
		if c.full() && !last && r.IntN(3) == 0 {
			c.roundTrip(true)
			break
		}
	}
	c.ev(20, "event_msg").a(`{"type":"task_complete","turn_id":"`, c.turnID, `","last_agent_message":null}`)
	c.end()
	if c.ctx > 200000 {
		c.ev(9000, "compacted").a(`{"message":"`).t(kProse, 6000).a(`","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"`).t(kProse, 4000).a(`"}]}]}`)
		c.end()
		c.ev(10, "event_msg").a(`{"type":"context_compacted"}`)
		c.end()
		c.ctx = 20000
		c.c.Compactions++
	}
}

func (c *codexSess) roundTrip(last bool) {
	r := c.r
	c.c.RoundTrips++
	if r.IntN(100) < 70 {
		c.ev(8000, "response_item").a(`{"type":"reasoning","summary":[{"type":"summary_text","text":"**`).t(kProse, 120).a(`"}],"content":null,"encrypted_content":"gAAAAAB`).blob(logn(r, 1500, 0.8, 400, 20000)).a(`"}`)
		c.end()
	}
	var calls []codexCall
	if !last {
		n := 1
		if r.IntN(100) < 10 {
			n = 2 + r.IntN(4)
		}
		for range n {
			k := codexCall{token(r, "call_", 24), "exec_command"}
			if r.IntN(100) < 15 {
				k.name = "apply_patch"
				c.ev(3000, "response_item").a(`{"type":"custom_tool_call","status":"completed","call_id":"`, k.id, `","name":"apply_patch","input":"*** Begin Patch\n*** Update File: internal/a.go\n`).t(kDiff, logn(r, 900, 1.0, 80, 30000)).a(`*** End Patch"}`)
			} else {
				c.ev(3000, "response_item").a(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"rg -n pattern`).i(r.IntN(9999)).a(` internal/\",\"workdir\":\"`, c.cwd, `\",\"yield_time_ms\":1000,\"max_output_tokens\":12000}","call_id":"`, k.id, `"}`)
			}
			c.end()
			c.c.ToolCalls++
			calls = append(calls, k)
		}
	} else {
		c.ev(6000, "event_msg").a(`{"type":"agent_message","message":"`)
		from := len(c.b)
		c.t(kProse, logn(r, 500, 1.0, 20, 12000))
		txt := string(c.b[from:])
		c.a(`","phase":"final_answer","memory_citation":null}`)
		c.end()
		c.ev(2, "response_item").a(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`, txt, `"}],"phase":"final_answer"}`)
		c.end()
	}
	in, out, cr, cw := usage(r, &c.ctx)
	in += cw
	reas := out / 3
	c.tin += in + cr
	c.tcr += cr
	c.tout += out
	c.treas += reas
	c.c.InputTokens += int64(in)
	c.c.CacheRead += int64(cr)
	c.c.OutputTokens += int64(out)
	u := func(name string, i, cached, o, re int) {
		c.a(`"`, name, `":{"input_tokens":`).i(i).a(`,"cached_input_tokens":`).i(cached).a(`,"output_tokens":`).i(o).a(`,"reasoning_output_tokens":`).i(re).a(`,"total_tokens":`).i(i + o).a(`}`)
	}
	c.ev(50, "event_msg").a(`{"type":"token_count","info":{`)
	u("total_token_usage", c.tin, c.tcr, c.tout, c.treas)
	c.a(`,`)
	u("last_token_usage", in+cr, cr, out, reas)
	c.a(`,"model_context_window":272000},"rate_limits":{"primary":{"used_percent":12.0,"window_minutes":300,"resets_at":1790000000},"secondary":{"used_percent":31.0,"window_minutes":10080,"resets_at":1790400000},"credits":null,"plan_type":"pro"}}`)
	c.end()
	c.results(calls)
}

type codexCall struct {
	id, name string
}

func (c *codexSess) results(calls []codexCall) {
	r := c.r
	for _, k := range calls {
		code := 0
		if r.IntN(100) < 7 {
			code = 1
			c.c.ToolErrors++
		}
		n := resultSize(r)
		if k.name == "apply_patch" {
			c.ev(400, "response_item").a(`{"type":"custom_tool_call_output","call_id":"`, k.id, `","output":"{\"output\":\"Success. Updated the following files:\\nM internal/a.go\\n\",\"metadata\":{\"exit_code\":`).i(code).a(`,\"duration_seconds\":0.1}}"}`)
		} else {
			c.ev(20000, "response_item").a(`{"type":"function_call_output","call_id":"`, k.id, `","output":"Chunk ID: `, token(r, "", 6), `\nWall time: 0.0518 seconds\nProcess exited with code `).i(code).a(`\nOriginal token count: `).i(n/4).a(`\nOutput:\n`).t(kShell, n).a(`"}`)
		}
		c.end()
	}
}
