package follow

import (
	"bytes"
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/turnwatch/turnwatch/collector"
)

const (
	headBytes = 1024 // of the fingerprint at the start
	tailBytes = 256  // of the fingerprint before the offset

	bufferBytes     = 256 << 10 // longer lines are 0.1 % of those seen
	maxBuffer       = MaxLine + bufferBytes
	maxPooledBuffer = 1 << 20
)

var lineBuffers = sync.Pool{New: func() any { b := make([]byte, bufferBytes); return &b }}

// lineReader cuts a stream into lines. Between two of them it keeps the tailBytes before the next line, so that it can
// state the fingerprints at any line.
type lineReader struct {
	src    source
	buf    []byte
	pooled *[]byte
	// buf[start:end] is what was read and not yet returned; up to scan it holds no newline.
	start, scan, end int
	skipped          int64 // bytes of the line at start that were dropped because it is too long
	err              error // of the last read, io.EOF included

	head []byte // the first bytes of the stream, as far as they were read
	at   collector.Checkpoint
}

func newLineReader(src source) *lineReader {
	p := lineBuffers.Get().(*[]byte)
	return &lineReader{src: src, buf: *p, pooled: p, head: make([]byte, 0, headBytes)}
}

func (l *lineReader) release() {
	if cap(l.buf) <= maxPooledBuffer {
		*l.pooled = l.buf
		lineBuffers.Put(l.pooled)
	}
	l.buf = nil
}

// resume goes to cp.Offset, provided that the stream is the one that cp was taken from.
func (l *lineReader) resume(cp collector.Checkpoint) error {
	l.at = cp
	if cp.Offset == 0 {
		return nil
	}
	if cp.HeadLen > headBytes || cp.TailLen > tailBytes || int64(max(cp.HeadLen, cp.TailLen)) > cp.Offset {
		return collector.ErrReplaced // no checkpoint of ours
	}
	if l.src.file != nil && l.src.size < cp.Offset {
		return collector.ErrReplaced
	}
	l.head = l.head[:cp.HeadLen]
	if err := l.src.read(l.head); err != nil {
		return err
	}
	if xxhash.Sum64(l.head) != cp.HeadHash && cp.HeadLen > 0 {
		return collector.ErrReplaced
	}
	tail := l.buf[:cp.TailLen]
	known := 0 // bytes of the tail that are in the head too
	if gap := cp.Offset - int64(cp.TailLen) - int64(cp.HeadLen); gap > 0 {
		if err := l.src.skip(gap); err != nil {
			return err
		}
	} else if gap < 0 {
		known = copy(tail, l.head[len(l.head)+int(gap):])
	}
	if err := l.src.read(tail[known:]); err != nil {
		return err
	}
	if xxhash.Sum64(tail) != cp.TailHash && cp.TailLen > 0 {
		return collector.ErrReplaced
	}
	l.start, l.scan, l.end = cp.TailLen, cp.TailLen, cp.TailLen
	return nil
}

// next returns the next line, or io.EOF if there is no whole one any more.
func (l *lineReader) next() (collector.Record, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.scan:l.end], '\n'); i >= 0 {
			return l.take(l.scan + i), nil
		}
		l.scan = l.end
		if l.err != nil {
			return collector.Record{}, l.err
		}
		if l.end == len(l.buf) {
			l.makeRoom()
		}
		var n int
		n, l.err = l.src.r.Read(l.buf[l.end:])
		l.end += n
	}
}

// take returns the line from start to the newline at nl and moves on.
func (l *lineReader) take(nl int) collector.Record {
	r := collector.Record{Ref: collector.Ref{
		Offset: l.at.Offset,
		Length: l.skipped + int64(nl-l.start),
		Line:   l.at.Line + 1,
	}}
	if l.skipped == 0 && nl-l.start <= MaxLine {
		r.Data = l.buf[l.start:nl:nl]
	}
	l.feedHead(l.buf[l.start : nl+1])
	l.start, l.scan, l.skipped = nl+1, nl+1, 0

	l.at.Offset += r.Length + 1
	l.at.Line++
	if n := int(min(int64(len(l.head)), l.at.Offset)); n != l.at.HeadLen {
		l.at.HeadLen, l.at.HeadHash = n, xxhash.Sum64(l.head[:n])
	}
	l.at.TailLen = int(min(tailBytes, l.at.Offset, int64(l.start)))
	l.at.TailHash = xxhash.Sum64(l.buf[l.start-l.at.TailLen : l.start])
	return r
}

// feedHead adds bytes that follow what was read so far to the head, as long as it is short.
func (l *lineReader) feedHead(b []byte) {
	if room := headBytes - len(l.head); room > 0 {
		l.head = append(l.head, b[:min(room, len(b))]...)
	}
}

// makeRoom makes room behind end: it drops what was returned, or grows the buffer for a long line, or drops what is
// there of a too long one.
func (l *lineReader) makeRoom() {
	line := l.end - l.start
	keep := min(l.start, tailBytes)
	switch {
	case l.skipped > 0 || line > MaxLine:
		l.feedHead(l.buf[l.start:l.end])
		l.skipped += int64(line)
		l.start = copy(l.buf, l.buf[l.end-tailBytes:l.end])
		l.scan, l.end = l.start, l.start
		return
	case line <= len(l.buf)/2 || len(l.buf) == maxBuffer:
		copy(l.buf, l.buf[l.start-keep:l.end])
	default:
		grown := make([]byte, min(2*len(l.buf), maxBuffer))
		copy(grown, l.buf[l.start-keep:l.end])
		l.buf = grown
	}
	l.start, l.scan, l.end = keep, keep+line, keep+line
}

// fingerprint sets what cp says about the place behind the last line.
func (l *lineReader) fingerprint(cp *collector.Checkpoint) {
	size, mtime, inode := cp.Size, cp.ModTime, cp.Inode
	*cp = l.at
	cp.Size, cp.ModTime, cp.Inode = size, mtime, inode
}

// read fills b with the next bytes of the stream.
func (s *source) read(b []byte) error {
	_, err := io.ReadFull(s.r, b)
	return replacedIfShort(err)
}

// skip goes n bytes on.
func (s *source) skip(n int64) error {
	if s.file == nil {
		_, err := io.CopyN(io.Discard, s.r, n)
		return replacedIfShort(err)
	}
	at, err := s.file.Seek(n, io.SeekCurrent)
	s.r = io.LimitReader(s.file, s.size-at)
	return err
}

// replacedIfShort reads the end of a stream before a checkpoint's offset for what it means.
func replacedIfShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return collector.ErrReplaced
	}
	return err
}
