package pipeline_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// childVar makes the test binary be a child process: it names what to do.
const childVar = "TURNWATCH_TEST_CHILD"

// child does what a child process is for, and returns how it ends.
var child func(role string) int

func TestMain(m *testing.M) {
	if role := os.Getenv(childVar); role != "" {
		os.Exit(child(role))
	}
	goleak.VerifyTestMain(m)
}
