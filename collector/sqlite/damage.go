package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/turnwatch/turnwatch/collector"
)

var (
	errEmpty  = fmt.Errorf("%w: the file is empty", collector.ErrDamaged)
	errOrphan = fmt.Errorf("%w: only its write-ahead log is there", collector.ErrDamaged) // it would be applied to a new one
	errSchema = fmt.Errorf("%w: its tables are not those that were made", collector.ErrDamaged)
)

// Primary result codes of SQLite: the low byte of what the driver reports.
const (
	codeError      = 1 // SQL that the schema does not allow
	codePerm       = 3
	codeReadOnly   = 8
	codeIO         = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeConstraint = 19
	codeMismatch   = 20
	codeNotADB     = 26
)

// code returns SQLite's primary result code, 0 if err is not one of SQLite's.
func code(err error) int {
	var e interface{ Code() int }
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// Damaged reports whether an error says that the file is no database, or none any more: trying again will not help.
func Damaged(err error) bool {
	c := code(err)
	return c == codeCorrupt || c == codeNotADB || errors.Is(err, collector.ErrDamaged)
}

// unmigrated marks an error of migrating: SQL of ours that does not fit the tables says that they are not ours any more.
func unmigrated(err error) error {
	if code(err) == codeError {
		return fmt.Errorf("%w: %w", errSchema, err)
	}
	return err
}

const (
	full     = "the disk or a quota is full; make room: nothing is lost, it goes on by itself"
	readOnly = "the database or its directory is read-only; make it writable: nothing is lost, it goes on by itself"
)

// Remedy says in words what keeps the store from being written or read, and what helps.
func Remedy(err error) string {
	switch code(err) {
	case codeFull:
		return full
	case codeReadOnly, codePerm:
		return readOnly
	case codeCantOpen:
		return "the database's directory is gone or cannot be entered; put it back, or start Turnwatch again"
	case codeIO:
		return "the disk does not take or give data; look whether it is full or failing: it is tried again"
	case codeCorrupt, codeNotADB:
		return "the database is damaged; it is put aside and made anew from the agents' logs"
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return full
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return readOnly
	}
	return "it is tried again; nothing is lost"
}

// unavailable makes an error of the disk one that whoever asked can act on.
func unavailable(what string, err error) error {
	if c := code(err); c == codeFull || c == codeReadOnly || c == codePerm || c == codeIO || c == codeCantOpen ||
		errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) {
		return &collector.Error{Code: collector.CodeUnavailable, Message: what + ": " + Remedy(err), Err: err}
	}
	return err
}
