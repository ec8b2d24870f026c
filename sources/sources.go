// Package sources is the catalogue of the agents that this build reads. Adding one is a folder beside this file, and a
// line in All.
package sources

import (
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/antigravity"
	"github.com/turnwatch/turnwatch/sources/claude"
	"github.com/turnwatch/turnwatch/sources/codex"
	"github.com/turnwatch/turnwatch/sources/copilot"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/grok"
	"github.com/turnwatch/turnwatch/sources/muse"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

// All returns every source, looking at the host.
func All(h collector.Host) []collector.Source {
	return []collector.Source{
		claude.New(h),
		codex.New(h),
		copilot.New(h),
		antigravity.New(h),
		gemini.New(h),
		grok.New(h),
		muse.New(h),
		opencode.New(h),
	}
}

// CleanUps returns when agents delete their own logs, as far as it is known that they do.
func CleanUps(h collector.Host) []collector.CleanUp {
	return append(claude.CleanUps(h), gemini.CleanUps(h)...)
}

// UnnamedHooks is the agent of hooks that report without naming one.
const UnnamedHooks collector.Agent = "copilot"

// HookReaders returns those of sources whose agents have hooks.
func HookReaders(sources []collector.Source) []collector.HookReader {
	var readers []collector.HookReader
	for _, s := range sources {
		if r, ok := s.(collector.HookReader); ok {
			readers = append(readers, r)
		}
	}
	return readers
}
