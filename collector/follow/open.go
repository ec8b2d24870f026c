package follow

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// source is the uncompressed bytes of a stream, read in order.
type source struct {
	r io.Reader
	// file and size are set if the stream is not compressed.
	file *os.File
	size int64
}

// open returns the bytes of f. It reads no further than size, where the file ended when reading began.
func open(f *os.File, size int64) (source, func(), error) {
	if !strings.HasSuffix(f.Name(), ".zst") {
		return source{r: io.LimitReader(f, size), file: f, size: size}, func() {}, nil
	}
	// One decoder at a time, little memory: most logs are small, and few are compressed.
	d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return source{}, nil, err
	}
	return source{r: unfinished{d}}, d.Close, nil
}

// unfinished ends a compressed stream that is still being written where its last whole block ends.
type unfinished struct{ r io.Reader }

func (u unfinished) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}
