package codex

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// wordings are arguments that say how long to wait, how much to return, or why: calls that differ in them alone are the
// same call.
var wordings = []string{"yield_time_ms", "max_output_tokens", "justification"}

// call adds a call that a response asked for.
func (d *decoder) call(it item, tool string) *collector.Event {
	e := d.add(collector.EventCall)
	e.Tool, e.Turn = tool, it.turn()
	e.Call = jsonl.Str(it.Value, "call_id")
	if e.Call == "" {
		e.Call = jsonl.Str(it.Value, "id")
	}
	if e.Call == "" {
		// Hosted tools had no id up to 0.142.
		e.Call = "@" + strconv.FormatInt(d.ref.Offset, 10) + "." + strconv.Itoa(d.items)
	}
	return e
}

// functionCall reads a call whose arguments are JSON in a string.
func (d *decoder) functionCall(it item) {
	ns, name := jsonl.Str(it.Value, "namespace"), jsonl.Str(it.Value, "name")
	tool := name
	if ns != "" {
		tool = ns + "/" + name
	}
	e := d.call(it, tool)
	raw := it.Get("arguments")
	e.Args = jsonl.Clip(raw, d.limit)
	k := kindOf(ns, name)
	e.Category, e.Effect = k.category, k.effect
	id := e.Call
	parsed := false
	jsonl.Each([]byte(jsonl.Str(raw)), func(args *fastjson.Value) {
		if parsed {
			return
		}
		parsed = true
		e.ArgsHash = jsonl.ArgsHash(args, wordings...)
		refine(e, name, args)
		if name == "update_plan" {
			d.plan(args, id)
		}
	})
	if !parsed {
		e.ArgsHash = jsonl.Hash(raw)
	}
}

// plan adds a marker for a changed plan.
func (d *decoder) plan(args *fastjson.Value, call string) {
	var b strings.Builder
	for _, s := range args.GetArray("plan") {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		switch status := s.GetStringBytes("status"); string(status) {
		case "completed":
			b.WriteString("[x] ")
		case "in_progress":
			b.WriteString("[>] ")
		default:
			b.WriteString("[ ] ")
		}
		b.WriteString(jsonl.Str(s, "step"))
	}
	e := d.add(collector.EventMarker)
	e.Marker, e.MarkerStatus, e.Name = collector.MarkerPlan, collector.MarkerOK, "update_plan"
	e.Key, e.Call = "plan:"+call, call
	e.Text = jsonl.ClipString(b.String(), d.limit)
}

// customCall reads a call whose input is plain text: a patch, or a script of code mode.
func (d *decoder) customCall(it item) {
	name := jsonl.Str(it.Value, "name")
	e := d.call(it, name)
	k := kindOf("", name)
	e.Category, e.Effect = k.category, k.effect
	e.Args, e.ArgsHash = jsonl.Clip(it.Get("input"), d.limit), jsonl.Hash(it.Get("input"))
}

func (d *decoder) localShell(it item) {
	e := d.call(it, "local_shell")
	action := it.Get("action")
	e.Category = collector.CategoryShell
	e.Args, e.ArgsHash = jsonl.Clip(action, d.limit), jsonl.ArgsHash(action, "timeout_ms")
	refine(e, "local_shell", action)
}

func (d *decoder) toolSearch(it item) {
	e := d.call(it, "tool_search_call")
	e.Category = collector.CategoryOther
	e.Args, e.ArgsHash = jsonl.Clip(it.Get("arguments"), d.limit), jsonl.ArgsHash(it.Get("arguments"))
}

// hosted reads a call that the model's host carried out within the response.
func (d *decoder) hosted(it item, tool string) {
	e := d.call(it, tool)
	e.Category = kindOf("", tool).category
	action := it.Get("action")
	e.Args, e.ArgsHash = jsonl.Clip(action, d.limit), jsonl.ArgsHash(action)
	id, turn := e.Call, e.Turn
	e = d.add(collector.EventResult)
	e.Call, e.Turn, e.CallStatus = id, turn, collector.CallOK
	if string(it.GetStringBytes("status")) == "failed" {
		e.CallStatus = collector.CallFailed
	}
}

// output reads the answer to a call.
func (d *decoder) output(it item, out *fastjson.Value) {
	o := readOutput(out, d.limit)
	id := jsonl.Str(it.Value, "call_id")
	e := d.add(collector.EventResult)
	e.Call, e.Turn = id, it.turn()
	e.CallStatus, e.ExitCode, e.Background, e.Error = o.status, o.exit, o.running, o.reason
	e.Text, e.ResultHash = o.text, o.hash
	if d.at == 0 {
		e.Duration = o.wall // before there were times; else the records' times say more: the wall time begins late
	}
	d.spawned(o.child, id, "")
}
