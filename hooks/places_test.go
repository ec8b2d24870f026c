package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// TestOneBroken: the others are installed, and the report says what is wrong with the one.
func TestOneBroken(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.repo, files["claude"].repo), "{")
	report := w.install(hooks.Request{Cwd: w.repo})
	for _, ar := range report.Agents {
		if broken := ar.Agent == "claude"; broken != (ar.Problem != "") || broken != (ar.State == hooks.StateBroken) || broken == ar.Changed {
			t.Errorf("%+v", ar)
		}
	}
	if _, err := w.hooks.Install(t.Context(), hooks.Request{Cwd: w.repo, Agent: "brand"}); code(err) != collector.CodeInvalid {
		t.Errorf("an unknown agent: %v", err)
	}
}

func TestFrozen(t *testing.T) {
	w := newWorld(t)
	w.frozen = "this is a demo"
	h := w.process()
	was := tree(t, w.dir)
	if _, err := h.Install(t.Context(), hooks.Request{Cwd: w.repo}); code(err) != collector.CodeConflict || !strings.Contains(err.Error(), "demo") {
		t.Errorf("%v", err)
	}
	if _, err := h.Install(t.Context(), hooks.Request{Cwd: w.repo, DryRun: true}); err != nil {
		t.Error(err)
	}
	equal(t, "after both", was, tree(t, w.dir))
}

// TestCommittedByATeammate: the file is there, but this machine's Turnwatch does not know it.
func TestCommittedByATeammate(t *testing.T) {
	w := newWorld(t)
	w.install(hooks.Request{Cwd: w.repo})
	must(t, os.RemoveAll(filepath.Join(w.dir, "data")))
	w.hooks = w.process()
	was := tree(t, w.repo)
	if ar := w.state(w.repo, "codex"); ar.State != hooks.StateUnlinked {
		t.Errorf("%+v", ar)
	}
	if ar := w.install(hooks.Request{Cwd: w.repo, Agent: "codex"}).Agents[0]; ar.Changed || ar.State != hooks.StateInstalled {
		t.Errorf("%+v", ar)
	}
	equal(t, "after connecting", was, tree(t, w.repo))
	w.uninstall(hooks.Request{Cwd: w.repo})
	for name, text := range tree(t, w.repo) {
		if strings.Contains(text, "turnwatch") {
			t.Errorf("%s still has %s", name, text)
		}
	}
}

// TestRepair: hooks that somebody changed, doubled or took out are put right in their place.
func TestRepair(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.repo, files["claude"].repo)
	write(t, path, "{\n  \"hooks\": {\n    \"Stop\": [\n      "+foreignGroup+"\n    ]\n  }\n}\n")
	was := tree(t, w.repo)
	req := hooks.Request{Cwd: w.repo, Agent: "claude"}
	w.install(req)
	whole := tree(t, w.repo)
	raw, err := os.ReadFile(path)
	must(t, err)
	text := strings.Replace(string(raw), `"timeout": 2`, `"timeout": 20`, 2)
	text = strings.Replace(text, `"SubagentStop"`, `"SubagentStopped"`, 1)
	write(t, path, text)
	if ar := w.state(w.repo, "claude"); ar.State != hooks.StateModified {
		t.Errorf("%+v", ar)
	}
	if ar := w.install(req).Agents[0]; ar.State != hooks.StateInstalled || !ar.Changed {
		t.Errorf("%+v", ar)
	}
	if now := tree(t, w.repo); len(now[files["claude"].repo]) != len(whole[files["claude"].repo]) {
		t.Errorf("repaired:\n%s", now[files["claude"].repo])
	}
	w.uninstall(req)
	equal(t, "after uninstalling", was, tree(t, w.repo))
}

func TestLinkInsideTheRepository(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.repo, "shared.json"), "{}")
	path := filepath.Join(w.repo, files["claude"].repo)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.Symlink("../shared.json", path))
	was := tree(t, w.repo)
	w.install(hooks.Request{Cwd: w.repo, Agent: "claude"})
	now := tree(t, w.repo)
	if now[files["claude"].repo] != "-> ../shared.json" || !strings.Contains(now["shared.json"], "turnwatch-hook") {
		t.Errorf("%v", now)
	}
	w.uninstall(hooks.Request{Cwd: w.repo, Agent: "claude"})
	equal(t, "after uninstalling", was, tree(t, w.repo))
}

// TestAgentsHomes: the environment says where an agent's files are; the first of a list counts.
func TestAgentsHomes(t *testing.T) {
	w := newWorld(t)
	for v, agent := range map[string]collector.Agent{"CLAUDE_CONFIG_DIR": "claude", "CODEX_HOME": "codex", "COPILOT_HOME": "copilot", "GROK_HOME": "grok"} {
		w.env[v] = filepath.Join(w.dir, "elsewhere", string(agent)) + string(os.PathListSeparator) + "/other"
		want := filepath.Join(w.dir, "elsewhere", string(agent), strings.SplitN(files[agent].user, "/", 2)[1])
		if ar := w.state("", agent); ar.Path != want || ar.Present {
			t.Errorf("%s: %+v", agent, ar)
		}
		w.install(hooks.Request{Agent: agent})
		if ar := w.state("", agent); ar.State != hooks.StateInstalled || !ar.Present {
			t.Errorf("%s: %+v", agent, ar)
		}
	}
}

// TestHomeIsARepository: the repository's file would be the user's own.
func TestHomeIsARepository(t *testing.T) {
	w := newWorld(t)
	must(t, os.Mkdir(filepath.Join(w.home, ".git"), 0o755))
	if _, err := w.hooks.Install(t.Context(), hooks.Request{Agent: "codex", Cwd: w.home}); code(err) != collector.CodeConflict || !strings.Contains(err.Error(), "--user") {
		t.Errorf("%v", err)
	}
}
