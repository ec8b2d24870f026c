// Package pricing turns tokens into USD by a table of list prices that is embedded and dated. It never fetches a price, never
// guesses one for a model that it does not know, and knows nothing of subscriptions, discounts or premium requests.
//
// prices.json is generated (see gen) from the MIT-licensed npm package @pydantic/genai-prices and carries its licence. A
// user's own table, in the same form or as plain models, goes before it:
//
//	{"models": [{"id": "house-model", "input": 1.5, "cacheRead": 0.15, "output": 6}]}
package pricing

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
)

//go:embed prices.json
var embedded []byte

// Table prices tokens. It is safe for concurrent use.
type Table struct {
	date      string
	providers []provider

	mu    sync.RWMutex
	known map[string]*model // by the name in the log; nil = looked up, and unknown
}

// maxKnown bounds Table.known: names come from foreign logs.
const maxKnown = 1000

// file is the form of prices.json and of a user's own table.
type file struct {
	Date      string     `json:"date"`
	Providers []provider `json:"providers"`
	Models    []model    `json:"models"` // of a user's own table: of no maker in particular
}

type provider struct {
	ID     string  `json:"id"`
	Match  *match  `json:"match"` // names of its models; nil = any
	Models []model `json:"models"`
}

// model has the prices of one model, in USD per million tokens. A class without a price of its own costs what the class
// that holds it costs: cache reads and writes are input, one-hour writes are writes.
type model struct {
	ID           string `json:"id"`
	Match        *match `json:"match"` // nil = the id itself
	Input        *rate  `json:"input"`
	CacheRead    *rate  `json:"cacheRead"`
	CacheWrite   *rate  `json:"cacheWrite"`
	CacheWrite1h *rate  `json:"cacheWrite1h"`
	Output       *rate  `json:"output"`
}

// New returns the embedded table, with the user's own prices before it. An empty override is none.
func New(override []byte) (*Table, error) {
	var base file
	if err := read(embedded, &base); err != nil {
		return nil, fmt.Errorf("embedded prices: %w", err)
	}
	t := &Table{date: base.Date, known: map[string]*model{}}
	if len(override) > 0 {
		var own file
		if err := read(override, &own); err != nil {
			return nil, fmt.Errorf("own prices: %w", err)
		}
		t.providers = append(t.providers, provider{ID: "own", Models: own.Models})
		t.providers = append(t.providers, own.Providers...)
	}
	t.providers = append(t.providers, base.Providers...)
	return t, nil
}

func read(data []byte, f *file) error {
	if err := json.Unmarshal(data, f); err != nil {
		return err
	}
	for _, p := range append(f.Providers, provider{Models: f.Models}) {
		for _, m := range p.Models {
			if m.ID == "" {
				return fmt.Errorf("a model has no id")
			}
			if m.Input == nil || m.Output == nil {
				return fmt.Errorf("model %s: input and output prices are needed", m.ID)
			}
		}
	}
	return nil
}

// Date is the day of the embedded prices, as YYYY-MM-DD.
func (t *Table) Date() string { return t.date }

// Cost prices the tokens of one round trip in USD. It is unknown if the model is, or if no class of tokens is known, and a
// lower bound if a class is not known exactly. Some models cost more above a size of the context, so a sum over
// round trips must be priced one by one.
func (t *Table) Cost(name string, tokens collector.Tokens) collector.Amount {
	m := t.find(name)
	if m == nil || !tokens.Known() {
		return collector.Amount{}
	}
	context := tokens.Context().Value
	write := or(m.CacheWrite, m.Input)
	sum := collector.Exact(0.0)
	for _, c := range []struct {
		count collector.Count
		rate  *rate
	}{
		{tokens.Input, m.Input},
		{tokens.CacheRead, or(m.CacheRead, m.Input)},
		{tokens.CacheWrite5m, write},
		{tokens.CacheWrite1h, or(m.CacheWrite1h, write)},
		{tokens.Output, m.Output},
	} {
		sum.Value += float64(c.count.Value) * c.rate.at(context) / 1e6
		if c.count.Quality != collector.QualityExact {
			sum.Quality = collector.QualityPartial
		}
	}
	return sum
}

func or(a, b *rate) *rate {
	if a != nil {
		return a
	}
	return b
}

// find returns the model that a log calls name, or nil.
func (t *Table) find(name string) *model {
	t.mu.RLock()
	m, ok := t.known[name]
	t.mu.RUnlock()
	if ok {
		return m
	}
	m = t.search(plain(name))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) < maxKnown {
		t.known[name] = m
	}
	return m
}

func (t *Table) search(name string) *model {
	if name == "" {
		return nil
	}
	for i := range t.providers {
		p := &t.providers[i]
		if p.Match != nil && !p.Match.ok(name) {
			continue
		}
		for j := range p.Models {
			m := &p.Models[j]
			if m.Match == nil && strings.EqualFold(m.ID, name) || m.Match != nil && m.Match.ok(name) {
				return m
			}
		}
	}
	return nil
}

// plain is a model's name without what gateways and agents put around it: "eu.anthropic.x-v1:0", "openrouter/maker/x",
// "x[1m]" (a larger context window), "x:free".
func plain(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	if i := strings.LastIndex(name, "anthropic."); i >= 0 {
		name = name[i+len("anthropic."):]
	}
	return name
}
