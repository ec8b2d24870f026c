package copilot_test

import (
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestSource(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/copilot/*/home")
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		cases[i] = filepath.Dir(cases[i])
	}
	sourcetest.Run(t, func(home string) collector.Source { return copilot.New(sourcetest.Host(t, home)) }, cases...)
}
