package gemini

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// errorBytes bounds why a call or a turn failed: a reason, not a report.
const errorBytes = 300

// calls reads the calls of the response id, with their results. They are written at once, when the last has ended, and
// with that time: one that was not alone ended nobody knows when.
func (d *decoder) calls(id string, calls []*fastjson.Value) {
	for _, c := range calls {
		d.call(id, c, len(calls))
		d.add(collector.EventRoundTripStart).Time = jsonl.Time(c, "timestamp") // documents have no record of the results' way
	}
}

// call reads a call. It began when its response came, which a record without the response does not tell.
func (d *decoder) call(id string, c *fastjson.Value, n int) {
	key, tool := jsonl.Str(c, "id"), jsonl.Str(c, "name")
	e := d.add(collector.EventCall)
	e.RoundTrip, e.Call, e.StopReason = id, key, stopTools
	if e.Global = id != collector.LatestRoundTrip; !e.Global {
		e.Time = 0
	}
	setTool(e, tool, c.Get("args"), d.limit)
	child := jsonl.Str(c, "agentId")
	if child != "" {
		e.Category = collector.CategoryAgent
	}
	if status := jsonl.Str(c, "status"); status == "success" || status == "error" || status == "cancelled" {
		d.result(key, tool, status, c, n)
	}
	if child != "" {
		d.spawned(child, key, jsonl.Str(c, "args", "agent_name"))
	}
	switch {
	case tool == "activate_skill":
		d.skill(key, jsonl.Str(c, "args", "name"))
	case tool == "complete_task" && jsonl.Str(c, "status") == "success":
		d.at = jsonl.Time(c, "timestamp")
		d.add(collector.EventTurnEnd).TurnStatus = collector.TurnOK // by which a sub-agent answers
	}
}

// result reads how a call went. A shell command that failed is a success here; its text says otherwise.
func (d *decoder) result(key, tool, status string, c *fastjson.Value, n int) {
	e := d.add(collector.EventResult)
	e.Call = key
	e.Time = jsonl.Time(c, "timestamp")
	e.Late = n > 1
	e.CallStatus = collector.CallOK
	output, failure := answer(parts(c.Get("result")))
	if tool == shellTool {
		d.shell(e, output)
	} else {
		e.ResultHash = jsonl.Hash(output)
		e.Text = jsonl.Clip(output, d.limit)
	}
	if status == "success" && !failure {
		e.LinesAdded, e.LinesRemoved = lines(c.Get("resultDisplay", "diffStat"))
		return
	}
	if e.CallStatus == collector.CallOK {
		e.CallStatus = collector.CallFailed
	}
	e.Error = jsonl.Clip(output, errorBytes).Preview
	switch {
	case refused(e.Error):
		e.CallStatus = collector.CallDenied
	case status == "cancelled":
		e.CallStatus = collector.CallInterrupted
	}
}

// refused reports whether a human, or a rule, said no.
func refused(reason string) bool {
	return strings.Contains(reason, "did not allow tool call") || strings.Contains(reason, "denied by policy") ||
		strings.Contains(reason, "blocked by policy")
}

// answer returns what a call gave the model, and whether that was an error.
func answer(result []*fastjson.Value) (output *fastjson.Value, failed bool) {
	for _, p := range result {
		r := p.Get("functionResponse", "response")
		if r == nil {
			continue
		}
		if failure := r.Get("error"); failure != nil {
			return failure, true
		}
		if out := r.Get("output"); out != nil {
			return out, false
		}
		return r, false
	}
	return nil, false
}

// lines returns how many lines an edit added and removed, those that the user changed in it included.
func lines(stat *fastjson.Value) (added, removed int) {
	if stat.GetObject() == nil {
		return 0, 0
	}
	count := func(keys ...string) int {
		sum := int64(0)
		for _, k := range keys {
			if n, _ := jsonl.Int(stat, k); n > 0 && n < 1<<31 {
				sum += n
			}
		}
		return int(sum)
	}
	return count("model_added_lines", "user_added_lines"), count("model_removed_lines", "user_removed_lines")
}

// spawned links the session of a sub-agent to the call that asked for it.
func (d *decoder) spawned(child, call, role string) {
	root := d.stream.Session
	if parent := parentOf(root); parent != "" {
		root = parent
	}
	e := d.add(collector.EventFacts)
	e.Session = root.Child(own(child))
	e.Facts = &collector.Facts{Parent: d.stream.Session, ParentCall: call, Role: role}
}

func (d *decoder) skill(key, name string) {
	e := d.add(collector.EventMarker)
	e.Marker, e.MarkerStatus, e.Name, e.Call = collector.MarkerSkill, collector.MarkerOK, name, key
	e.Key = "skill/" + key
}
