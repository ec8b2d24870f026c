package completion_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/completion"
)

type app struct {
	Data  string `help:"Where. It's a \"place\" [sic]: $HOME." placeholder:"DIR"`
	Serve struct {
		Port    int  `help:"Port."`
		Browser bool `negatable:"" help:"Open the page."`
	} `cmd:"" default:"withargs" help:"Serve the page (default)."`
	Show struct {
		ID     string `arg:"" help:"Session."`
		Format string `short:"f" enum:"md,html," default:"" help:"How."`
		Secret string `hidden:""`
	} `cmd:"" help:"Show it's all."`
	Hooks struct {
		Install struct {
			File string `placeholder:"FILE" help:"File."`
		} `cmd:"" help:"Put in."`
		Remove struct{} `cmd:"" help:"Take out."`
	} `cmd:"" help:"Hooks."`
	Internal struct{} `cmd:"" hidden:""`
}

// script writes a shell's script into a file, with a program prog beside it that lists two sessions.
func script(t *testing.T, shell completion.Shell) (path, dir string) {
	t.Helper()
	parser, err := kong.New(&app{}, kong.Name("prog"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := completion.Script(shell, parser.Model)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "internal") {
		t.Errorf("%s offers what is hidden", shell)
	}
	dir = t.TempDir()
	path = filepath.Join(dir, "script")
	for name, content := range map[string]string{path: text, filepath.Join(dir, "prog"): "#!/bin/sh\nprintf '7f3c21aa\\tone\\n91ab\\ttwo\\n'\n"} {
		if err := os.WriteFile(name, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return path, dir
}

func shellOr(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("no " + name)
	}
	return path
}

// TestParses: each shell can read its script.
func TestParses(t *testing.T) {
	for _, shell := range []completion.Shell{completion.Bash, completion.Zsh, completion.Fish} {
		t.Run(string(shell), func(t *testing.T) {
			program := shellOr(t, string(shell))
			path, _ := script(t, shell)
			if out, err := exec.CommandContext(t.Context(), program, "-n", path).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	parser, err := kong.New(&app{}, kong.Name("prog"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := completion.Script("csh", parser.Model); err == nil {
		t.Error("csh has no script")
	}
}

// offers are what is typed, the last word being completed, and what must and must not be offered.
var offers = []struct {
	typed     []string
	want, not []string
}{
	{[]string{""}, []string{"serve", "show", "hooks"}, []string{"install", "internal"}},
	{[]string{"s"}, []string{"serve", "show"}, []string{"hooks"}},
	{[]string{"--"}, []string{"--data", "--port", "--browser", "--no-browser"}, []string{"--format"}},
	{[]string{"show", "--"}, []string{"--format", "--data"}, []string{"--port", "--secret"}},
	{[]string{"show", ""}, []string{"7f3c21aa", "91ab"}, []string{"serve"}},
	{[]string{"show", "7"}, []string{"7f3c21aa"}, []string{"91ab"}},
	{[]string{"show", "--format", ""}, []string{"md", "html"}, []string{"serve", "7f3c21aa"}},
	{[]string{"show", "-f", "h"}, []string{"html"}, []string{"md"}},
	{[]string{"hooks", ""}, []string{"install", "remove"}, []string{"serve"}},
	{[]string{"hooks", "install", "--"}, []string{"--file", "--data"}, []string{"--port"}},
}

func TestBash(t *testing.T) {
	bash := shellOr(t, "bash")
	path, dir := script(t, completion.Bash)
	check(t, func(typed []string) *exec.Cmd {
		words := append([]string{"prog"}, typed...)
		const run = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _prog; printf '%s\n' "${COMPREPLY[@]}"`
		cmd := exec.CommandContext(t.Context(), bash, append([]string{"--norc", "-c", run, "bash", path}, words...)...)
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
		return cmd
	})
}

func TestFish(t *testing.T) {
	fish := shellOr(t, "fish")
	path, dir := script(t, completion.Fish)
	check(t, func(typed []string) *exec.Cmd {
		line := "prog " + strings.Join(typed, " ")
		cmd := exec.CommandContext(t.Context(), fish, "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", path, line)
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir}
		return cmd
	})
}

func check(t *testing.T, run func([]string) *exec.Cmd) {
	t.Helper()
	for _, o := range offers {
		out, err := run(o.typed).Output()
		if err != nil {
			t.Fatalf("%q: %v", o.typed, err)
		}
		var got []string
		for l := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
			got = append(got, word)
		}
		for _, w := range o.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q is not offered among %q", o.typed, w, got)
			}
		}
		for _, w := range o.not {
			if slices.Contains(got, w) {
				t.Errorf("%q: %q is offered", o.typed, w)
			}
		}
	}
}
