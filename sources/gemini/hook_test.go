package gemini_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestHooks(t *testing.T)    { sourcetest.Hooks(t, gemini.New(collector.Host{})) }
func FuzzReadHook(f *testing.F) { sourcetest.FuzzHooks(f, gemini.New(collector.Host{})) }
