package follow

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/cespare/xxhash/v2"
	"github.com/turnwatch/turnwatch/collector"
)

// maxDocument is the largest document that is read.
const maxDocument = 16 << 20

// Document yields the whole file as one record if it is not as cp knows it: its attributes differ, and so do its
// contents. A document has no history, so it is never replaced: cp.Generation stays as it is, and the record of a
// later version takes the place of the earlier one (offset 0, line 1). That suits streams of kind StreamFacts, whose
// records may be read again at any time.
//
// A file over 16 MiB is an error, once per change of the file. A file that is rewritten while it is read
// gives what was there; the attributes in cp are older than that, so it will be read again.
func Document(ctx context.Context, s collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(collector.Record{}, err)
			return
		}
		data, next, err := readDocument(s.Path, *cp)
		if err != nil {
			*cp = next
			yield(collector.Record{}, err)
			return
		}
		same := cp.HeadLen == next.HeadLen && cp.HeadHash == next.HeadHash
		*cp = next
		if same {
			return
		}
		yield(collector.Record{Ref: collector.Ref{Length: int64(len(data)), Line: 1}, Data: data}, nil)
	}
}

// readDocument returns the contents of the file, nil if cp still holds, and the checkpoint after it.
func readDocument(path string, cp collector.Checkpoint) ([]byte, collector.Checkpoint, error) {
	f, err := Open(path)
	if err != nil {
		return nil, cp, fmt.Errorf("read document: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, cp, fmt.Errorf("read document: %w", err)
	}
	before := cp
	setAttributes(&cp, fi)
	if cp == before {
		return nil, cp, nil
	}
	if fi.Size() > maxDocument {
		return nil, cp, fmt.Errorf("read document %s: %d bytes are more than the %d that are read", path, fi.Size(), maxDocument)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxDocument))
	if err != nil {
		return nil, before, fmt.Errorf("read document: %w", err)
	}
	cp.Offset, cp.Line = int64(len(data)), 1
	cp.HeadLen, cp.HeadHash = len(data), xxhash.Sum64(data)
	return data, cp, nil
}
