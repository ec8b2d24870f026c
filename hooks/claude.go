package hooks

// claude is Claude Code. In a repository its personal settings are used, which nobody commits. Hooks over HTTP are no
// choice: SessionStart ignores them, and every failed one leaves a record in the transcript (seen in 2.1.332).
//
// Copilot and Grok run the hooks of these files too (seen in 1.0.102 and 1.0.41). They have hooks of their own, so the
// bridge leaves out what they start: that has their variable, and not the one that Claude Code gives its hooks, also if it
// was itself started by one of them. Where Claude Code started Grok, both are there: whoever receives them tells by what
// they send.
func claude() agent {
	return agent{
		name: "claude",
		home: func(cfg Config) string { return homeFrom(cfg, "CLAUDE_CONFIG_DIR", ".claude") },
		user: "settings.json",
		repo: ".claude/settings.local.json",
		// Those that 2.1.112 knows too: it warns about others. MessageDisplay comes with every text; WorktreeCreate would
		// replace what is built in.
		events: []string{
			"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure",
			"Notification", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Stop", "StopFailure", "SessionEnd",
		},
		element:  group("claude", grokRuns+` && { [ -z "${COPILOT_PROJECT_DIR-}`+grokVariable+`" ] || [ -n "${CLAUDE_CODE_SESSION_ID-}" ]; }`),
		grouped:  true,
		commands: []string{"command"},
		off:      "disableAllHooks",
	}
}
