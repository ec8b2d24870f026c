package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/shortid"
)

type app struct {
	Config string `env:"T_CONFIG" help:"File."`
	Level  string `env:"T_LEVEL" enum:"low,high" default:"low" help:"How much (default: low)."`
	Serve  struct {
		Port  int      `env:"T_PORT" default:"80" help:"Port."`
		Hosts []string `env:"T_HOSTS" help:"Names"`
		Key   string   `env:"T_KEY" help:"Key." secret:""`
		Quiet bool     `env:"T_QUIET" help:"Say less."`
		Plain string   `help:"No setting: it has no variable."`
	} `cmd:""`
	Look struct {
		Port int `env:"T_PORT" default:"80" help:"Port."`
	} `cmd:""`
}

// parse parses a command line with a configuration file of that text.
func parse(t *testing.T, text string, args ...string) (*app, *kong.Context, *settings.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.Read(path, shortid.Distance)
	if err != nil {
		return nil, nil, nil, err
	}
	var a app
	parser, err := kong.New(&a, kong.Name("t"), kong.Resolvers(file))
	if err != nil {
		t.Fatal(err)
	}
	settings.ForgetEmpty(parser.Model)
	if err := file.Validate(parser.Model); err != nil {
		return nil, nil, nil, err
	}
	ctx, err := parser.Parse(args)
	return &a, ctx, file, err
}

func TestPrecedence(t *testing.T) {
	const file = `port = 1
hosts = ["a", "b,c"]
quiet = true
key = "0123456789"`
	f := func(env string, args []string, port int, from settings.From) {
		t.Helper()
		t.Setenv("T_PORT", env)
		a, ctx, read, err := parse(t, file, append([]string{"serve"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		if a.Serve.Port != port {
			t.Errorf("port %d, want %d", a.Serve.Port, port)
		}
		if diff := cmp.Diff(a.Serve.Hosts, []string{"a", "b,c"}); diff != "" || !a.Serve.Quiet || a.Level != "low" {
			t.Errorf("%+v", a)
		}
		got := map[string]settings.Value{}
		for _, v := range settings.Values(ctx, read) {
			got[v.Name] = v
		}
		if got["port"].From != from || got["level"].From != settings.FromDefault || got["quiet"].From != settings.FromFile {
			t.Errorf("%+v", got)
		}
		if v := got["key"]; v.Value != "(set)" {
			t.Errorf("a secret is shown as %q", v.Value)
		}
		if _, there := got["plain"]; there {
			t.Error("a flag without a variable became a setting")
		}
		if diff := cmp.Diff(got["port"].Commands, []string{"serve", "look"}); diff != "" {
			t.Error(diff)
		}
	}
	f("", nil, 1, settings.FromFile)
	f("2", nil, 2, settings.FromEnv)
	f("2", []string{"--port", "3"}, 3, settings.FromFlag)
	f("", []string{"--port=3"}, 3, settings.FromFlag)
}

func TestMistakes(t *testing.T) {
	f := func(file, want string) {
		t.Helper()
		_, _, _, err := parse(t, file, "look")
		if err == nil || !strings.Contains(err.Error(), "config.toml") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", file, err, want)
		}
	}
	f(`prot = 1`, `there is no setting "prot"; did you mean "port"?`)
	f(`something-else-altogether = 1`, "turnwatch config lists them")
	f(`plain = "x"`, `there is no setting "plain"`)
	f(`config = "x"`, "a file cannot name another one")
	f(`port = "many"`, "port: expected a valid 64 bit int")
	f(`quiet = "perhaps"`, "quiet: bool value must be")
	f(`level = "middle"`, `level "middle": want low or high`)
	f(`serve.port = 1`, "serve is a table")
	f("port = 1\nport = 2", "config.toml:2: ")
	f("port = ", "config.toml:1: ")
}

// TestExample: the example is a file that can be read, with every setting but the file's own place.
func TestExample(t *testing.T) {
	_, ctx, _, err := parse(t, "", "look")
	if err != nil {
		t.Fatal(err)
	}
	text := settings.Example(settings.All(ctx.Model))
	if _, _, _, err := parse(t, text, "look"); err != nil {
		t.Error(err)
	}
	bare := strings.NewReplacer("# level", "level", "# port", "port", "# hosts", "hosts", "# key", "key", "# quiet", "quiet").Replace(text)
	a, _, file, err := parse(t, bare, "serve")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(bare, "\n\n"); a.Serve.Port != 80 || n != 5 || file == nil {
		t.Errorf("%d settings in:\n%s", n, bare)
	}
}

func TestDefaultPlace(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file, err := settings.Read("", shortid.Distance)
	if err != nil || file.Exists || file.Path != filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "turnwatch", "config.toml") {
		t.Errorf("%+v, %v", file, err)
	}
	if _, err := settings.Read(filepath.Join(t.TempDir(), "named.toml"), shortid.Distance); err == nil {
		t.Error("a file that was named may be missing")
	}
}
