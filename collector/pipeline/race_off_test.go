//go:build !race

package pipeline_test

// slow says that the race detector is on.
const slow = false
