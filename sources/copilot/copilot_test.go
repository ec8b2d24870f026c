package copilot_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestSource(t *testing.T) {
	var dirs []string
	for _, name := range cases(t) {
		dirs = append(dirs, filepath.Join(recordings, name))
	}
	sourcetest.Run(t, func(home string) collector.Source { return copilot.New(sourcetest.Host(t, home)) }, dirs...)
}
