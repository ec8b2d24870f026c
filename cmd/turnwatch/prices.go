package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnwatch/turnwatch/collector/pricing"
)

// priceFile is the name of the user's own prices in the data directory.
const priceFile = "prices.json"

// loadPrices returns the price table with the user's own prices before it: those of the file at path, which must be
// there, or else of the one in the data directory, if there is one.
func loadPrices(path, dataDir string) (*pricing.Table, error) {
	optional := path == ""
	if optional {
		path = filepath.Join(dataDir, priceFile)
	}
	own, err := os.ReadFile(path)
	if err != nil && !(optional && errors.Is(err, fs.ErrNotExist)) {
		return nil, fmt.Errorf("prices: %w", err)
	}
	table, err := pricing.New(own)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}
