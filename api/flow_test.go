package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
)

func TestFlowAnswers(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	runAll(t, addr, []scenario{
		{name: "a session", url: "/api/sessions/acme:one/flow", status: 200, want: []string{`"turnCount":3`, `"from":0`, `"id":"t0"`, `"id":"r2"`, `"kind":"prompt"`, `"kind":"error"`, `"kind":"requested_by"`, `"kind":"parallel","dashed":true`, `"kind":"next"`}, not: []string{"null", "roundTrips", `"args"`}},
		{name: "one turn", url: "/api/sessions/acme:one/flow?turn=1", status: 200, want: []string{`"turnCount":3`, `"from":1`, `"id":"t1"`, `"id":"c2"`, `"reason":`, `"evidence":[`}, not: []string{`"id":"t0"`, `"id":"t2"`, `"source":"t0"`}},
		{name: "some turns", url: "/api/sessions/acme:one/flow?from=1&limit=1", status: 200, want: []string{`"id":"t1"`}, not: []string{`"id":"t0"`, `"id":"t2"`}},
		{name: "from a turn on", url: "/api/sessions/acme:one/flow?from=2&lanes=false", status: 200, want: []string{`"id":"t2"`}, not: []string{`"id":"t1"`}},
		{name: "behind the last turn", url: "/api/sessions/acme:one/flow?turn=9", status: 200, want: []string{`"nodes":[]`, `"edges":[]`, `"turnCount":3`}},
		{name: "a turn that is no number", url: "/api/sessions/acme:one/flow?turn=x", status: 422, want: []string{`"code":"invalid"`, "query.turn"}},
		{name: "no such session", url: "/api/sessions/acme:none/flow", status: 404, want: []string{`"code":"not_found"`}},
		{name: "a ribbon", url: "/api/sessions/acme:one/ribbon", status: 200, want: []string{`"turnCount":3`, `"revision":41`, `"tools":["Shell"]`, `"categories":["file",`, `"calls":[[0,7,1,-1,-1,0,0],`, `"arcs":[]`, `"n":2`}, not: []string{"null", "text", "evidence"}},
		{name: "its end", url: "/api/sessions/one/ribbon?from=2", status: 200, want: []string{`"from":2`, `"index":2`}, not: []string{`"index":1,`}},
		{name: "no such session's ribbon", url: "/api/sessions/acme:none/ribbon", status: 404, want: []string{`"code":"not_found"`}},
	})
}

// TestRibbonIsSmall: 5,000 calls fit into 300 kB.
func TestRibbonIsSmall(t *testing.T) {
	d := deps()
	st := d.Store.(*store)
	st.turns, st.parts, st.secret = 100, 50, "a text that has no business in a ribbon"
	addr, _ := start(t, api.Config{}, d)
	resp, body := ask(t, addr, scenario{url: "/api/sessions/acme:one/ribbon"})
	var ribbon flow.Ribbon
	if err := json.Unmarshal([]byte(body), &ribbon); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, err)
	}
	if len(ribbon.Calls) != 5000 || len(body) > 300_000 {
		t.Errorf("%d calls in %d bytes", len(ribbon.Calls), len(body))
	}
}

func TestTranscriptAnswers(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	const url = "/api/sessions/acme:one/transcript"
	runAll(t, addr, []scenario{
		{name: "a page", url: url, status: 200, want: []string{`"messages":[{"id":"line:7"`, `"total":1`, `"has_more":false`, `"first_line":0`, `"last_line":9`, `"type":"tool_use"`, `"result":{`, `"content":[]`, `"generation":0`}, not: []string{"null", "hasMore", "$schema"}},
		{name: "a limit", url: url + "?limit=200", status: 200},
		{name: "no limit", url: url + "?limit=0", status: 400, want: []string{`"code":"invalid"`, "limit"}},
		{name: "too many", url: url + "?limit=201", status: 400, want: []string{`"code":"invalid"`, "limit"}},
		{name: "a limit that is no number", url: url + "?limit=ten", status: 400, want: []string{`"code":"invalid"`}},
		{name: "a line below none", url: url + "?before=-1", status: 400, want: []string{`"code":"invalid"`, "before"}},
		{name: "half a line", url: url + "?after=1.5", status: 400, want: []string{`"code":"invalid"`, "after"}},
		{name: "an offset that is no number", url: url + "?offset=NaN", status: 400, want: []string{`"code":"invalid"`, "offset"}},
		{name: "two directions", url: url + "?before=9&after=1", status: 400, want: []string{"exclude one another"}},
		{name: "bad parameters before the session", url: "/api/sessions/acme:none/transcript?limit=0", status: 400},
		{name: "no such session", url: "/api/sessions/acme:none/transcript", status: 404, want: []string{`"code":"not_found"`}},
		{name: "no such agent", url: url + "?agent_id=nobody", status: 404, want: []string{`"code":"not_found"`}, not: []string{"messages"}},
		{name: "a path for an agent", url: url + "?agent_id=..%2F..%2Fetc%2Fpasswd", status: 404, want: []string{`"code":"not_found"`}, not: []string{"messages", "root:"}},
		{name: "a path for a session", url: "/api/sessions/..%2F..%2Fetc%2Fpasswd/transcript", status: 404, want: []string{`"code":"not_found"`}, not: []string{"messages", "root:"}},
		{name: "the main one by name", url: url + "?agent_id=main", status: 200},
		{name: "transcripts", url: "/api/sessions/acme:one/transcripts", status: 200, want: []string{`{"transcripts":[{"id":"main","session":"acme:one","name":"title ","type":"main","subagent_type":"","has_transcript":false`}},
		{name: "transcripts of no session", url: "/api/sessions/acme:none/transcripts", status: 404},
		{name: "a view", url: "/api/sessions/acme:one/view", status: 200, want: []string{`{"status":"ok","turns":[{"at":null,"rows":[{"kind":"user","text":"hello "}]},{"at":null,"rows":[]}],"truncated":false}`}},
		{name: "a view of no session", url: "/api/sessions/acme:none/view", status: 404},
	})
	ask(t, addr, scenario{url: "/api/sessions/one/transcript?before=7&limit=3"})
	got := d.Store.(*store).asked
	if got.id != "acme:one" || got.q.Limit != 3 || got.q.Before == nil || *got.q.Before != 7 || got.q.After != nil || got.q.Offset != nil {
		t.Errorf("asked for %+v", got)
	}
}

// family is a store whose session acme:one has children.
type family struct{ *store }

func (f family) Session(ctx context.Context, id collector.SessionID) (*collector.Session, error) {
	s, err := f.store.Session(ctx, id)
	if err == nil && id == "acme:one" {
		kid := f.session("acme:one~kid")
		kid.Title, kid.Role, kid.Path, kid.Totals.Turns = "Looks around", "explore", "kid.jsonl", 2
		summary := f.session("acme:one~acompact-7")
		summary.Title, summary.Path, summary.Gone = "", "gone.jsonl", true
		kid.Children = []*collector.Session{summary}
		s.Children, s.Path = []*collector.Session{kid}, "one.jsonl"
	}
	return s, err
}

func TestTranscriptsOfSubagents(t *testing.T) {
	d := deps()
	st := d.Store.(*store)
	d.Store = family{st}
	addr, _ := start(t, api.Config{}, d)
	runAll(t, addr, []scenario{
		{name: "list", url: "/api/sessions/acme:one/transcripts", status: 200, want: []string{
			`{"id":"main",`, `"has_transcript":true`,
			`{"id":"kid","session":"acme:one~kid","name":"Looks around","type":"subagent","subagent_type":"explore","has_transcript":true,"total":2}`,
			`{"id":"acompact-7","session":"acme:one~acompact-7","name":"acompact-7","type":"compaction","subagent_type":"","has_transcript":false,"total":0}`,
		}},
		{name: "one of them", url: "/api/sessions/acme:one/transcript?agent_id=kid", status: 200},
	})
	if st.asked.id != "acme:one~kid" {
		t.Errorf("asked for %s", st.asked.id)
	}
}
