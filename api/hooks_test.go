package api_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

var _ api.Hooks = (*hooks.Hooks)(nil)

// installer remembers what it was asked, and answers with a diff.
type installer struct {
	cwd   string
	asked []hooks.Request
	diff  string
}

func (i *installer) report(cwd string) (hooks.Report, error) {
	switch cwd {
	case "/none":
		return hooks.Report{}, &collector.Error{Code: collector.CodeInvalid, Message: "/none is in no git repository", Details: hooks.FolderOutside}
	case "/gone":
		return hooks.Report{}, &collector.Error{Code: collector.CodeInvalid, Message: "there is no folder /gone", Details: hooks.FolderGone}
	case "up":
		return hooks.Report{}, &collector.Error{Code: collector.CodeInvalid, Message: "up is no absolute path"}
	}
	return hooks.Report{Scope: hooks.ScopeRepo, Root: cwd, Agents: []hooks.AgentReport{{Agent: "acme", State: hooks.StateInstalled, Diff: i.diff}}}, nil
}

func (i *installer) Status(_ context.Context, r hooks.Request) (hooks.Report, error) {
	i.cwd = r.Cwd
	return i.report(r.Cwd)
}

func (i *installer) Install(_ context.Context, r hooks.Request) (hooks.Report, error) {
	i.asked = append(i.asked, r)
	return i.report(r.Cwd)
}

func (i *installer) Uninstall(_ context.Context, r hooks.Request) (hooks.Report, error) {
	i.asked = append(i.asked, r)
	return i.report(r.Cwd)
}

func TestHooks(t *testing.T) {
	in := &installer{diff: "+key = " + "AKIA" + "Z7QX4M2PLNVB6T3K"}
	d := deps()
	d.Hooks = in
	addr, _ := start(t, api.Config{}, d)
	runAll(t, addr, []scenario{
		{name: "status", url: "/api/hooks/status?cwd=%2Frepo%20ä", status: 200, want: []string{`"root":"/repo ä"`, `"agents":[{"agent":"acme"`, `"state":"installed"`, `"notes":[]`, `"places":[]`}, not: []string{"AKIA", `"trust"`}},
		{name: "no repository", url: "/api/hooks/status?cwd=/none", status: 200, want: []string{`"scope":"repo"`, `"folder":"outside"`, `"reason":"/none is in no git repository"`, `"agents":[]`}},
		{name: "a folder that is gone", url: "/api/hooks/status?cwd=/gone", status: 200, want: []string{`"folder":"gone"`, `"reason":"there is no folder /gone"`, `"agents":[]`, `"places":[]`}},
		{name: "a path that is none", url: "/api/hooks/status?cwd=up", status: 400, want: []string{`"code":"invalid"`, "no absolute path"}},
		{name: "install where the folder is gone", method: "POST", url: "/api/hooks/install", body: `{"cwd":"/gone"}`, status: 400, want: []string{`"code":"invalid"`, "there is no folder /gone"}},
		{name: "install", method: "POST", url: "/api/hooks/install", body: `{"cwd":"/repo","agent":"acme","port":4321,"force":true,"dryRun":true}`, status: 200, want: []string{`"scope":"repo"`}, not: []string{"AKIA"}},
		{name: "install without a body", method: "POST", url: "/api/hooks/install", status: 200},
		{name: "a port that is none", method: "POST", url: "/api/hooks/install", body: `{"port":70000}`, status: 422, want: []string{"port"}},
		{name: "a misspelt field", method: "POST", url: "/api/hooks/install", body: `{"dry":true}`, status: 422, want: []string{"dry"}},
		{name: "from another site", method: "POST", url: "/api/hooks/install", body: `{}`, headers: map[string]string{"Origin": "http://evil.example"}, status: 403},
		{name: "uninstall", method: "POST", url: "/api/hooks/uninstall", body: `{"cwd":"/repo","agent":"acme"}`, status: 200, want: []string{`"scope":"repo"`}},
	})
	if in.cwd != "up" {
		t.Errorf("asked for the status of %q", in.cwd)
	}
	want := []hooks.Request{{Cwd: "/gone"}, {Cwd: "/repo", Agent: "acme", Port: 4321, Force: true, DryRun: true}, {}, {Cwd: "/repo", Agent: "acme"}}
	if diff := cmp.Diff(want, in.asked); diff != "" {
		t.Error(diff)
	}
}
