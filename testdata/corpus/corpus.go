// Package corpus writes a synthetic corpus of coding agents' logs in their own layout, with a manifest of the exact counts, so
// that a parser can be checked and timed on the same data. Same options and same source give the same bytes. It stands under
// testdata so that only tests, benchmarks and development tools build it.
package corpus

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Options say what to write. Fields that are 0 take their defaults.
type Options struct {
	MB       int    // target total size, in 1e6 bytes; default 1000
	Sessions int    // top-level session files; default 1500
	Seed     uint64 // default 1
	Mix      [3]int // percent of sessions per agent, in the order of the manifest's agents; default 55, 27, 18
}

// Counts is what the generator wrote, per agent.
type Counts struct {
	Files          int   `json:"files"`
	Sessions       int   `json:"sessions"`
	SubAgents      int   `json:"sub_agents"`
	Lines          int   `json:"lines"`
	Bytes          int64 `json:"bytes"`
	UserPrompts    int   `json:"user_prompts"`
	RoundTrips     int   `json:"round_trips"` // distinct model responses
	ToolCalls      int   `json:"tool_calls"`
	ToolErrors     int   `json:"tool_errors"`
	Compactions    int   `json:"compactions"`
	InputTokens    int64 `json:"input_tokens"` // uncached
	OutputTokens   int64 `json:"output_tokens"`
	CacheRead      int64 `json:"cache_read_tokens"`
	CacheWrite     int64 `json:"cache_write_tokens"`
	LinesOver100KB int   `json:"lines_over_100kb"`
	LinesOver1MB   int   `json:"lines_over_1mb"`
	MaxLine        int   `json:"max_line_bytes"`
}

// Manifest is written to manifest.json in the output directory.
type Manifest struct {
	Seed     uint64             `json:"seed"`
	Agents   map[string]*Counts `json:"agents"`
	Total    Counts             `json:"total"`
	SizeHist map[string]int     `json:"line_size_hist"`
}

type gen struct {
	out  string
	seed uint64
	pool *pool
	m    *Manifest
}

// Generate writes the corpus and its manifest.json below dir, which then is a home directory to look for sessions in.
func Generate(dir string, opts Options) (*Manifest, error) {
	opts = opts.withDefaults()
	g := &gen{out: dir, seed: opts.Seed, pool: newPool(opts.Seed), m: &Manifest{Seed: opts.Seed, Agents: map[string]*Counts{"claude": {}, "codex": {}, "copilot": {}}, SizeHist: map[string]int{}}}
	start := time.Date(2026, 8, 27, 7, 0, 0, 0, time.UTC)
	for i, budget := range budgets(opts) {
		r := rand.New(rand.NewPCG(opts.Seed, uint64(i)+1000))
		t := start.Add(time.Duration(float64(i) / float64(opts.Sessions) * 90 * 24 * float64(time.Hour))).Add(time.Duration(r.IntN(3600)) * time.Second)
		write := g.copilot
		switch k := int(uint32(i*2654435761) % 100); {
		case k < opts.Mix[0]:
			write = g.claude
		case k < opts.Mix[0]+opts.Mix[1]:
			write = g.codex
		}
		if err := write(r, budget, t); err != nil {
			return nil, fmt.Errorf("session %d: %w", i, err)
		}
	}
	for _, c := range g.m.Agents {
		g.m.Total.add(c)
	}
	js, err := json.MarshalIndent(g.m, "", " ")
	if err != nil {
		return nil, err
	}
	return g.m, os.WriteFile(filepath.Join(dir, "manifest.json"), append(js, '\n'), 0o644)
}

func (o Options) withDefaults() Options {
	if o.MB == 0 {
		o.MB = 1000
	}
	if o.Sessions == 0 {
		o.Sessions = 1500
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Mix == [3]int{} {
		o.Mix = [3]int{55, 27, 18}
	}
	return o
}

// budgets returns the size of each session, in bytes: log-normal, normalised so that they add up to the target.
func budgets(o Options) []int {
	r := rand.New(rand.NewPCG(o.Seed, 7))
	w := make([]float64, o.Sessions)
	sum := 0.0
	for i := range w {
		w[i] = math.Exp(1.3 * r.NormFloat64())
		sum += w[i]
	}
	sizes := make([]int, len(w))
	for i := range w {
		sizes[i] = int(w[i] / sum * float64(o.MB) * 1e6)
	}
	return sizes
}

func (t *Counts) add(c *Counts) {
	t.Files += c.Files
	t.Sessions += c.Sessions
	t.SubAgents += c.SubAgents
	t.Lines += c.Lines
	t.Bytes += c.Bytes
	t.UserPrompts += c.UserPrompts
	t.RoundTrips += c.RoundTrips
	t.ToolCalls += c.ToolCalls
	t.ToolErrors += c.ToolErrors
	t.Compactions += c.Compactions
	t.InputTokens += c.InputTokens
	t.OutputTokens += c.OutputTokens
	t.CacheRead += c.CacheRead
	t.CacheWrite += c.CacheWrite
	t.LinesOver100KB += c.LinesOver100KB
	t.LinesOver1MB += c.LinesOver1MB
	t.MaxLine = max(t.MaxLine, c.MaxLine)
}
