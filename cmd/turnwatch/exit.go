package main

import (
	"errors"

	"github.com/turnwatch/turnwatch/collector"
)

// The exit codes, as the help lists them.
const (
	exitFailed   = 1
	exitUsage    = 2
	exitConflict = 3
	exitNotFound = 4
)

// notFoundError is an error about a name that names nothing, or too much.
type notFoundError struct{ error }

func (e notFoundError) Unwrap() error { return e.error }

// exitCode says how the program ends after an error.
func exitCode(err error) int {
	var nf notFoundError
	switch code := collector.ErrorCode(err); {
	case errors.As(err, &nf), code == collector.CodeNotFound:
		return exitNotFound
	case code == collector.CodeConflict:
		return exitConflict
	case code == collector.CodeInvalid:
		return exitUsage
	}
	return exitFailed
}
