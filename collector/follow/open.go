package follow

import (
	"errors"
	"fmt"
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

// Compressed reports whether the file at path is read through zstd, from its beginning each time.
func Compressed(path string) bool { return strings.HasSuffix(path, ".zst") }

// open returns the bytes of f. It reads no further than size, where the file ended when reading began.
func open(f *os.File, size int64) (source, func(), error) {
	if !Compressed(f.Name()) {
		return source{r: io.LimitReader(f, size), file: f, size: size}, func() {}, nil
	}
	// One decoder at a time, little memory: most logs are small, and few are compressed.
	d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return source{}, nil, err
	}
	return source{r: &expanding{r: unfinished{d}, left: expansion(f)}}, d.Close, nil
}

// What a compressed log may take: whoever makes one decides how much a few bytes of it become. Logs shrink to a tenth or
// twentieth (seen), and agents compress with a window of 2 MiB; 8 MiB is what every decoder must take.
const (
	maxWindow    = 32 << 20
	freeExpanded = 64 << 20 // bytes that even the smallest file may become
	maxRatio     = 200
	maxExpanded  = 1 << 30
)

// expansion returns how many bytes f may become.
func expansion(f *os.File) int64 {
	st, err := f.Stat()
	if err != nil {
		return freeExpanded
	}
	return min(freeExpanded+maxRatio*st.Size(), maxExpanded)
}

// errExpands says that a compressed log is none, but a bomb.
var errExpands = errors.New("it expands to more than a log does, and is read no further")

// expanding stops reading where a compressed stream becomes too long.
type expanding struct {
	r    io.Reader
	left int64
}

func (e *expanding) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, errExpands
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w (%w)", errExpands, err)
	}
	return n, err
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
