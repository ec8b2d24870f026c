package hooks

import "path/filepath"

// gemini is Gemini CLI. It runs a repository's hooks only in a folder that its user trusts, and names those that are new
// there when it starts; it keeps no answer that could be looked up (0.61.0).
func gemini() agent {
	return agent{
		name: "gemini",
		home: func(cfg Config) string { return filepath.Join(homeFrom(cfg, "GEMINI_CLI_HOME", ""), ".gemini") },
		user: "settings.json",
		repo: ".gemini/settings.json",
		// Without BeforeModel, AfterModel (with every piece of a response) and BeforeToolSelection, which say nothing that the
		// log lacks and cost every round trip time.
		events: []string{
			"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "Notification", "PreCompress", "AfterAgent", "SessionEnd",
		},
		element: func(event string) any {
			return commandGroup{[]commandHandler{{"command", bridge("gemini", event, ""), bridgeTimeout * 1000}}} // ms here
		},
		grouped:  true,
		commands: []string{"command"},
		posix:    true, // PowerShell would run them
		review:   geminiReview,
	}
}

// geminiReview says what else keeps hooks from running.
func geminiReview(_ Config, p place, d document) (Trust, []string) {
	var notes []string
	if settings, _ := d.root.Decode(d.src).(map[string]any); settings != nil {
		config, _ := settings["hooksConfig"].(map[string]any)
		if on, said := config["enabled"].(bool); said && !on {
			notes = append(notes, `"hooksConfig.enabled" in this file switches all hooks off.`)
		}
	}
	if p.scope == ScopeRepo {
		notes = append(notes, "Gemini CLI runs the hooks of a repository only in a folder that you trust (/permissions trust).")
	}
	return TrustNone, notes
}
