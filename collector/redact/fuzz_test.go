package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector/redact"
)

// FuzzText looks for texts that break it: a panic, a text torn inside a character, or a token that stays although it
// stands by itself.
func FuzzText(f *testing.F) {
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	for _, s := range []string{"", "key=", "curl -u a:b", "-----BEGIN " + "PRIVATE KEY-----", "ä\\\"«redacted: x»", "token: \"ü", "sk_live_", "=====", "eyJ.eyJ."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.ValidString(s) && !utf8.ValidString(redact.Text(s)) {
			t.Errorf("%q was torn: %q", s, redact.Text(s))
		}
		if got := redact.Text(s + "\n" + token + "\n" + s); strings.Contains(got, token) {
			t.Errorf("the token stays: %q", got)
		}
	})
}
