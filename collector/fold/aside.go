package fold

import "github.com/turnwatch/turnwatch/collector"

// aside is what another stream said of a call that the log has not shown yet: streams are read in any order.
type aside struct {
	Status   collector.CallStatus `json:"s,omitempty"`
	Exit     *int                 `json:"e,omitempty"`
	Duration collector.Count      `json:"d"`
	Error    string               `json:"r,omitempty"`
}

// maxAsides bounds what calls are waited for that never come.
const maxAsides = 10_000

// keepAside keeps what enriches a call that is not known. What the log itself says stands behind the call.
func (s *Session) keepAside(ev *collector.Event) {
	if !ev.Late || ev.Call == "" || len(s.cur.Asides) >= maxAsides {
		return
	}
	if s.cur.Asides == nil {
		s.cur.Asides = map[string]aside{}
	}
	s.cur.Asides[ev.Call] = aside{ev.CallStatus, ev.ExitCode, ev.Duration, ev.Error}
	s.changed = true
}

// takeAside enriches a new call with what was said of it before.
func (s *Session) takeAside(call string) {
	a, waits := s.cur.Asides[call]
	if !waits {
		return
	}
	delete(s.cur.Asides, call)
	s.result(&collector.Event{
		Kind: collector.EventResult, Call: call, Enriches: true, Late: true,
		CallStatus: a.Status, ExitCode: a.Exit, Duration: a.Duration, Error: a.Error,
	})
}
