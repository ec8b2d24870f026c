package follow_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

func TestRoots(t *testing.T) {
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	if err := os.Symlink(at("real"), at("link")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(at("real"), 0o700); err != nil {
		t.Fatal(err)
	}
	const list = string(os.PathListSeparator)
	for _, c := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"nothing set", nil, []string{at(".agent")}},
		{"lists", map[string]string{"A": at("a") + list + " " + at("b") + "/ ,~/c", "B": "~" + list + at("a")}, []string{at("a"), at("b"), at("c"), home, at(".agent")}},
		{"the default again", map[string]string{"A": "~/x/../.agent"}, []string{at(".agent")}},
		{"one directory under two names", map[string]string{"A": at("link") + "," + at("real")}, []string{at("link"), at(".agent")}},
		{"relative, or nothing", map[string]string{"A": "x,./y" + list + ",~z"}, []string{at(".agent")}},
	} {
		h := collector.Host{Home: home, Getenv: func(key string) string { return c.env[key] }}
		if diff := cmp.Diff(follow.Roots(h, []string{"A", "B"}, ".agent"), c.want); diff != "" {
			t.Errorf("%s: got (-) and want (+):\n%s", c.name, diff)
		}
	}
	if got := follow.Roots(collector.Host{}, []string{"A"}, ".agent"); len(got) != 0 {
		t.Errorf("no home, no environment: %q", got)
	}
}
