package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// roots returns the directories that may hold databases: below XDG_DATA_HOME, then the default.
func (s *Source) roots() []string {
	roots := follow.Roots(s.host, []string{"XDG_DATA_HOME"}, filepath.Join(".local", "share"))
	for i, r := range roots {
		roots[i] = filepath.Join(r, "opencode")
	}
	return roots
}

// Discover yields the databases of all roots. A release writes opencode.db, another channel's build opencode-<channel>.db.
func (s *Source) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		for _, root := range s.roots() {
			if ctx.Err() != nil || !s.root(root, yield) {
				return
			}
		}
	}
}

func (s *Source) root(root string, yield func(collector.Stream, error) bool) bool {
	dir := collector.Stream{ID: collector.StreamID(idDirectory + root), Agent: agent, Kind: collector.StreamDirectory, Path: root}
	if err := follow.Fill(&dir); !tell(err, yield) || !yield(dir, nil) {
		return false
	}
	entries, err := os.ReadDir(root)
	if !tell(err, yield) || s.host.Tables == nil {
		return err == nil
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasPrefix(name, "opencode") || filepath.Ext(name) != ".db" {
			continue
		}
		path := filepath.Join(root, name)
		st := collector.Stream{ID: collector.StreamID(idLog + path), Agent: agent, Kind: collector.StreamLog, Path: path}
		if err := follow.FillTable(&st); err != nil {
			if !tell(err, yield) {
				return false
			}
			continue
		}
		if !yield(st, nil) {
			return false
		}
	}
	return true
}

// tell yields err unless it only says that something is not there; it reports whether to go on.
func tell(err error, yield func(collector.Stream, error) bool) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return yield(collector.Stream{}, fmt.Errorf("discover: %w", err))
}
