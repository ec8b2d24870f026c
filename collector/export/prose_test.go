package export_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/export"
)

// said returns how the page shows a prompt.
func said(t testing.TB, prompt string) string {
	t.Helper()
	d := export.Document{
		Session: &collector.Session{ID: "acme:one", Agent: "acme", TreeTotals: collector.ZeroTotals()},
		Turns:   turns(export.Turn{Turn: &collector.Turn{Prompt: text(prompt), Totals: collector.ZeroTotals()}}),
	}
	var page strings.Builder
	if err := export.HTML(&page, d); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(page.String(), `<div class="said prompt"><h4>Prompt</h4>`)
	return rest[:max(0, strings.LastIndex(rest, "</div>"))]
}

func TestSaid(t *testing.T) {
	for _, test := range []struct{ name, prompt, want string }{
		{"words", "**bold** and `code`", "<p><strong>bold</strong> and <code>code</code></p>"},
		{"lines stay lines", "one\ntwo", "<p>one<br>\ntwo</p>"},
		{"a list", "- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"},
		{"a block", "```go\nif a < b {}\n```", "<pre><code class=\"language-go\">if a &lt; b {}\n</code></pre>"},
		{"a table", "|a|b|\n|-|-|\n|1|2|", "<table>"},
		{"a heading is none of the page's", "# Big", `<p class="heading">Big</p>`},
		{"a link", "[here](https://example.org/?a=1&b=2)", `<p><a rel="noopener noreferrer" href="https://example.org/?a=1&amp;b=2">here</a></p>`},
		{"an address", "<http://example.org>", `<p><a rel="noopener noreferrer" href="http://example.org">http://example.org</a></p>`},
		{"a picture is a link", "![cat](http://example.org/cat.png)", `<p><a rel="noopener noreferrer" href="http://example.org/cat.png">cat</a></p>`},
		{"a script", "[here](javascript:alert(1))", "<p>here</p>"},
		{"a script in disguise", "[here](&#106;ava&#10;script:alert(1))", "<p>here</p>"},
		{"data", "![x](data:text/html,<script>alert(1)</script>)", "<p>"},
		{"a file", "[here](file:///etc/passwd)", "<p>here</p>"},
		{"no host", "[here](//evil.example) [there](http:evil)", "<p>here there</p>"},
		{"mail", "<joe@example.org>", "<p>joe@example.org</p>"},
		{"HTML within a line stays text", "a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>"},
		{"HTML on lines stays text", "<script>\nalert(1)\n</script>", "&lt;script&gt;\nalert(1)\n&lt;/script&gt;"},
		{"a quote in an address", `[x](<https://e.example/"onclick="alert(1)>)`, `href="https://e.example/%22onclick=%22alert%281%29"`},
		{"a language is no attribute", "```a\"onclick=\"b\nx\n```", "<pre><code"},
		{"too long to be written by hand", "# a\n" + strings.Repeat("x", 17_000), `<p class="plain"># a`},
		{"blank", " \n ", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := said(t, test.prompt)
			if !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("%q became\n%s\nwant\n%s", test.prompt, got, test.want)
			}
			checkTags(t, test.prompt, got)
		})
	}
}

var (
	tag     = regexp.MustCompile(`<[^>]*>`)
	allowed = regexp.MustCompile(`^<(/?(p|strong|em|del|code|pre|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|a|div)|hr|br|p class="(plain|heading|cut)"|ol start="\d+"|` +
		`code class="language-[^"<>]*"|t[hd] style="text-align:(left|right|center)"|t[hd] align="(left|right|center)"|a rel="noopener noreferrer" href="https?://[^"<>]+")>$`)
)

// checkTags looks that nothing but what we know became of a text.
func checkTags(t testing.TB, prompt, page string) {
	t.Helper()
	for _, m := range tag.FindAllString(page, -1) {
		if !allowed.MatchString(m) {
			t.Errorf("%q became %s in\n%s", prompt, m, page)
		}
	}
}

func FuzzSaid(f *testing.F) {
	for _, s := range []string{evil, "[a](http://b)", "![a][b]\n\n[b]: https://c \"t\"", "<a href=x>", "a\n|-|:-:|\n|`|`|", "~~~ x\"y\n", "1. a\n   - b\n\n> c", "&lt;&#60;&#x3c;script>", "[x](<\">)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkTags(t, s, said(t, s)) })
}

// TestSaidTakesNoTime: no text, whatever it nests, keeps the export busy.
func TestSaidTakesNoTime(t *testing.T) {
	for _, s := range []string{"[", "![", ">", "> ", "*", "**a ", "_a_", "`", "<", "<a ", "- ", "1. ", "|", "\\", "&", "[a](", "](", "> > > > > > > >\n", "[a](\n"} {
		prompt := strings.Repeat(s, 16_000/len(s))
		start := time.Now()
		checkTags(t, s+"…", said(t, prompt))
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%d bytes of %q took %s", len(prompt), s, d)
		}
	}
}
