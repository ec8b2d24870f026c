package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/turnwatch/turnwatch/"
)

// rule ties a package, or a third-party module, to packages of ours, and says why.
type rule struct {
	pattern  string
	packages []string
	why      string
}

// mayImport says what of ours a package may import: imports only go down. A "*" stands for one path element; the first
// pattern that fits counts.
var mayImport = []rule{
	{"collector", nil, "the vocabulary depends on nothing"},
	{"collector/pipeline", []string{"collector", "collector/*"}, "floor 3 uses the floors below; sources and analyzers are handed to it"},
	{"collector/pipeline/pipelinetest", []string{"collector", "collector/*", "sources"}, "reads recordings for the tests of what stands above the store"},
	{"collector/transcript", []string{"collector", "collector/*"}, "floor 3 uses the floors below; sources are handed to it"},
	{"collector/metrics", []string{"collector", "collector/pubsub"}, "a subscriber"},
	{"collector/otlp", []string{"collector", "collector/pubsub"}, "a subscriber"},
	{"collector/running", []string{"collector", "collector/pubsub"}, "a subscriber that also hears hooks"},
	{"collector/export", []string{"collector", "collector/flow", "collector/printable"}, "writes what it is given, the flow too"},
	{"collector/*", []string{"collector"}, "floor 1 knows the vocabulary and not its neighbours"},
	{"analyzers", []string{"collector"}, "pure functions of a turn"},
	{"hooks", []string{"collector", "hooks/*"}, "writes configuration, knows no store"},
	{"hooks/*", nil, "text in, text out"},
	{"ui", nil, "embeds files"},
	{"testdata", nil, "recordings"},
	{"testdata/*", nil, "recordings"},
	{"sources/sourcetest", []string{"collector", "collector/follow", "collector/jsonl", "collector/fold"}, "goldens show what events fold to"},
	{"sources/*", []string{"collector", "collector/follow", "collector/jsonl"}, "a source says what a log says, and draws no conclusion"},
	{"sources", []string{"collector", "sources/*"}, "the list of sources"},
	{"api", []string{"collector", "collector/pubsub", "collector/redact", "collector/flow", "collector/compare", "collector/insights", "collector/metrics", "hooks"}, "reads through interfaces: never the store, the pipeline or a source"},
	{"cmd/turnwatch/internal/screen", []string{"collector/printable"}, "writes, and knows nothing of what"},
	{"cmd/turnwatch/internal/report", []string{"collector", "collector/*", "cmd/turnwatch/internal/screen"}, "shows what the API answered"},
	{"cmd/turnwatch/internal/*", []string{"collector"}, "serves one command or all, and knows nothing but the vocabulary"},
	{"cmd/*", []string{"cmd/turnwatch/internal/*", "collector", "collector/*", "analyzers", "hooks", "sources", "api", "ui", "testdata", "testdata/*"}, "wires everything, but no source by itself"},
}

// pinned says where a third-party module may be imported, so that what it gets wrong can be fenced off or be replaced.
var pinned = []rule{
	{"github.com/nxadm/tail", []string{"collector/follow"}, "calls os.Exit, and is no reader to rely on"},
	{"github.com/fsnotify/fsnotify", []string{"collector/follow"}, "its limits are handled in one place"},
	{"modernc.org/", []string{"collector/sqlite"}, "one place opens databases, with the right pragmas"},
	{"github.com/pressly/goose", []string{"collector/sqlite"}, "migrations belong to the store"},
	{"github.com/gofiber/", []string{"api"}, "its context is reused after a handler returns, and must not get out"},
	{"github.com/valyala/fasthttp", []string{"api"}, "as Fiber"},
	{"github.com/danielgtaylor/huma", []string{"api"}, "the HTTP surface is described in one place"},
	{"github.com/prometheus/", []string{"collector/metrics", "api"}, "counters are a subscriber's affair; api only serves them"},
	{"github.com/valyala/fastjson", []string{"collector/jsonl", "sources/*"}, "its values are valid until the next line is parsed"},
	{"github.com/zricethezav/gitleaks", []string{"collector/redact"}, "too slow for anything but what leaves"},
	{"github.com/yuin/goldmark", []string{"collector/export"}, "its output is made harmless in one place"},
	{"github.com/alecthomas/kong", []string{"cmd/*", "cmd/turnwatch/internal/*"}, "flags are the program's"},
}

// goFile is a parsed file of ours; dir is its package's path below the module.
type goFile struct {
	dir, name string
	src       []byte
	ast       *ast.File
}

func (f goFile) test() bool { return strings.HasSuffix(f.name, "_test.go") }

func (f goFile) imports() []string {
	var out []string
	for _, im := range f.ast.Imports {
		out = append(out, strings.Trim(im.Path.Value, `"`))
	}
	return out
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(p) != ".go" {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), p, src, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(p))
		files = append(files, goFile{filepath.ToSlash(rel), d.Name(), src, tree})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fits(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, pkg)
		return ok
	})
}

func TestImportsGoDown(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test() {
			continue
		}
		i := slices.IndexFunc(mayImport, func(r rule) bool { return fits([]string{r.pattern}, f.dir) })
		if i < 0 {
			t.Errorf("package %s stands on no floor: say in mayImport what it may import", f.dir)
			continue
		}
		may := mayImport[i]
		for _, im := range f.imports() {
			if ours, ok := strings.CutPrefix(im, module); ok && !fits(may.packages, ours) {
				t.Errorf("%s/%s imports %s, may import %q: %s", f.dir, f.name, ours, may.packages, may.why)
			}
			if first, _, _ := strings.Cut(im, "/"); f.dir == "collector" && strings.Contains(first, ".") {
				t.Errorf("%s/%s imports %s: the vocabulary needs the standard library only", f.dir, f.name, im)
			}
		}
	}
}

func TestThirdPartiesStayWhereTheyAre(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, im := range f.imports() {
			for _, p := range pinned {
				if strings.HasPrefix(im, p.pattern) && !f.test() && !fits(p.packages, f.dir) {
					t.Errorf("%s/%s imports %s, which belongs into %q: %s", f.dir, f.name, im, p.packages, p.why)
				}
			}
		}
	}
}

// TestAgentsNamesStayInTheirFolders takes the names from the folders below sources, so that a new agent is covered.
func TestAgentsNamesStayInTheirFolders(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(root, "sources"))
	if err != nil {
		t.Fatal(err)
	}
	var agents []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != "sourcetest" {
			agents = append(agents, e.Name())
		}
	}
	if len(agents) == 0 {
		t.Fatal("no agent below sources")
	}
	// The directories in which an agent's files lie may bear another's name, if both come from one house.
	shared := regexp.MustCompile(`"\.(` + strings.Join(agents, "|") + `)/`)
	name := regexp.MustCompile(`(?i)(` + strings.Join(agents, "|") + `)`)
	for _, f := range goFiles(t) {
		if fits([]string{"hooks", "hooks/*", "testdata", "testdata/*", "ui"}, f.dir) || f.dir == "sources" && strings.HasPrefix(f.name, "sources") {
			continue
		}
		own := ""
		if fits([]string{"sources/*"}, f.dir) {
			own = path.Base(f.dir)
		}
		for i, line := range bytes.Split(f.src, []byte("\n")) {
			if own != "" {
				line = shared.ReplaceAll(line, nil)
			}
			for _, m := range name.FindAll(line, -1) {
				if !strings.EqualFold(string(m), own) {
					t.Errorf("%s/%s:%d names an agent: %s", f.dir, f.name, i+1, bytes.TrimSpace(line))
				}
			}
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	comments := map[string]int{}
	for _, f := range goFiles(t) {
		if f.test() {
			continue
		}
		comments[f.dir] += 0
		if f.ast.Doc != nil {
			comments[f.dir]++
		}
	}
	for dir, n := range comments {
		if n != 1 {
			t.Errorf("package %s has %d package comments, want 1", dir, n)
		}
	}
}
