package redact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector/redact"
)

// BenchmarkText masks 500-byte previews as they stand in a list of turns, one of twenty with something suspicious.
func BenchmarkText(b *testing.B) {
	plain := strings.Repeat("I changed src/api/client.ts so that the token is refreshed: see line 42. ", 7)[:500]
	secret := plain[:400] + ` apiKey = "` + fake(rand.New(rand.NewPCG(1, 1)), "k3", lower+digits, 38) + `"`
	redact.Prepare()
	for _, c := range []struct {
		name  string
		texts []string
	}{{"plain", []string{plain}}, {"suspicious", []string{secret}}, {"mixed", append(slicesRepeat(plain, 19), secret)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(strings.Join(c.texts, ""))))
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range c.texts {
					redact.Text(s)
				}
			}
		})
	}
}

func slicesRepeat(s string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = s
	}
	return texts
}
