package claude_test

import (
	"fmt"
	"strings"
)

// at is a time of day on the day of the recordings.
func at(clock string) string { return `"timestamp":"2026-11-30T` + clock + `.000Z"` }

// userLine writes a user's line with extra fields, such as `"isMeta":true`.
func userLine(uuid, clock, content string, extra ...string) string {
	return join(`{"parentUuid":"p","isSidechain":false,"type":"user","message":{"role":"user","content":`+content+`}`,
		`"uuid":"`+uuid+`"`, at(clock), `"sessionId":"`+sid+`"`, extra)
}

// assistantLine writes a line of the response id: one block, and the usage of the whole.
func assistantLine(uuid, clock, id, stop, block, usage string, extra ...string) string {
	if stop != "null" {
		stop = `"` + stop + `"`
	}
	idField := ""
	if id != "" {
		idField = `"id":"` + id + `",`
	}
	return join(`{"parentUuid":"p","isSidechain":false,"type":"assistant","message":{`+idField+`"role":"assistant","model":"claude-x","content":[`+block+
		`],"stop_reason":`+stop+`,"usage":`+usage+`}`, `"uuid":"`+uuid+`"`, at(clock), `"sessionId":"`+sid+`"`, extra)
}

// toolResult writes the answer to a call.
func toolResult(uuid, clock, call, content string, isError bool, extra ...string) string {
	return userLine(uuid, clock, fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%s,"is_error":%v}]`, call, content, isError), extra...)
}

func toolUse(call, name, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, call, name, input)
}

func say(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func tokens(in, write, read, out int) string {
	return fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`, in, write, read, out)
}

// other writes a line of any type.
func other(fields ...string) string { return "{" + strings.Join(fields, ",") + "}" }

func join(head, uuid, time, session string, extra []string) string {
	return strings.Join(append([]string{head, uuid, time, session}, extra...), ",") + "}"
}
