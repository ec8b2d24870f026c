package redact_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/turnwatch/turnwatch/collector/redact"
)

const (
	digits = "0123456789"
	hex    = digits + "abcdef"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lower + upper
)

// fake makes up a secret. They are put together at run time, so that no scanner finds one in this file.
func fake(r *rand.Rand, prefix, letters string, n int) string {
	var b strings.Builder
	b.WriteString(prefix)
	for range n {
		b.WriteByte(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// planted returns texts that hold secrets, and the secrets.
func planted(r *rand.Rand) map[string]struct{ text, secret string } {
	type plant = struct{ text, secret string }
	in := func(format, secret string) plant { return plant{fmt.Sprintf(format, secret), secret} }
	return map[string]plant{
		"github-pat":          in("remote: https://x:%s@example.org/repo.git", fake(r, "gh"+"p_", alnum, 36)),
		"github-fine-grained": in("export GH=%s\n", fake(r, "github"+"_pat_", alnum+"_", 82)),
		"anthropic-api-key":   in(`{"key":"%s"}`, fake(r, "sk"+"-ant-api03-", alnum+"_-", 93)+"AA"),
		"aws-access-token":    in("aws_access_key_id = %s\n", fake(r, "AK"+"IA", upper+"234567", 16)),
		"aws-secret":          in("aws_secret_access_key = %s\n", fake(r, "", alnum+"+", 40)),
		"gitlab-pat":          in("glab auth --token %s now", fake(r, "gl"+"pat-", alnum, 20)),
		"slack-bot-token":     in("SLACK=%s;", fake(r, "xo"+"xb-", digits, 12)+fake(r, "-", digits, 12)+fake(r, "-", alnum, 24)),
		"stripe-access-token": in("curl https://api.example.org -H x: %s", fake(r, "sk"+"_live_", alnum, 24)),
		"npm-access-token":    in("//registry/:_authToken=%s\n", fake(r, "npm"+"_", alnum, 36)),
		"generic-api-key":     in(`const apiKey = "%s";`, fake(r, "z9", lower+digits, 38)),
		"generic, in JSON":    in(`{"text":"set API_TOKEN=\"%s\" first"}`, fake(r, "q7", lower+digits, 38)),
		"jwt":                 in("Authorization: Bearer %s\n", "ey"+"JhbGciOiJIUzI1NiJ9."+fake(r, "ey"+"J", alnum, 60)+fake(r, ".", alnum+"_-", 43)),
		"curl-auth-user":      in("curl -s -u admin:%s https://example.org/x\n", fake(r, "p1", alnum, 14)),
		"curl-auth-header":    in("curl -H 'Authorization: Bearer %s' https://example.org\n", fake(r, "", alnum, 30)),
		"slack-webhook-url":   in("post to https://%s ok", "hooks.slack.com/services/"+fake(r, "T", upper, 8)+fake(r, "/B", upper, 8)+fake(r, "/", alnum, 24)),
		"heroku-api-key":      in(`HEROKU_KEY: "%s"`, fake(r, "", hex, 8)+fake(r, "-", hex, 4)+fake(r, "-", hex, 4)+fake(r, "-", hex, 4)+fake(r, "-", hex, 12)),
		"private-key":         in("-----BEGIN RSA "+"PRIVATE KEY-----\n%s\n-----END RSA "+"PRIVATE KEY-----\n", fake(r, "", alnum+"+/", 200)),
		"private-key, cut":    in("key:\n-----BEGIN "+"PRIVATE KEY-----\n%s", fake(r, "", alnum+"+/", 90)),
		"github-pat, cut":     in("the token is %s", fake(r, "gh"+"p_", alnum, 12)),
	}
}

func TestTextMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, p := range planted(r) {
		t.Run(name, func(t *testing.T) {
			for _, around := range []string{"", "Plain words before. ", strings.Repeat("päth/to/file.go:12 some code();\n", 400)} {
				got := redact.Text(around + p.text + "")
				if strings.Contains(got, p.secret) {
					t.Errorf("not masked after %d bytes: %s", len(around), got[max(0, len(got)-300):])
				}
				if !strings.Contains(got, "«redacted: ") || !strings.HasPrefix(got, around) {
					t.Errorf("no mask, or something else was changed: %s", got[max(0, len(got)-300):])
				}
			}
		})
	}
}

func TestTextNamesTheRule(t *testing.T) {
	secret := fake(rand.New(rand.NewPCG(3, 4)), "gh"+"p_", alnum, 36)
	got, want := redact.Text("use "+secret+" or "+secret+"."), "use «redacted: github-pat» or «redacted: github-pat»."
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextLeavesOthersAlone(t *testing.T) {
	for _, s := range []string{
		"", "ok", "key", "Fix the flaky login test in src/auth/token_test.go:412",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b\nAuthor: someone",
		`{"type":"user","uuid":"123e4567-e89b-12d3-a456-426614174000","timestamp":"2026-11-30T11:39:00.123Z"}`,
		"const task = riskAssessment(diskUsage, monkeyPatch)", "keys: j/k/↓/↑ g G Esc /", "-----\nBEGIN nothing\n-----",
	} {
		if got := redact.Text(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// TestTextAgreesWithTheDetector compares with a detector that reads everything.
func TestTextAgreesWithTheDetector(t *testing.T) {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	filler := []string{"func main() {\n", "go test ./...\n", "see https://example.org/a/b?c=d\n", "\"path\": \"/home/me/src/x.go\",\n", "2026-11-30 11:39:00 INFO started\n"}
	for range 8 {
		var b strings.Builder
		for _, p := range planted(r) {
			for range r.IntN(6) {
				b.WriteString(filler[r.IntN(len(filler))])
			}
			b.WriteString(p.text + "\n")
		}
		text := b.String()
		got := redact.Text(text)
		for _, f := range d.DetectString(text) {
			if strings.Contains(got, f.Secret) {
				t.Errorf("%s stays: %s", f.RuleID, f.Secret)
			}
		}
	}
}

func TestTextConcurrently(t *testing.T) {
	secret := fake(rand.New(rand.NewPCG(7, 8)), "gh"+"p_", alnum, 36)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if strings.Contains(redact.Text("a "+secret+" b"), secret) {
					t.Error("not masked")
				}
			}
		})
	}
	wg.Wait()
}

// TestTextIsBounded has more finds than a text may cost: the first are masked by name, the rest unread.
func TestTextIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	var secrets []string
	for range 1000 {
		secrets = append(secrets, fake(r, "k9", lower+digits, 30))
		fmt.Fprintf(&b, "export API_KEY='%s'\n", secrets[len(secrets)-1])
	}
	got := redact.Text("Before. " + b.String() + strings.Repeat("plain words ", 20) + "after.")
	for i, s := range secrets {
		if strings.Contains(got, s) {
			t.Fatalf("secret %d stays", i)
		}
	}
	if !strings.HasPrefix(got, "Before. ") || !strings.HasSuffix(got, "plain words after.") || !strings.Contains(got, "«redacted: generic-api-key»") || strings.Count(got, "too much to check") != 1 {
		t.Errorf("got %.200s … %s", got, got[max(0, len(got)-300):])
	}
}

// TestLongTokensAreNotTorn puts a token where windows are cut into pieces.
func TestLongTokensAreNotTorn(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		jwt := "ey" + "JhbGciOiJIUzI1NiJ9." + fake(r, "ey"+"J", alnum, 2500) + fake(r, ".", alnum+"_-", 43)
		text := strings.Repeat("token: a1b2c3d4e5 ", 30+r.IntN(60)) + jwt + strings.Repeat(" token: a1b2c3d4e5", 100)
		if got := redact.Text(text); strings.Contains(got, jwt[len(jwt)-40:]) || strings.Contains(got, jwt[100:140]) {
			t.Fatalf("a part of the token stays: %s", got)
		}
	}
}
