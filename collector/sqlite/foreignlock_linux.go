package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// Where SQLite locks a database, whatever it holds (https://sqlite.org/lockingv3.html): a reader takes the byte that
// announces a writer, so that it waits for one, then those of readers, and lets go of the first.
const (
	pendingByte = 0x40000000
	sharedFirst = pendingByte + 2
	sharedSize  = 510
)

// ofdSetlk is F_OFD_SETLK: a lock that belongs to the opened file, not to the process, so that closing another one does
// not end it.
const ofdSetlk = 37

// holdForeign takes the lock of a reader on an agent's database, until release is called.
func holdForeign(ctx context.Context, path string) (release func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(holdFor); ; {
		if err = shareLock(f); err == nil {
			return func() { _ = f.Close() }, nil // it was only read
		}
		if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES) || time.Now().After(end) || ctx.Err() != nil {
			return nil, errors.Join(fmt.Errorf("database is locked: %w", err), f.Close())
		}
		time.Sleep(holdEvery)
	}
}

func shareLock(f *os.File) error {
	lock := func(how int16, start, length int64) error {
		return syscall.FcntlFlock(f.Fd(), ofdSetlk, &syscall.Flock_t{Type: how, Whence: io.SeekStart, Start: start, Len: length})
	}
	if err := lock(syscall.F_RDLCK, pendingByte, 1); err != nil {
		return err
	}
	return errors.Join(lock(syscall.F_RDLCK, sharedFirst, sharedSize), lock(syscall.F_UNLCK, pendingByte, 1))
}
