package export

import (
	"bytes"
	"html/template"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/turnwatch/turnwatch/collector"
)

// What is longer, or nests deeper, is no Markdown that somebody wrote but a file that was pasted; reading it as Markdown takes
// time in proportion to the square of these.
const (
	longestProse = 16 << 10 // bytes
	mostLinks    = 500      // "[" in a text
	mostQuotes   = 100      // ">" in a line
)

func isProse(s string) bool {
	if len(s) > longestProse || strings.Count(s, "[") > mostLinks {
		return false
	}
	for line := range strings.Lines(s) {
		if strings.Count(line, ">") > mostQuotes {
			return false
		}
	}
	return true
}

// prose turns what somebody said, which is Markdown, into HTML. No markup of the text's own gets through: its HTML is shown
// as text, its pictures are links, and links lead to http and https only.
var prose = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(harmless{}, 1))),
)

// said writes what somebody said.
func said(t collector.Text) (template.HTML, error) {
	source := text(t)
	if strings.TrimSpace(source) == "" {
		return "", nil
	}
	if !isProse(source) {
		return template.HTML(`<p class="plain">` + template.HTMLEscapeString(source) + `</p>`), nil //nolint:gosec // escaped
	}
	var b bytes.Buffer
	if err := prose.Convert([]byte(source), &b); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil //nolint:gosec // what of the text could be markup is escaped
}

// harmless renders what goldmark would let out of the text.
type harmless struct{}

// RegisterFuncs says which nodes those are.
func (h harmless) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, h.htmlBlock)
	r.Register(ast.KindRawHTML, h.rawHTML)
	r.Register(ast.KindImage, h.image)
	r.Register(ast.KindLink, h.link)
	r.Register(ast.KindAutoLink, h.autoLink)
	r.Register(ast.KindHeading, h.heading)
}

func (harmless) htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.HTMLBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<p class="plain">`)
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		_, _ = w.Write(util.EscapeHTML(line.Value(source)))
	}
	if n.HasClosure() {
		_, _ = w.Write(util.EscapeHTML(n.ClosureLine.Value(source)))
	}
	_, _ = w.WriteString("</p>\n")
	return ast.WalkContinue, nil
}

func (harmless) rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	segments := node.(*ast.RawHTML).Segments
	for i := range segments.Len() {
		segment := segments.At(i)
		_, _ = w.Write(util.EscapeHTML(segment.Value(source)))
	}
	return ast.WalkSkipChildren, nil
}

func (harmless) image(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	return anchor(w, node.(*ast.Image).Destination, entering)
}

func (harmless) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	return anchor(w, node.(*ast.Link).Destination, entering)
}

func (harmless) autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	target := n.URL(source)
	if _, err := anchor(w, target, true); err != nil {
		return ast.WalkStop, err
	}
	_, _ = w.Write(util.EscapeHTML(n.Label(source)))
	return anchor(w, target, false)
}

// anchor begins or ends a link, if it leads to the web; what it says stays in any case.
func anchor(w util.BufWriter, target []byte, entering bool) (ast.WalkStatus, error) {
	address := web(string(target))
	if address == "" {
		return ast.WalkContinue, nil
	}
	markup := "</a>"
	if entering {
		markup = `<a rel="noopener noreferrer" href="` + template.HTMLEscapeString(address) + `">`
	}
	_, err := w.WriteString(markup)
	return ast.WalkContinue, err
}

// web returns an address of the web as it is written in HTML; "" = it is none.
func web(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}

// heading is none of the page's own.
func (harmless) heading(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := `<p class="heading">`
	if !entering {
		tag = "</p>\n"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}
