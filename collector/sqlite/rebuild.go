package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suffixes are what the files that make up a database end in.
var suffixes = []string{"", "-wal", "-shm"}

// Rebuilt tells of a damaged database that was put aside, and what became of what the agents' logs do not hold.
type Rebuilt struct {
	File   string `json:"file"`   // the damaged database, in the data directory
	At     int64  `json:"at"`     // unix ms
	Reason string `json:"reason"` // what SQLite said
	DoneAt int64  `json:"doneAt"` // unix ms; 0 = what can be taken over was not yet
	// Sessions whose log is gone, so that nothing but the old database knew them.
	Carried int `json:"carried"`
	Lost    int `json:"lost"`
	// Labels that sessions had.
	Labels     int  `json:"labels"`
	Unreadable bool `json:"unreadable,omitempty"` // not even a list of its sessions could be read
}

// Paths of the damaged database and of the note about it.
const (
	asidePrefix = "turnwatch-damaged-"
	noteSuffix  = ".json"
)

// OpenOrRebuild opens the database in dir like Open. One that is damaged is put aside under a name with the time; a new
// one takes over its labels and the sessions whose log is gone, as far as they can be read and pass sound. The rest is
// left to be read from the logs. Call it while no other process may write in dir.
func OpenOrRebuild(ctx context.Context, dir string, now time.Time, sound func(*StoredSession) error) (*DB, error) {
	db, err := openSettled(ctx, dir, now, sound)
	if Damaged(err) {
		if err := PutAside(dir, now, err); err != nil {
			return nil, fmt.Errorf("put the damaged database aside: %w", err)
		}
		db, err = openSettled(ctx, dir, now, sound)
	}
	return db, err
}

// openSettled opens the database, and ends what a rebuild or a deletion by hand left to do.
func openSettled(ctx context.Context, dir string, now time.Time, sound func(*StoredSession) error) (*DB, error) {
	db, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	all, err := Rebuilds(dir)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, n := range all {
		if n.DoneAt != 0 { // otherwise it was put aside just now, or by a process that was killed then
			continue
		}
		if err := db.takeOver(ctx, &n, sound); err != nil {
			return nil, errors.Join(fmt.Errorf("take over from %s: %w", n.File, err), db.Close())
		}
		n.DoneAt = now.UnixMilli()
		if err := writeNote(dir, n); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if err := db.matchLabels(ctx, dir); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// PutAside renames the database in dir, which nobody has open, because it is damaged; OpenOrRebuild then makes another. The note comes first: whoever is killed in between goes on from it.
func PutAside(dir string, now time.Time, why error) error {
	all, err := notes(dir)
	if err != nil {
		return err
	}
	halves, err := filepath.Glob(filepath.Join(dir, asidePrefix+"*"+noteSuffix+newSuffix)) // of notes whose writer was killed
	if err != nil {
		return err
	}
	for _, half := range halves {
		if err := os.Remove(half); err != nil {
			return err
		}
	}
	n := Rebuilt{At: now.UnixMilli(), Reason: why.Error()}
	n.File = asidePrefix + strings.ReplaceAll(now.UTC().Format("20060102T150405.000"), ".", "-") + ".db"
	if i := slices.IndexFunc(all, func(o Rebuilt) bool { return o.DoneAt == 0 && !exists(filepath.Join(dir, o.File)) }); i >= 0 {
		n = all[i]
	} else if err := writeNote(dir, n); err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", ""} { // the log first: it must not meet a new database
		err := os.Rename(filepath.Join(dir, FileName+suffix), filepath.Join(dir, n.File+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Remove(filepath.Join(dir, FileName+"-shm")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Rebuilds returns what was put aside in dir and is still there, the latest first.
func Rebuilds(dir string) ([]Rebuilt, error) {
	all, err := notes(dir)
	return slices.DeleteFunc(all, func(n Rebuilt) bool {
		path := filepath.Join(dir, n.File)
		return !exists(path) && !exists(path+"-wal")
	}), err
}

// notes returns the notes about what was put aside, the latest first.
func notes(dir string) ([]Rebuilt, error) {
	paths, err := filepath.Glob(filepath.Join(dir, asidePrefix+"*"+noteSuffix))
	if err != nil {
		return nil, err
	}
	var all []Rebuilt
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("damaged database: %w", err)
		}
		var n Rebuilt
		if json.Unmarshal(b, &n) == nil && n.File+noteSuffix == filepath.Base(path) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b Rebuilt) int { return cmp.Compare(b.At, a.At) })
	return all, nil
}

func writeNote(dir string, n Rebuilt) error {
	return writeJSON(filepath.Join(dir, n.File+noteSuffix), n)
}

// newSuffix names what becomes a file once it is whole.
const newSuffix = ".new"

// writeJSON writes a file of the data directory, whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	tmp := path + newSuffix
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
