package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"
)

// File is a configuration file. It is a kong.Resolver.
type File struct {
	Path   string
	Exists bool
	values map[string]string
	near   func(a, b string) int
}

var _ kong.Resolver = (*File)(nil)

// DefaultPath is where the system keeps a user's configuration; "" if the home directory is unknown.
func DefaultPath() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" && runtime.GOOS == "linux" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	if dir == "" {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "turnwatch", "config.toml")
}

// Read reads the file at path, which must be there, or else the default one, which need not. distance tells how far two
// names are apart.
func Read(path string, distance func(a, b string) int) (*File, error) {
	f := &File{Path: path, values: map[string]string{}, near: distance}
	if path == "" {
		if f.Path = DefaultPath(); f.Path == "" {
			return f, nil
		}
	}
	data, err := os.ReadFile(f.Path)
	if path == "" && errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("configuration: %w; turnwatch config --example prints one to begin with", err)
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	f.Exists = true
	var doc map[string]any
	if err := toml.Unmarshal(data, &doc); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return nil, fmt.Errorf("%s:%d: %s", f.Path, line, strings.TrimPrefix(err.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		if f.values[name], err = text(doc[name]); err != nil {
			return nil, fmt.Errorf("%s: %s %w", f.Path, name, err)
		}
	}
	return f, nil
}

// text writes a value as it would stand on the command line.
func text(v any) (string, error) {
	switch v := v.(type) {
	case map[string]any:
		return "", errors.New("is a table: settings stand at the top, without one")
	case []any:
		var parts []string
		for _, part := range v {
			t, err := text(part)
			if err != nil {
				return "", err
			}
			parts = append(parts, strings.ReplaceAll(t, ",", `\,`))
		}
		return strings.Join(parts, ","), nil
	}
	return fmt.Sprint(v), nil
}

func (f *File) has(name string) bool {
	_, ok := f.values[name]
	return ok
}

// Resolve returns what the file says of a flag, unless the environment says something.
func (f *File) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, ok := os.LookupEnv(env); ok {
			return nil, nil
		}
	}
	if v, ok := f.values[flag.Name]; ok && len(flag.Envs) > 0 {
		return v, nil
	}
	return nil, nil
}

// Validate refuses names that are no settings and values that are none of theirs, whatever command is run.
func (f *File) Validate(app *kong.Application) error {
	all := All(app)
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
		if name == configName {
			return fmt.Errorf("%s: a file cannot name another one: take --config or the environment", f.Path)
		}
		if i < 0 {
			return fmt.Errorf("%s: there is no setting %q%s", f.Path, name, f.suggest(all, name))
		}
		if err := check(all[i].flag, f.values[name]); err != nil {
			return fmt.Errorf("%s: %s%w", f.Path, name, err)
		}
	}
	return nil
}

func (f *File) suggest(all []Setting, name string) string {
	best := slices.MinFunc(all, func(a, b Setting) int { return f.near(name, a.Name) - f.near(name, b.Name) })
	if f.near(name, best.Name) > 2+len(name)/4 {
		return "; turnwatch config lists them"
	}
	return fmt.Sprintf("; did you mean %q?", best.Name)
}
