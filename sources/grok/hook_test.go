package grok_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/grok"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func TestHooks(t *testing.T)    { sourcetest.Hooks(t, grok.New(collector.Host{})) }
func FuzzReadHook(f *testing.F) { sourcetest.FuzzHooks(f, grok.New(collector.Host{})) }

// TestBorrows: what another agent's own program sends is never taken for this one's.
func TestBorrows(t *testing.T) {
	for payload, want := range map[string]bool{
		`{"hookEventName":"stop","sessionId":"a","hook_event_name":"Stop","session_id":"a"}`: true,
		`{"hook_event_name":"Stop","session_id":"a","transcript_path":"/x"}`:                 false,
		`{"sessionId":"a","timestamp":1,"toolName":"x"}`:                                     false,
		`[]`: false,
	} {
		if got := grok.New(collector.Host{}).Borrows([]byte(payload)); got != want {
			t.Errorf("%s: %t", payload, got)
		}
	}
}
