package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// contentPolicy lets the page load and talk to nothing but its own server; no script stands in the page itself. Styles may
// stand in attributes: the flow's nodes are placed that way.
const contentPolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// secure sets the headers that every answer has.
func secure(c *fiber.Ctx) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      contentPolicy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cache-Control":                "no-store", // what is no file of the page
	} {
		c.Set(name, value)
	}
}

// guard stands before every route. It answers only to our own names (a page of another site may have its name point
// here), lets no other site's page read, change anything or open a socket, bounds how often that is done, and asks for
// the token, if there is one.
func (s *Server) guard(c *fiber.Ctx) error {
	secure(c)
	// Not c.Hostname(), which believes X-Forwarded-Host.
	if host := string(c.Context().Host()); !s.names.host(host, c.Context().LocalAddr()) {
		return forbidden("host", host)
	}
	if err := s.checkSite(c); err != nil {
		return err
	}
	if err := s.limit(c); err != nil {
		return err
	}
	if s.isHook(c) {
		return c.Next() // its own token is looked at there
	}
	return s.checkToken(c)
}

// reads reports whether the request changes nothing and opens no socket.
func reads(c *fiber.Ctx) bool {
	return c.Get(fiber.HeaderUpgrade) == "" && slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, c.Method())
}

// checkSite refuses what another site's page asks for; of a read, all but a visit, such as a link to this page. Programs
// send none of these headers.
func (s *Server) checkSite(c *fiber.Ctx) error {
	read := reads(c)
	if origin := c.Get(fiber.HeaderOrigin); origin != "" && !read && !s.names.origin(origin, c.Context().LocalAddr()) {
		return forbidden("origin", origin)
	}
	switch site := c.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none": // none: the user's own doing, such as the address bar
		return nil
	default:
		if read && c.Get("Sec-Fetch-Mode") == "navigate" && c.Get("Sec-Fetch-Dest") == "document" {
			return nil
		}
		return &collector.Error{
			Code:    collector.CodeForbidden,
			Message: "the browser says that another site's page made this request; open the page of this server instead",
			Details: map[string]string{"site": clip(site, maxQuoted)},
		}
	}
}

// maxQuoted bounds what an answer repeats of a header.
const maxQuoted = 200

// clip cuts s to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

const hostSetting = "--public-url"

func forbidden(what, value string) error {
	value = clip(value, maxQuoted)
	return &collector.Error{
		Code: collector.CodeForbidden,
		Message: fmt.Sprintf("%s %q is not one that this server answers to; if a reverse proxy shows the page there, start it with %s and the address",
			what, value, hostSetting),
		Details: map[string]string{what: value, "setting": hostSetting},
	}
}
