package corpus

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// words draws words, identifiers and paths from one vocabulary.
type words struct {
	r     *rand.Rand
	vocab []string
	zipf  *rand.Zipf
}

// newWords makes up 30k words under a Zipf law.
func newWords(r *rand.Rand) *words {
	syl := []string{"ba", "con", "de", "er", "fi", "go", "hy", "in", "jo", "ka", "lo", "me", "no", "or", "pa", "qu", "re", "si", "ta", "un", "ver", "wa", "xi", "ya", "zo", "ment", "tion", "ing", "able", "ize"}
	vocab := append([]string{}, seedWords...)
	for len(vocab) < 30000 {
		w := ""
		for i := 1 + r.IntN(4); i >= 0; i-- {
			w += syl[r.IntN(len(syl))]
		}
		vocab = append(vocab, w)
	}
	return &words{r, vocab, rand.NewZipf(r, 1.15, 4, uint64(len(vocab)-1))}
}

func (w *words) word() string { return w.vocab[w.zipf.Uint64()] }

// ident returns a camelCase identifier.
func (w *words) ident() string {
	s := w.word()
	for i := w.r.IntN(3); i > 0; i-- {
		x := w.word()
		s += strings.ToUpper(x[:1]) + x[1:]
	}
	return s
}

func (w *words) path() string {
	return "internal/" + w.word() + "/" + w.word() + "_" + w.word() + []string{".go", ".ts", ".tsx", ".py", ".rs"}[w.r.IntN(5)]
}

// escape returns a line as it stands inside a JSON string.
func escape(s string) []byte {
	q := strconv.AppendQuote(nil, s)
	q = q[1 : len(q)-1]
	// strconv writes \x1b; JSON needs \u001b.
	return []byte(strings.ReplaceAll(string(q), `\x1b`, `\u001b`) + `\n`)
}

func (w *words) prose() string {
	var sb strings.Builder
	for i := 6 + w.r.IntN(40); i > 0; i-- {
		sb.WriteString(w.word())
		sb.WriteByte(' ')
		if w.r.IntN(14) == 0 {
			sb.WriteString("`" + w.ident() + "` ")
		}
		if w.r.IntN(60) == 0 {
			sb.WriteString("→ ")
		}
	}
	return strings.TrimSpace(sb.String()) + "."
}

func (w *words) code() string {
	ind := strings.Repeat("\t", w.r.IntN(4))
	switch w.r.IntN(8) {
	case 0:
		return ind + "if err := " + w.ident() + "." + w.ident() + "(ctx, " + w.ident() + "); err != nil {"
	case 1:
		return ind + "return fmt.Errorf(\"" + w.word() + " " + w.word() + ": %w\", err)"
	case 2:
		return ind + "}"
	case 3:
		return ind + "// " + w.word() + " " + w.word() + " " + w.word() + " " + w.word() + " " + w.word()
	case 4:
		return ind + w.ident() + " := " + w.ident() + "[\"" + w.word() + "\"]"
	case 5:
		return ""
	case 6:
		return ind + "const " + w.ident() + " = (" + w.ident() + ": string) => `${" + w.ident() + "}`;"
	default:
		return ind + w.ident() + "(" + w.ident() + ", " + strconv.Itoa(w.r.IntN(9999)) + ")"
	}
}

func (w *words) shell() string {
	switch w.r.IntN(6) {
	case 0:
		return fmt.Sprintf("%s:%d:\t%s %s %s", w.path(), w.r.IntN(2000), w.ident(), w.word(), w.ident())
	case 1:
		return fmt.Sprintf("\x1b[32m✓\x1b[0m %s %s %s (%d ms)", w.word(), w.word(), w.ident(), w.r.IntN(900))
	case 2:
		return fmt.Sprintf("ok  \tgithub.com/acme/%s/%s\t%d.%03ds", w.word(), w.word(), w.r.IntN(9), w.r.IntN(999))
	case 3:
		return fmt.Sprintf("-rw-r--r--  1 dev dev %8d Sep %2d %02d:%02d %s", w.r.IntN(99999), w.r.IntN(28)+1, w.r.IntN(24), w.r.IntN(60), w.path())
	case 4:
		return fmt.Sprintf("2026-09-%02dT%02d:%02d:%02dZ level=info msg=\"%s %s\" id=%08x dur=%dms", w.r.IntN(28)+1, w.r.IntN(24), w.r.IntN(60), w.r.IntN(60), w.word(), w.word(), w.r.Uint32(), w.r.IntN(5000))
	default:
		return w.word() + " " + w.word() + " " + w.path() + " " + w.ident()
	}
}

func (w *words) diff() string {
	return []string{"+", "-", " ", " "}[w.r.IntN(4)] + "\t" + w.ident() + "(" + w.ident() + ") // " + w.word()
}

func (w *words) json() string {
	return fmt.Sprintf("  {\"id\": %d, \"%s\": \"%s\", \"%s\": [%d, %d], \"ok\": %v},", w.r.IntN(1e6), w.word(), w.ident(), w.word(), w.r.IntN(99), w.r.IntN(99), w.r.IntN(2) == 0)
}
