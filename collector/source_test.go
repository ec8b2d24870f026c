package collector_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

type source struct {
	collector.Source
	agent collector.Agent
}

func (s source) Agent() collector.Agent { return s.agent }

type hearsay struct{ source }

func (hearsay) Unverified() string { return "After the notes of others." }

type blind struct{ source }

func (blind) RunningUnknown() string { return "When it has ended." }

func TestRunningUnknownAgents(t *testing.T) {
	got := collector.RunningUnknownAgents([]collector.Source{source{agent: "b"}, blind{source{agent: "c"}}})
	if diff := cmp.Diff([]collector.RunningUnknownAgent{{Agent: "c", Why: "When it has ended."}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnverifiedAgents(t *testing.T) {
	got := collector.UnverifiedAgents([]collector.Source{source{agent: "b"}, hearsay{source{agent: "c"}}, hearsay{source{agent: "a"}}})
	want := []collector.UnverifiedAgent{{Agent: "c", Why: "After the notes of others."}, {Agent: "a", Why: "After the notes of others."}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := collector.UnverifiedAgents(nil); got == nil {
		t.Error("none is an empty list, which JSON shows as one")
	}
}
