//go:build !linux

package sqlite

import "context"

// holdForeign does nothing: only on Linux a lock can be held beside those of SQLite in the same process.
func holdForeign(context.Context, string) (release func(), err error) { return func() {}, nil }
