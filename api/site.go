package api

import (
	"encoding/base64"
	"hash/fnv"
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"
)

const indexFile = "index.html"

// mediaTypes are our own: with nosniff a script of a wrong type does not run, and a machine's table may say anything.
var mediaTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".json":  "application/json",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
	".txt":   "text/plain; charset=utf-8",
}

// site serves the page's files. Those under assets/ have a hash of their contents in their names and may be kept for
// good; index.html names them and is asked for every time.
type site struct {
	files fs.FS
}

func newSite(files fs.FS) *site { return &site{files: files} }

// serve answers with the file, or with index.html for the page's own routes. A missing asset is a 404: a page that is
// older than the server must notice.
func (s *site) serve(c *fiber.Ctx) error {
	name := strings.TrimPrefix(path.Clean("/"+c.Path()), "/")
	if name == "" {
		name = indexFile
	}
	if body, err := fs.ReadFile(s.files, name); err == nil {
		return s.send(c, name, body)
	}
	// Ids in the page's routes may have dots; only a browser that goes to a page says that it wants HTML.
	if strings.HasPrefix(name, "assets/") || !wantsPage(c) {
		return fiber.NewError(fiber.StatusNotFound, "there is no such file")
	}
	body, err := fs.ReadFile(s.files, indexFile)
	if err != nil {
		return fiber.NewError(fiber.StatusNotFound, "the page was not built into this binary")
	}
	return s.send(c, indexFile, body)
}

// wantsPage reports whether a browser goes to an address, and does not only load something.
func wantsPage(c *fiber.Ctx) bool {
	return strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML)
}

func (s *site) send(c *fiber.Ctx, name string, body []byte) error {
	contentType, ok := mediaTypes[path.Ext(name)]
	if !ok {
		contentType = fiber.MIMEOctetStream
	}
	c.Set(fiber.HeaderContentType, contentType)
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	if strings.HasPrefix(name, "assets/") {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	} else {
		etag := etagOf(body)
		c.Set(fiber.HeaderCacheControl, "no-cache")
		c.Set(fiber.HeaderETag, etag)
		if c.Get(fiber.HeaderIfNoneMatch) == etag {
			return c.SendStatus(fiber.StatusNotModified)
		}
	}
	for _, encoding := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		packed, err := fs.ReadFile(s.files, name+encoding.suffix)
		if err == nil && strings.Contains(c.Get(fiber.HeaderAcceptEncoding), encoding.name) {
			c.Set(fiber.HeaderContentEncoding, encoding.name)
			body = packed
			break
		}
	}
	return c.Send(body)
}

func etagOf(body []byte) string {
	h := fnv.New64a()
	h.Write(body)
	return `"` + base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + `"`
}
