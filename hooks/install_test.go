package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

const foreignGroup = `{"matcher":"Bash","hooks":[{"type":"command","command":"./mine.sh"}]}`

// before are files that people have; %s of each agent's own events.
var before = map[string]string{
	"none":                        "",
	"empty object":                "{}",
	"no newline":                  `{"a": 1}`,
	"one line":                    `{"hooks":{"EVENT":[` + foreignGroup + `]},"z":[1,2]}` + "\n",
	"indented by four":            "{\n    \"z\": true,\n    \"hooks\": {\n        \"EVENT\": [\n            " + foreignGroup + "\n        ],\n        \"Other\": []\n    }\n}\n",
	"tabs, CRLF":                  "{\r\n\t\"hooks\": {\r\n\t\t\"EVENT\": [\r\n\t\t\t" + foreignGroup + "\r\n\t\t]\r\n\t},\r\n\t\"a\": \"\\u00e4ß\"\r\n}\r\n",
	"comments":                    "// mine\n{\n  \"hooks\": { // all\n    \"EVENT\": [\n      " + foreignGroup + ", // last\n    ], /* end */\n  },\n}\n\n\n",
	"empty lists":                 "{\n  \"hooks\": {\n    \"EVENT\": [],\n    \"Other\": [ ]\n  }\n}",
	"empty hooks":                 "{\n  \"hooks\": {}\n}\n",
	"byte order mark":             "\ufeff{\n  \"b\": [\n    1\n  ]\n}\n",
	"a hook of ours in name only": "{\"hooks\": {\"EVENT\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"echo turnwatch\"}]}, 7, null, {\"hooks\": 1}]}}",
}

// events are each agent's event that the files above have hooks for.
var events = map[collector.Agent]string{"claude": "PreToolUse", "codex": "PostToolUse", "copilot": "preToolUse", "gemini": "BeforeTool", "grok": "PreToolUse"}

// TestInstallTwiceAndUninstall leaves whatever was there before.
func TestInstallTwiceAndUninstall(t *testing.T) {
	for agent, file := range files {
		for name, text := range before {
			for _, cwd := range []string{"", "repo", "repo/sub/deep"} {
				t.Run(string(agent)+"/"+name+"/"+cwd, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					path, req := filepath.Join(w.home, file.user), hooks.Request{Agent: agent, Force: true}
					if cwd != "" {
						path, req.Cwd = filepath.Join(w.repo, file.repo), filepath.Join(w.dir, cwd)
					}
					if text != "" {
						write(t, path, strings.ReplaceAll(text, "EVENT", events[agent]))
						if err := os.Chmod(path, 0o640); err != nil {
							t.Fatal(err)
						}
					}
					was := map[string]map[string]string{"home": tree(t, w.home), "repo": tree(t, w.repo)}
					first := w.install(req).Agents[0]
					if first.State != hooks.StateInstalled || !first.Changed || first.Diff == "" {
						t.Fatalf("installed: %+v", first)
					}
					installed := tree(t, w.dir)
					wellFormed(t, path, agent)
					if second := w.install(req).Agents[0]; second.Changed || second.Diff != "" {
						t.Errorf("the second install: %+v", second)
					}
					equal(t, "after the second install", installed, tree(t, w.dir))
					if gone := w.uninstall(req).Agents[0]; !gone.Changed || gone.State == hooks.StateInstalled {
						t.Errorf("uninstalled: %+v", gone)
					}
					equal(t, "the repository", was["repo"], tree(t, w.repo))
					home := tree(t, w.home)
					for _, made := range []string{".local/", ".local/share/", ".local/share/turnwatch/", ".local/share/turnwatch/hook/"} {
						delete(home, made)
					}
					equal(t, "the home directory", was["home"], home)
					if again := w.uninstall(req).Agents[0]; again.Changed {
						t.Errorf("the second uninstall: %+v", again)
					}
				})
			}
		}
	}
}

// wellFormed checks what an agent would read, with encoding/json where the file is plain JSON.
func wellFormed(t *testing.T, path string, agent collector.Agent) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Hooks map[string][]json.RawMessage `json:"hooks"`
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(raw), "\ufeff")), &doc); err != nil {
		if !strings.Contains(string(raw), "//") {
			t.Fatalf("%v in\n%s", err, raw)
		}
		return
	}
	list := doc.Hooks[events[agent]]
	if len(list) == 0 || !strings.Contains(string(list[len(list)-1]), "turnwatch-hook "+string(agent)+" "+events[agent]) {
		t.Errorf("no hook of ours at the end of %s", list)
	}
	if agent != "copilot" && agent != "grok" && strings.Contains(string(raw), "./mine.sh") && !strings.Contains(string(list[0]), "./mine.sh") {
		t.Errorf("the foreign hook is not where it was: %s", list)
	}
}

func TestPreviewChangesNothing(t *testing.T) {
	for agent, file := range files {
		w := newWorld(t)
		write(t, filepath.Join(w.repo, file.repo), "{\n  \"x\": 1\n}\n")
		was := tree(t, w.dir)
		req := hooks.Request{Agent: agent, Cwd: w.repo, DryRun: true}
		ar := w.install(req).Agents[0]
		if !ar.Changed || !strings.Contains(ar.Diff, "+++ b/"+file.repo) || !strings.Contains(ar.Diff, "\n+") || ar.State == hooks.StateInstalled {
			t.Errorf("%s: %+v", agent, ar)
		}
		equal(t, "after a preview", was, tree(t, w.dir))
		req.DryRun, req.Force = false, true
		if done := w.install(req).Agents[0]; done.Diff != ar.Diff {
			t.Errorf("%s: done was not what the preview showed:\n%s", agent, cmp.Diff(ar.Diff, done.Diff))
		}
		was = tree(t, w.dir)
		req.DryRun = true
		if ar := w.uninstall(req).Agents[0]; !ar.Changed || !strings.Contains(ar.Diff, "\n-") {
			t.Errorf("%s: %+v", agent, ar)
		}
		equal(t, "after a preview of the end", was, tree(t, w.dir))
	}
}
