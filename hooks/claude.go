package hooks

// claude is Claude Code. In a repository its personal settings are used, which nobody commits. Hooks over HTTP are no
// choice: SessionStart ignores them, and every failed one leaves a record in the transcript (seen in 2.1.332).
//
// Grok runs the hooks of the user's file too, and Copilot those of both; whoever receives them tells them apart by what
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
		element:  group("claude"),
		grouped:  true,
		commands: []string{"command"},
		off:      "disableAllHooks",
	}
}
