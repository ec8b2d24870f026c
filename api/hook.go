package api

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// HookTokens knows what the hooks that were installed show, so that no other program can make up what runs.
type HookTokens interface {
	Verify(agent, token string) bool
}

const hookTokenHeader = "X-Turnwatch-Token"

// eventName is what an event may be called: names are counted and shown.
var eventName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

func (s *Server) hookRoutes() {
	if s.deps.HookTokens == nil || s.deps.Running == nil {
		return
	}
	s.app.Post(hookPrefix+":event", s.hook)
	s.app.Post(hookPrefix+":agent/:event", s.hook)
}

// isHook reports whether a request comes from a hook. Those show a token of their own instead of the page's.
func (s *Server) isHook(c *fiber.Ctx) bool {
	return s.deps.HookTokens != nil && c.Method() == http.MethodPost && strings.HasPrefix(c.Path(), hookPrefix)
}

// hook takes in what an agent's hook sends. The agent waits for the answer, and takes what stands in it for a decision:
// it comes at once, and is empty.
func (s *Server) hook(c *fiber.Ctx) error {
	agent, event := collector.Agent(c.Params("agent", string(s.deps.UnnamedHooks))), c.Params("event")
	agent, kind, err := s.receive(c, agent, event)
	if s.deps.HookSeen != nil {
		s.deps.HookSeen(seen(agent, event, kind, err))
	}
	if err != nil {
		return err
	}
	c.Status(fiber.StatusNoContent)
	return nil
}

func (s *Server) receive(c *fiber.Ctx, agent collector.Agent, event string) (collector.Agent, collector.HookKind, error) {
	token := c.Get(hookTokenHeader)
	if !s.deps.HookTokens.Verify(string(agent), token) {
		status := http.StatusForbidden
		if token == "" {
			status = http.StatusUnauthorized
		}
		return agent, collector.HookUnknown, newProblem(status, collector.CodeForbidden, "the hook's token is not that of the agent's hooks here; install them again", nil)
	}
	if !eventName.MatchString(event) {
		return agent, collector.HookUnknown, invalid("this is no event's name")
	}
	// The body as it came: an agent compresses nothing, and what somebody else compresses could be of any size.
	return s.deps.Running.Receive(agent, event, c.Request().Body())
}

// seen says in few words what became of a hook. Names that nobody knows are not repeated: whoever counts them would
// count without end.
func seen(agent collector.Agent, event string, kind collector.HookKind, err error) (knownAgent, knownEvent string, result collector.HookResult) {
	p := &Problem{}
	if err != nil {
		p = problemOf(err)
	}
	switch {
	case p.Code == collector.CodeForbidden:
		return "", "", collector.HookResultRefused
	case p.Code == collector.CodeNotFound:
		return "", "", collector.HookResultUnknown
	case err != nil:
		return string(agent), "", collector.HookResultMalformed
	case kind == collector.HookUnknown:
		return string(agent), "", collector.HookResultUnknown
	}
	return string(agent), event, collector.HookResultOK
}
