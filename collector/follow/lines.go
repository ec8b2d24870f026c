package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/turnwatch/turnwatch/collector"
)

// MaxLine is the longest line that is read. 12.8 million characters on a line were reported from the field; twice as
// much still fits the memory that reading may take.
const MaxLine = 32 << 20

// Lines yields the complete lines of the file at s.Path from cp on, up to the end that the file has now. A file whose
// name ends in ".zst" is read through zstd; offsets count uncompressed bytes, so a log that was compressed meanwhile is
// read on from the same checkpoint.
//
// A record is what stands between two '\n' and nothing else is taken off: a '\r' before it stays in Data and in
// Length. Blank lines are counted and not yielded. A last line without '\n' is not there yet. Of a line longer
// than MaxLine only the place is yielded: Data is nil, Length is right.
//
// When a record is yielded, cp is past it, with its fingerprints, and may be copied and stored at any time. The
// attributes in cp are zero until the end was reached, so that a stream whose reading was cut short never looks
// unchanged; then they are those from before reading, so that what was appended meanwhile is seen.
//
// ErrReplaced comes, alone, if the file is shorter than cp.Offset or differs from cp's fingerprints: the first 1,024 bytes that
// were read and the last 256 before the offset. A new inode alone is no replacement: logs are moved to archives and
// rewritten with the same beginning. (A rewrite that only changes bytes between the fingerprints and keeps the
// offset's surroundings is not seen.) An error while reading comes last; cp then stands behind the last record.
func Lines(ctx context.Context, s collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		if err := readLines(ctx, s, cp, yield); err != nil && !errors.Is(err, errStopped) {
			if !errors.Is(err, collector.ErrReplaced) {
				err = fmt.Errorf("read %s: %w", s.Path, err)
			}
			yield(collector.Record{}, err)
		}
	}
}

// errStopped says that the caller wants no more.
var errStopped = errors.New("stopped")

func readLines(ctx context.Context, s collector.Stream, cp *collector.Checkpoint, yield func(collector.Record, error) bool) error {
	f, err := Open(s.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	src, closeSrc, err := open(f, fi.Size())
	if err != nil {
		return err
	}
	defer closeSrc()

	l := newLineReader(src)
	defer l.release()
	if err := l.resume(*cp); err != nil {
		return err
	}
	cp.Size, cp.ModTime, cp.Inode = 0, 0, 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := l.next()
		if err == io.EOF {
			l.fingerprint(cp)
			setAttributes(cp, fi)
			return nil
		}
		if err != nil {
			if !errors.As(err, new(*fs.PathError)) {
				setAttributes(cp, fi) // broken compression, which only another file can mend
			}
			return err
		}
		l.fingerprint(cp)
		if blank(r) {
			continue
		}
		if !yield(r, nil) {
			return errStopped
		}
	}
}

func blank(r collector.Record) bool {
	return r.Length == 0 || r.Length == 1 && len(r.Data) == 1 && r.Data[0] == '\r'
}
