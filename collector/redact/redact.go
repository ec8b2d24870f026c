// Package redact masks secrets in texts that leave the collector: through the API and in exports, nowhere else. The log
// files and the store keep what they have.
//
// The rules are gitleaks'. Its detector reads 4 MB/s (measured), a page has megabytes, so only windows around what looks
// like a secret are given to it: see suspects. A secret that a preview cuts in two, so that no rule knows it any more, is
// masked as far as its beginning tells (known prefixes, private keys).
package redact

import (
	"cmp"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/zricethezav/gitleaks/v8/detect"
)

// scanner is the compiled rules.
type scanner struct {
	detector *detect.Detector
	suspects *suspects
	cache    cache
}

// load compiles the rules once, on first use: it takes 140 ms and 15 MB (measured), so not before somebody looks. It leaves
// 10 MB of garbage, which an idle daemon would keep for minutes.
var load = sync.OnceValue(func() *scanner {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		panic(err) // the rules are compiled into the library
	}
	d.IgnoreGitleaksAllow = true // a comment in somebody's text must not lift the mask
	sc := &scanner{detector: d, suspects: newSuspects(d.Config.Rules)}
	debug.FreeOSMemory()
	return sc
})

// Prepare compiles the rules when a text will soon be asked for, so that the first one need not wait.
func Prepare() { load() }

// Text returns s with secrets masked as «redacted: <rule>». It may be called concurrently.
func Text(s string) string {
	if len(s) < minSecret {
		return s
	}
	return load().mask(s)
}

// privateKey also matches a key whose end was cut off, and one inside a JSON string.
var privateKey = regexp.MustCompile(`(?i)-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END[ A-Z0-9_-]{0,100}KEY(?: BLOCK)?-----|\z)`)

// cutSecret is the beginning of a well-known token, when it is a text's last word.
var cutSecret = regexp.MustCompile(`^(?:gh[oprsu]_|github_pat_|glpat-|sk-(?:ant|proj)-|[sr]k_live_|xox[abeoprs]-|npm_|pypi-|AKIA|AIza)[\w-]{4,}$`)

func (sc *scanner) mask(s string) string {
	if strings.Contains(s, "-----") {
		s = privateKey.ReplaceAllString(s, mark("private-key"))
	}
	if windows := sc.suspects.windows(s); len(windows) > 0 {
		s = sc.replaceCached(s, windows)
	}
	if last := s[lastWord(s):]; len(last) >= minSecret && cutSecret.MatchString(last) {
		s = s[:len(s)-len(last)] + mark("cut")
	}
	return s
}

// lastWord returns where the last word of s begins.
func lastWord(s string) int {
	i := len(s)
	for i > 0 && (is(s[i-1]|0x20, word) || s[i-1] == '_' || s[i-1] == '-') {
		i--
	}
	return i
}

func mark(rule string) string { return "«redacted: " + rule + "»" }

func (sc *scanner) replaceCached(s string, windows []window) string {
	if len(s) > cacheLongest {
		return sc.replace(s, windows)
	}
	masked, ok := sc.cache.get(s)
	if !ok {
		masked = sc.replace(s, windows)
		sc.cache.add(s, masked)
	}
	return masked
}

// What one text may cost: about a third of a second. What is suspicious beyond that is masked unread.
const (
	maxFinds   = 256     // 1.3 ms each (measured on a busy machine)
	maxScanned = 1 << 20 // bytes
)

// blot masks windows as a whole.
func blot(s string, windows []window) string {
	var b strings.Builder
	end := 0
	for i, w := range windows {
		if i == 0 || w.from > end {
			b.WriteString(s[end:w.from] + mark("too much to check"))
		}
		end = w.to
	}
	b.WriteString(s[end:])
	return b.String()
}

// replace masks what the detector finds in windows, wherever it stands in s.
func (sc *scanner) replace(s string, windows []window) string {
	found := map[string]string{} // secret → mark
	finds, bytes := 0, 0
	for i, w := range windows {
		if finds > maxFinds || bytes > maxScanned {
			s = blot(s, windows[i:])
			break
		}
		bytes += w.to - w.from
		// In a log's own line quotes are escaped, and the rules know only bare ones.
		part := strings.ReplaceAll(s[w.from:w.to], `\"`, `""`)
		for _, f := range sc.detector.DetectString(part) {
			finds++
			secret := strings.Trim(f.Secret, "\"'`\n ")
			if len(secret) >= minMasked {
				found[secret] = mark(f.RuleID)
			}
		}
	}
	if len(found) == 0 {
		return s
	}
	// The longest first: a replacer takes the first that matches.
	secrets := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	flat := make([]string, 0, 2*len(secrets))
	for _, secret := range secrets {
		flat = append(flat, secret, found[secret])
	}
	return strings.NewReplacer(flat...).Replace(s)
}
