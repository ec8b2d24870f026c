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

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// goldenTextLimit keeps goldens readable.
const goldenTextLimit = 160

// subject is a source on a copy of a case's home, and everything that it read there.
type subject struct {
	newSource Factory
	src       collector.Source
	home      string
	streams   []*stream
	before    map[string]string // the home's files before anything was read
}

type stream struct {
	collector.Stream
	records []record
	end     collector.Checkpoint
}

// record is a record that outlives its reading, with its events.
type record struct {
	collector.Ref
	data   []byte
	events []collector.Event
}

func caseName(dir string) string { return filepath.Base(filepath.Clean(dir)) }

func goldenPath(dir, name string) string { return filepath.Join(dir, "want", name+".json") }

// open copies the case's home below tmp and reads all of it.
func open(newSource Factory, dir, tmp string) (*subject, error) {
	home := filepath.Join(tmp, "home")
	if err := copyHome(home, filepath.Join(dir, "home")); err != nil {
		return nil, fmt.Errorf("copy case: %w", err)
	}
	s := &subject{newSource: newSource, src: newSource(home), home: home}
	var err error
	if s.before, err = snapshot(home); err != nil {
		return nil, err
	}
	for st, err := range s.src.Discover(context.Background()) {
		if err != nil {
			return nil, fmt.Errorf("discover: %w", err)
		}
		s.streams = append(s.streams, &stream{Stream: st})
	}
	slices.SortFunc(s.streams, func(a, b *stream) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for _, st := range s.streams {
		if st.Kind == collector.StreamDirectory {
			continue
		}
		if st.records, err = s.read(st.Stream, &st.end); err != nil {
			return nil, fmt.Errorf("read %s: %w", st.ID, err)
		}
	}
	return s, nil
}

// read reads s from cp to the end and decodes it.
func (s *subject) read(st collector.Stream, cp *collector.Checkpoint) ([]record, error) {
	var out []record
	for r, err := range s.src.Read(context.Background(), st, cp) {
		if err != nil {
			return out, err
		}
		rec := record{Ref: r.Ref, data: slices.Clone(r.Data)}
		if rec.events, err = s.decode(st, rec); err != nil {
			return out, err
		}
		out = append(out, rec)
	}
	return out, nil
}

// decode decodes a copy of the record and scribbles over it, as the next line in the reader's buffer would.
func (s *subject) decode(st collector.Stream, r record) ([]collector.Event, error) {
	return decode(s.src, st, r.Ref, r.data, goldenTextLimit)
}

func decode(src collector.Source, st collector.Stream, ref collector.Ref, data []byte, limit int) (events []collector.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s line %d: Decode panics: %v", st.ID, ref.Line, p)
		}
	}()
	given := slices.Clone(data)
	events, err = src.Decode(nil, st, collector.Record{Ref: ref, Data: given, TextLimit: limit})
	if err != nil {
		return nil, fmt.Errorf("%s line %d: decode: %w", st.ID, ref.Line, err)
	}
	if !slices.Equal(given, data) {
		return nil, fmt.Errorf("%s line %d: Decode changed its input", st.ID, ref.Line)
	}
	for i := range given {
		given[i] = '~'
	}
	return events, nil
}

// lineLogs returns the logs whose records are lines of the file as it is.
func (s *subject) lineLogs() []*stream {
	var out []*stream
	for _, st := range s.streams {
		if st.Kind != collector.StreamLog || len(st.records) == 0 {
			continue
		}
		file, err := os.ReadFile(st.Path)
		if err != nil {
			continue
		}
		lines := !slices.ContainsFunc(st.records, func(r record) bool {
			end := r.Offset + r.Length
			return end >= int64(len(file)) || file[end] != '\n' || string(file[r.Offset:end]) != string(r.data)
		})
		if lines {
			out = append(out, st)
		}
	}
	return out
}

// jsonLogs returns the lineLogs whose records are all JSON objects.
func (s *subject) jsonLogs() []*stream {
	return slices.DeleteFunc(s.lineLogs(), func(st *stream) bool {
		return slices.ContainsFunc(st.records, func(r record) bool { return r.data[0] != '{' })
	})
}

// current returns the stream with the attributes that its file has now.
func (st *stream) current() (collector.Stream, error) {
	now := st.Stream
	return now, follow.Fill(&now)
}

// write makes data the contents of the stream's file, which stays the same file.
func (st *stream) write(data []byte) error { return os.WriteFile(st.Path, data, 0o600) }

// mutate gives fn the file of st and puts it back afterwards.
func (st *stream) mutate(fn func(file []byte) error) error {
	file, err := os.ReadFile(st.Path)
	if err != nil {
		return err
	}
	err = fn(slices.Clone(file))
	return errors.Join(err, st.write(file))
}

// copyHome copies a tree, links as links, and gives all files one age, as a checkout would not.
func copyHome(dst, src string) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(src, path)
		to := filepath.Join(dst, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(target, to)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return err
		}
		return os.Chtimes(to, Now, Now)
	})
}
