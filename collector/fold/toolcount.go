package fold

import "github.com/turnwatch/turnwatch/collector"

func (s *Session) countTool(c *collector.ToolCall, n int) {
	if c.Inherited {
		return
	}
	tc := s.tools[c.Tool]
	if tc == nil {
		tc = &collector.ToolCount{Tool: c.Tool, Category: c.Category}
		s.tools[c.Tool] = tc
	}
	tc.Calls += n
	if c.Status == collector.CallFailed {
		tc.Failed += n
	}
}

func (s *Session) countFailed(c *collector.ToolCall, failed bool) {
	if tc := s.tools[c.Tool]; tc != nil && !c.Inherited {
		if failed {
			tc.Failed++
		} else {
			tc.Failed--
		}
	}
}
