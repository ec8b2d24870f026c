package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

const house = `{"models": [{"id": "house-model", "input": 1.5, "output": 6}]}`

func TestOwnPrices(t *testing.T) {
	write := func(t *testing.T, name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tokens := collector.ZeroTokens()
	tokens.Input = collector.Exact[int64](1_000_000)
	tests := []struct {
		name       string
		path, data string
		want       collector.Amount
		err        string
	}{
		{name: "none", data: t.TempDir()},
		{name: "in the data directory", data: filepath.Dir(write(t, priceFile, house)), want: collector.Exact(1.5)},
		{name: "named", path: write(t, "mine.json", house), data: t.TempDir(), want: collector.Exact(1.5)},
		{name: "named and not there", path: filepath.Join(t.TempDir(), "mine.json"), err: "mine.json"},
		{name: "no JSON", path: write(t, "mine.json", "{"), err: "mine.json"},
		{name: "without a price", path: write(t, "mine.json", `{"models": [{"id": "x", "input": 1}]}`), err: "model x: input and output prices are needed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, own, err := loadPrices(tt.path, tt.data)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if (own != 0) != (tt.want.Quality == collector.QualityExact) {
				t.Errorf("own prices have the number %d", own)
			}
			got := table.Cost("house-model", tokens)
			if got.Quality != tt.want.Quality || math.Abs(got.Value-tt.want.Value) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
