package hooks_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/hooks"
)

// codexHashes are what Codex 0.171 itself said of our hooks (hooks/list of its app-server). If this test fails, the
// bridge has changed, and everybody who trusts it will be asked again.
var codexHashes = map[string]string{
	"interrupt":          "sha256:b98ee1346423b179b785214886ad6140d364dc5581f8a43ab29ceb5829856160",
	"permission_request": "sha256:97cbe04d7195c29762bf7265d226e328de119add1d038741b2e60b9466f09a66",
	"post_compact":       "sha256:15b29ca6c3ca66ba2ac7b0a428d5120f9a0edc1e6a1b248c10248609434f2656",
	"post_tool_use":      "sha256:a44ea7cc61965d62a99d29342f1726dd8de93247bc45a3d79371112897126e0c",
	"pre_compact":        "sha256:8e1f89da9d6cbbacd76327d34508f2a8e9d4d1f9adda68914ce90b42fbb6d86e",
	"pre_tool_use":       "sha256:73c48fb5e17e231fc83fb44d868a0ae411cb88dc125e1c5202bc8b4da8db68eb",
	"session_end":        "sha256:938dd92bb30b46325f10788b13ebbb2fec9230aa9b334ae9b421c3d5812573a5",
	"session_start":      "sha256:1de0e487219394f713b9e1e4b6c52d621e4d690c04809736e9eab0994b3087e1",
	"stop":               "sha256:3a6fb1d96128f9a1d9fb72d5f2bba2915cd82c5acb6c96d17b94d9995530b60a",
	"subagent_start":     "sha256:db036e8de650e46623b6e7ad335c2ecaef91c060728254f5f1a8cafda9400a5a",
	"subagent_stop":      "sha256:e4b37c7d2d4a4acfc0e52c86f3df9b7c478fdb20fc89426e18792f59b25b27cb",
	"user_prompt_submit": "sha256:28f015c0086bbcb39f82c30f1497e7175601f1177f5dc28902dbe4ce1c6e7217",
}

// trustAll is a config.toml that trusts the hooks of a file.
func trustAll(path, repo string, hashes map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "model = \"m\"\n[projects.%q]\ntrust_level = \"trusted\"\n", repo)
	for event, hash := range hashes {
		fmt.Fprintf(&b, "[hooks.state.\"%s:%s:0:0\"]\ntrusted_hash = %q\n", path, event, hash)
	}
	return b.String()
}

func TestCodexTrust(t *testing.T) {
	w := newWorld(t)
	config := filepath.Join(w.home, ".codex", "config.toml")
	path := filepath.Join(w.repo, files["codex"].repo)
	w.install(hooks.Request{Agent: "codex", Cwd: w.repo})
	was := tree(t, w.repo)
	for _, c := range []struct {
		name, config string
		trust        hooks.Trust
		note         string
	}{
		{"nothing said", "", hooks.TrustPending, "does not trust this folder"},
		{"a trusted folder", trustAll(path, w.repo, nil), hooks.TrustPending, "has not asked you"},
		{"all trusted", trustAll(path, w.repo, codexHashes), hooks.TrustTrusted, ""},
		{"another one trusted", trustAll(path+"x", w.repo, codexHashes), hooks.TrustPending, "has not asked you"},
		{"one changed", strings.Replace(trustAll(path, w.repo, codexHashes), codexHashes["stop"], "sha256:00", 1), hooks.TrustModified, "trust them again"},
		{"one switched off", trustAll(path, w.repo, codexHashes) + "enabled = false\n", hooks.TrustTrusted, "switched off"},
		{"hooks switched off", "[features]\nhooks = false\n" + trustAll(path, w.repo, codexHashes)[len("model = \"m\"\n"):], hooks.TrustTrusted, "[features] hooks = false"},
		{"no TOML", "[[[", hooks.TrustPending, "config.toml cannot be read"},
	} {
		write(t, config, c.config)
		ar := w.state(w.repo, "codex")
		if ar.State != hooks.StateInstalled || ar.Trust != c.trust || !strings.Contains(strings.Join(ar.Notes, " "), c.note) {
			t.Errorf("%s: %+v, want %q and %q", c.name, ar, c.trust, c.note)
		}
	}
	write(t, config, trustAll(path, w.repo, codexHashes))
	w.install(hooks.Request{Agent: "codex", Cwd: w.repo})
	equal(t, "looking and installing again", was, tree(t, w.repo))
}

// TestCodexTrustIsByPosition: hooks that stand before ours move it.
func TestCodexTrustIsByPosition(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.home, files["codex"].user)
	write(t, path, `{"hooks": {"Stop": [`+foreignGroup+`]}}`)
	w.install(hooks.Request{Agent: "codex"})
	config := filepath.Join(w.home, ".codex", "config.toml")
	write(t, config, trustAll(path, w.repo, codexHashes))
	if ar := w.state("", "codex"); ar.Trust != hooks.TrustPending {
		t.Errorf("%+v", ar)
	}
	write(t, config, strings.Replace(trustAll(path, w.repo, codexHashes), ":stop:0:0", ":stop:1:0", 1))
	if ar := w.state("", "codex"); ar.Trust != hooks.TrustTrusted {
		t.Errorf("%+v", ar)
	}
}
