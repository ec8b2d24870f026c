package collector

import "errors"

// Code classifies an error for whoever has to act on it.
type Code string

// The codes. An error without one is CodeInternal.
const (
	CodeInternal    Code = "internal"
	CodeInvalid     Code = "invalid"     // the caller asked for something that makes no sense
	CodeNotFound    Code = "not_found"   // there is no such thing
	CodeConflict    Code = "conflict"    // it cannot be done in the present state
	CodeForbidden   Code = "forbidden"   // not from there
	CodeUnavailable Code = "unavailable" // not now; try again
)

// Error is an error that its reader can act on: what went wrong, and the way out.
type Error struct {
	Code    Code
	Message string
	Details any // machine-readable, such as the candidates of a conflict
	Err     error
}

// Error returns the message, and the cause behind it.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code of the first Error in err's chain, else CodeInternal.
func ErrorCode(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// ErrDamaged says that what was stored cannot be trusted any more. Trying again does not help, making it anew does.
var ErrDamaged = errors.New("the database is damaged")

// ErrReplaced says that a stream is not the one that a checkpoint was taken from.
var ErrReplaced = errors.New("stream was replaced")
