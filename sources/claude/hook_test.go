package claude_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestHooks(t *testing.T)    { sourcetest.Hooks(t, claude.New(collector.Host{})) }
func FuzzReadHook(f *testing.F) { sourcetest.FuzzHooks(f, claude.New(collector.Host{})) }
