package copilot_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestHooks(t *testing.T)    { sourcetest.Hooks(t, copilot.New(collector.Host{})) }
func FuzzReadHook(f *testing.F) { sourcetest.FuzzHooks(f, copilot.New(collector.Host{})) }
