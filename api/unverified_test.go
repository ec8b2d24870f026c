package api_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// TestUnverified: whatever shows numbers of an agent whose program was never met says so.
func TestUnverified(t *testing.T) {
	d := deps()
	d.Unverified = []collector.UnverifiedAgent{{Agent: "nobody", Why: "Nobody's."}, {Agent: "acme", Why: "After notes of others."}}
	addr, _ := start(t, api.Config{}, d)
	const field = `"unverified":"After notes of others."`
	list := []string{`"unverified":[{"agent":"acme","why":"After notes of others."}]`}
	runAll(t, addr, []scenario{
		{name: "sessions and those below them", url: "/api/sessions", status: 200, want: []string{field, `~kid","agent":"acme","title":"title ","cwd":"","unverified":`}},
		{name: "live ones", url: "/api/sessions/live", status: 200, want: []string{field}},
		{name: "one", url: "/api/sessions/acme:one", status: 200, want: []string{field}},
		{name: "an analysis", url: "/api/analysis/acme:one", status: 200, want: []string{field}},
		{name: "two compared", url: "/api/compare?a=acme:one&b=acme:one~kid", status: 200, want: []string{field}},
		{name: "groups compared", url: "/api/compare?groupA=agent:acme&groupB=agent:acme", status: 200, want: []string{field}},
		{name: "insights", url: "/api/insights", status: 200, want: list, not: []string{"Nobody's"}},
	})
	d = deps()
	addr, _ = start(t, api.Config{}, d)
	runAll(t, addr, []scenario{
		{name: "a verified one", url: "/api/sessions/acme:one", status: 200, not: []string{"unverified"}},
		{name: "insights of verified ones", url: "/api/insights", status: 200, want: []string{`"unverified":[]`}},
	})
}
