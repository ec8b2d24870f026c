package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// checkEmptyHome: nothing is there, which is no error; only directories to watch may be named.
func checkEmptyHome(src collector.Source) error {
	for st, err := range src.Discover(context.Background()) {
		if err != nil {
			return fmt.Errorf("discover: %w", err)
		}
		if st.Kind != collector.StreamDirectory {
			return fmt.Errorf("discover: %s in an empty home", st.ID)
		}
	}
	return checkNoLive(src)
}

func checkNoLive(src collector.Source) error {
	for l, err := range src.Live(context.Background()) {
		if err != nil {
			return fmt.Errorf("live: %w", err)
		}
		return fmt.Errorf("live: %s, but no process runs", l.Session)
	}
	return nil
}

// checkDiscovery: streams are the agent's own, each once, with the attributes of their files, and the same each time.
func checkDiscovery(s *subject) error {
	var again []collector.Stream
	seen := map[collector.StreamID]bool{}
	for st, err := range s.src.Discover(context.Background()) {
		if err != nil {
			return fmt.Errorf("discover again: %w", err)
		}
		again = append(again, st)
		agent := s.src.Agent()
		switch {
		case st.Agent != agent || !strings.HasPrefix(string(st.ID), string(agent)+"/"):
			return fmt.Errorf("stream %q of agent %q: want both to say %q", st.ID, st.Agent, agent)
		case seen[st.ID]:
			return fmt.Errorf("stream %q comes twice", st.ID)
		case st.Session != "" && st.Session.Agent() != agent:
			return fmt.Errorf("stream %q belongs to session %q", st.ID, st.Session)
		case !filepath.IsAbs(st.Path):
			return fmt.Errorf("stream %q: path %q is not absolute", st.ID, st.Path)
		}
		seen[st.ID] = true
		if st.Kind == collector.StreamDirectory {
			continue
		}
		now := st
		if err := follow.Fill(&now); err != nil {
			return err
		}
		if now != st && !isTable(st.Path) {
			return fmt.Errorf("stream %q: attributes are %d, %d, %d, those of the file %d, %d, %d",
				st.ID, st.Size, st.ModTime, st.Inode, now.Size, now.ModTime, now.Inode)
		}
	}
	slices.SortFunc(again, func(a, b collector.Stream) int { return strings.Compare(string(a.ID), string(b.ID)) })
	if len(again) != len(s.streams) {
		return fmt.Errorf("discover again: %d streams, %d before", len(again), len(s.streams))
	}
	for i, st := range s.streams {
		if again[i] != st.Stream {
			return fmt.Errorf("discover again: (-before +now)\n%s", cmp.Diff(st.Stream, again[i]))
		}
		if st.Kind != collector.StreamDirectory && !isTable(st.Path) && !st.end.Unchanged(st.Stream) {
			return fmt.Errorf("stream %q was read to its end, and its checkpoint does not say so: %+v", st.ID, st.end)
		}
	}
	return checkNoLive(s.src)
}

// isTable reports whether the file is a database, which changes in a file beside it: its attributes are the source's own.
func isTable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 15)
	n, _ := f.Read(head)
	return string(head[:n]) == "SQLite format 3"
}

// checkReadOnly: discovery and reading left the home as it was.
func checkReadOnly(s *subject) error {
	after, err := snapshot(s.home)
	if err != nil {
		return err
	}
	if d := cmp.Diff(s.before, after); d != "" {
		return fmt.Errorf("the home was changed (-before +after):\n%s", d)
	}
	return nil
}

// snapshot describes every file of a tree.
func snapshot(home string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		out[path] = fmt.Sprintf("%v %d %d", fi.Mode(), fi.Size(), fi.ModTime().UnixNano())
		return nil
	})
	return out, err
}

// checkCancellation: a cancelled context ends everything, and what was read until then needs not be read again.
func checkCancellation(s *subject) error {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range s.src.Discover(gone) {
		if err != nil {
			break // it may say why it stops
		}
	}
	for l, err := range s.src.Live(gone) {
		if err == nil {
			return fmt.Errorf("live: %s, but no process runs", l.Session)
		}
	}
	for _, st := range s.streams {
		if st.Kind == collector.StreamDirectory {
			continue
		}
		var cp collector.Checkpoint
		for r, err := range s.src.Read(gone, st.Stream, &cp) {
			if err == nil {
				return fmt.Errorf("%s: record at %s although the context was cancelled before", st.ID, place(r.Ref))
			}
			if !errors.Is(err, context.Canceled) {
				return fmt.Errorf("%s: cancelled reading says %w", st.ID, err)
			}
		}
		if cp.Offset != 0 {
			return fmt.Errorf("%s: cancelled reading moved the checkpoint to %d", st.ID, cp.Offset)
		}
		if err := checkCancelled(s, st); err != nil {
			return err
		}
	}
	return nil
}

// checkCancelled cancels while the first record is looked at.
func checkCancelled(s *subject, st *stream) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var cp collector.Checkpoint
	var got []record
	for r, err := range s.src.Read(ctx, st.Stream, &cp) {
		if err != nil {
			break
		}
		got = append(got, record{Ref: r.Ref, data: slices.Clone(r.Data)})
		cancel()
	}
	if len(got) > 1 {
		return fmt.Errorf("%s: %d records after the context was cancelled", st.ID, len(got)-1)
	}
	rest, err := s.read(st.Stream, &cp)
	if err != nil {
		return fmt.Errorf("%s: reading on after a cancelled reading: %w", st.ID, err)
	}
	return sameRecords(st, append(got, rest...))
}

// sameRecords compares with what st gave when it was read at once.
func sameRecords(st *stream, got []record) error {
	if len(got) != len(st.records) {
		return fmt.Errorf("%s: %d records, %d when read at once", st.ID, len(got), len(st.records))
	}
	for i, want := range st.records {
		if got[i].Ref != want.Ref || string(got[i].data) != string(want.data) {
			return fmt.Errorf("%s: record %d is %+v, %+v when read at once (or its bytes differ)", st.ID, i, got[i].Ref, want.Ref)
		}
	}
	return nil
}
