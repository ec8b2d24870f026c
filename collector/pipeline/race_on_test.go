//go:build race

package pipeline_test

// slow says that the race detector is on: it takes several times the time and memory.
const slow = true
