package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"github.com/turnwatch/turnwatch/collector/pricing"
)

// priceFile is the name of the user's own prices in the data directory.
const priceFile = "prices.json"

// loadPrices returns the price table with the user's own prices before it: those of the file at path, which must be
// there, or else of the one in the data directory, if there is one. The number tells the user's prices apart: 0 = none.
func loadPrices(path, dataDir string) (table *pricing.Table, own int64, err error) {
	optional := path == ""
	if optional {
		path = filepath.Join(dataDir, priceFile)
	}
	data, err := os.ReadFile(path)
	if err != nil && !(optional && errors.Is(err, fs.ErrNotExist)) {
		return nil, 0, fmt.Errorf("prices: %w", err)
	}
	if table, err = pricing.New(data); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	if len(data) > 0 {
		own = int64(xxhash.Sum64(data))
	}
	return table, own, nil
}
