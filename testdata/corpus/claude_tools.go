package corpus

import (
	"fmt"
	"math/rand/v2"
)

func pick(r *rand.Rand) string {
	switch x := r.IntN(100); {
	case x < 34:
		return "Bash"
	case x < 60:
		return "Read"
	case x < 78:
		return "Edit"
	case x < 84:
		return "Write"
	case x < 93:
		return "Grep"
	case x < 96:
		return "Glob"
	case x < 98:
		return "TodoWrite"
	case x < 99:
		return "Task"
	default:
		return "mcp__playwright__browser_take_screenshot"
	}
}

func (c *claudeSess) file() string {
	return c.cwd + "/internal/" + projects[c.r.IntN(len(projects))] + "/file" + fmt.Sprint(c.r.IntN(400)) + ".go"
}

func (c *claudeSess) input(name string) {
	r := c.r
	switch name {
	case "Bash":
		c.a(`{"command":"`).t(kShell, logn(r, 90, 0.9, 10, 6000)).a(`","description":"Run `, projects[r.IntN(len(projects))], ` checks"}`)
	case "Read":
		c.a(`{"file_path":"`, c.file(), `"`)
		if r.IntN(3) == 0 {
			c.a(`,"offset":`).i(r.IntN(2000)).a(`,"limit":`).i(200)
		}
		c.a(`}`)
	case "Edit":
		c.a(`{"replace_all":false,"file_path":"`, c.file(), `","old_string":"`).t(kCode, logn(r, 300, 0.9, 20, 8000)).a(`","new_string":"`).t(kCode, logn(r, 400, 0.9, 20, 9000)).a(`"}`)
	case "Write":
		c.a(`{"file_path":"`, c.file(), `","content":"`).t(kCode, logn(r, 3500, 1.0, 100, 60000)).a(`"}`)
	case "Task":
		c.a(`{"description":"explore","subagent_type":"general-purpose","prompt":"`).t(kProse, 900).a(`"}`)
	case "TodoWrite":
		c.a(`{"todos":[{"content":"`).t(kProse, 60).a(`","status":"in_progress","activeForm":"Working"},{"content":"`).t(kProse, 60).a(`","status":"pending","activeForm":"Waiting"}]}`)
	case "Grep":
		c.a(`{"pattern":"func (\\w+)\\(","path":"`, c.cwd, `","output_mode":"content","-n":true}`)
	case "Glob":
		c.a(`{"pattern":"**/*.go"}`)
	default:
		c.a(`{"type":"png","fullPage":true}`)
	}
}

func (c *claudeSess) result(id, name, src, agent string) {
	r := c.r
	isErr := r.IntN(100) < 6
	n := resultSize(r)
	c.head("user")
	c.a(`,"message":{"role":"user","content":[{"tool_use_id":"`, id, `","type":"tool_result","content":`)
	content := func(kind int) (from, to int) { // returns the escaped text's range in c.b
		c.a(`"`)
		from = len(c.b)
		c.t(kind, n)
		to = len(c.b)
		c.a(`"`)
		return
	}
	var from, to int
	switch {
	case name == "mcp__playwright__browser_take_screenshot" && !isErr:
		n = logn(r, 180000, 0.9, 20000, 2500000)
		c.a(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`).blob(n).a(`"}}]`)
	case name == "Bash" || name == "Grep" || name == "Glob":
		from, to = content(kShell)
	case name == "Read":
		from, to = content(kCode)
	case name == "Edit" || name == "Write" || name == "TodoWrite":
		n = 160
		from, to = content(kProse)
	case name == "Task":
		c.a(`[{"type":"text","text":`)
		from, to = content(kProse)
		c.a(`}]`)
	default:
		from, to = content(kJSON)
	}
	txt := string(c.b[from:to])
	if isErr {
		c.a(`,"is_error":true}]},"toolUseResult":"Error: `, txt[:trimEsc(txt, 200)], `"`)
		c.c.ToolErrors++
	} else {
		c.a(`}]},"toolUseResult":`)
		switch name {
		case "Bash":
			c.a(`{"stdout":"`, txt, `","stderr":"","interrupted":false,"isImage":false}`)
		case "Read":
			c.a(`{"type":"text","file":{"filePath":"`, c.file(), `","content":"`, txt, `","numLines":`).i(n / 30).a(`,"startLine":1,"totalLines":`).i(n / 30).a(`}}`)
		case "Edit", "Write":
			c.a(`{"filePath":"`, c.file(), `","oldString":"`).t(kCode, 200).a(`","newString":"`).t(kCode, 260).a(`","originalFile":"`).t(kCode, logn(r, 5000, 1.0, 100, 90000)).a(`","structuredPatch":[{"oldStart":`).i(r.IntN(900)).a(`,"oldLines":7,"newStart":12,"newLines":9,"lines":["`).t(kDiff, 300).a(`"]}],"userModified":false,"replaceAll":false}`)
		case "Task":
			c.a(`{"status":"completed","prompt":"x","agentId":"`, agent, `","content":[{"type":"text","text":"`, txt, `"}],"totalDurationMs":`).i(r.IntN(400000)).a(`,"totalTokens":`).i(r.IntN(90000)).a(`,"totalToolUseCount":`).i(r.IntN(40)).a(`}`)
		default:
			c.a(`{"mode":"content","numFiles":`).i(r.IntN(40)).a(`}`)
		}
	}
	c.a(`,"sourceToolAssistantUUID":"`, src, `"`)
	c.tail(20000)
}

// trimEsc returns a cut point <= n in an escaped string that does not split an escape or a rune.
func trimEsc(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	i := 0
	for i < n {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == 'u':
			i += 6
		case s[i] == '\\':
			i += 2
		case s[i] >= 0xE0:
			i += 3
		case s[i] >= 0xC0:
			i += 2
		default:
			i++
		}
	}
	return min(i, len(s))
}
