package hooks

import "github.com/turnwatch/turnwatch/hooks/jsontext"

// copilot is Copilot CLI. It reads every file of its hooks folders, so ours has a file of its own. Hooks over HTTP are no
// choice: it refuses to call this machine unless the user's shell says otherwise (1.0.102).
func copilot() agent {
	return agent{
		name: "copilot",
		home: func(cfg Config) string { return homeFrom(cfg, "COPILOT_HOME", ".copilot") },
		user: "hooks/turnwatch.json",
		repo: ".github/hooks/turnwatch.json",
		ours: true,
		// All that 1.0.102 knows; versions that know fewer pass over the others.
		events: []string{
			"sessionStart", "userPromptSubmitted", "userPromptTransformed", "preToolUse", "preMcpToolCall", "permissionRequest",
			"postToolUse", "postToolUseFailure", "errorOccurred", "notification", "subagentStart", "subagentStop", "preCompact",
			"agentStop", "sessionEnd",
		},
		top: jsontext.Members{{Key: "version", Value: 1}},
		element: func(event string) any {
			return copilotHandler{"command", bridge("copilot", event, ""), bridgePowershell("copilot", event), bridgeTimeout}
		},
		commands: []string{"bash", "powershell", "command"},
		off:      "disableAllHooks",
	}
}

type copilotHandler struct {
	Type       string `json:"type"`
	Bash       string `json:"bash"`
	Powershell string `json:"powershell"`
	TimeoutSec int    `json:"timeoutSec"`
}
