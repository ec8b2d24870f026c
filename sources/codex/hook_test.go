package codex_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/codex"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestHooks(t *testing.T)    { sourcetest.Hooks(t, codex.New(collector.Host{})) }
func FuzzReadHook(f *testing.F) { sourcetest.FuzzHooks(f, codex.New(collector.Host{})) }
