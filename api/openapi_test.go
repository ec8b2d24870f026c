package api_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// TestOpenAPIGolden keeps the document in openapi.json, from which the page's types are generated.
func TestOpenAPIGolden(t *testing.T) {
	const golden = "openapi.json"
	d := deps()
	d.Version = "dev"
	got, err := api.New(api.Config{}, d).Spec()
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("openapi.json is old (run go test ./api -update):\n%s", diff)
	}
}

// TestEveryRouteIsDocumented walks the routes: one that is not in the document must be in the list of those that are no
// operations.
func TestEveryRouteIsDocumented(t *testing.T) {
	undocumented := map[string]bool{"GET /ws": true, "POST /mounted": true, "GET /metrics": true, "GET /api/openapi.json": true, "GET /*": true}
	s := api.New(api.Config{}, deps())
	doc, err := s.Spec()
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(doc, &spec); err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for path, methods := range spec.Paths {
		for method := range methods {
			documented[strings.ToUpper(method)+" "+path] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range s.App().GetRoutes(true) {
		if r.Method == http.MethodHead {
			continue // every GET has one
		}
		parts := strings.Split(r.Path, "/")
		for i, p := range parts {
			if strings.HasPrefix(p, ":") {
				parts[i] = "{" + p[1:] + "}"
			}
		}
		route := r.Method + " " + strings.Join(parts, "/")
		seen[route] = true
		if !documented[route] && !undocumented[route] {
			t.Errorf("%s is in neither the document nor the list", route)
		}
	}
	for route := range documented {
		if !seen[route] {
			t.Errorf("%s is documented but not served", route)
		}
	}
}
