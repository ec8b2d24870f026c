package main

import "github.com/turnwatch/turnwatch/collector"

// The exit codes, as the help lists them.
const (
	exitFailed   = 1
	exitUsage    = 2
	exitConflict = 3
	exitNotFound = 4
)

// exitCode says how the program ends after an error.
func exitCode(err error) int {
	switch collector.ErrorCode(err) {
	case collector.CodeNotFound:
		return exitNotFound
	case collector.CodeConflict:
		return exitConflict
	case collector.CodeInvalid:
		return exitUsage
	}
	return exitFailed
}
