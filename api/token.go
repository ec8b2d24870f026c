package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
)

const (
	tokenCookie = "turnwatch_token"
	minToken    = 16 // characters; a guess takes a network's round trip, so that 16 random ones are out of reach
)

// The pages of the token load nothing and run nothing. welcome leaves the address that held the token, so that it stays
// neither in the address bar nor in the history. It is a page and no redirect: a browser that comes by a link of another
// site would keep a SameSite=Strict cookie from what it is redirected to.
const (
	welcome = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Turnwatch</title><meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go on to Turnwatch</a></p></html>`
	ask     = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light">` +
		`<title>Turnwatch</title><body style="font:15px/1.5 system-ui,sans-serif;max-width:30em;margin:15vh auto;padding:0 1em"><h1 style="font-size:1.3em">Turnwatch asks for its token</h1>` +
		`<form method="post" action="/token"><p><label>Token <input name="token" type="password" autocomplete="current-password" autofocus required style="font:inherit;width:100%"></label></p>` +
		`<p><button style="font:inherit">Open</button></p></form><p>It was set where Turnwatch was started, with --token or TURNWATCH_TOKEN.</p></body></html>`
)

// tokenRoute takes the form's token. It is no operation: pages only use it before they are there.
const tokenRoute = "/token"

// checkToken accepts a bearer token, or one that the user typed or has in the URL, which becomes a cookie so that the
// page's requests have it too.
func (s *Server) checkToken(c *fiber.Ctx) error {
	bearer, _ := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer ")
	if s.cfg.Token == "" || s.isToken(bearer) || s.isToken(c.Cookies(tokenCookie)) {
		return c.Next()
	}
	page := wantsPage(c)
	given := c.Query("token")
	if c.Path() == tokenRoute && c.Method() == http.MethodPost {
		given = c.FormValue("token")
	}
	if !s.isToken(given) {
		if page {
			return html(c.Status(http.StatusUnauthorized), ask)
		}
		return newProblem(http.StatusUnauthorized, collector.CodeForbidden,
			"this server asks for its token: open the address that it printed at start, or send Authorization: Bearer", nil)
	}
	c.Cookie(&fiber.Cookie{
		Name: tokenCookie, Value: s.cfg.Token, Path: "/", HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
		Secure: s.names.public != nil && s.names.public.Scheme == "https",
	})
	if page {
		return html(c, welcome)
	}
	return c.Next()
}

func html(c *fiber.Ctx, page string) error {
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderReferrerPolicy, "same-origin") // no-referrer would make a form's Origin null
	return c.SendString(page)
}

// isToken compares digests, so that the time tells neither a token's letters nor its length.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.cfg.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// CheckAddr refuses to listen on an address that others can reach without a token, by itself or through a reverse proxy.
func CheckAddr(cfg Config) error {
	host, _, err := net.SplitHostPort(cfg.Addr)
	if err != nil {
		return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("listen on %q: want host:port", cfg.Addr), Err: err}
	}
	public, err := publicURL(cfg.PublicURL)
	if err != nil {
		return err
	}
	if cfg.Token != "" && len(cfg.Token) < minToken {
		return invalid("--token: want at least %d characters that nobody guesses, such as those of: openssl rand -hex 16", minToken)
	}
	at := cfg.Addr
	if isLoopback(host) {
		if public == nil || isLoopback(public.Hostname()) {
			return nil
		}
		at = cfg.PublicURL
	}
	if cfg.Token != "" {
		return nil
	}
	return &collector.Error{
		Code: collector.CodeForbidden,
		Message: fmt.Sprintf("listen on %s: others on the network could read every session; set a token with --token (or TURNWATCH_TOKEN), "+
			"or listen on 127.0.0.1 and forward the port (ssh -L)", at),
		Details: map[string]string{"addr": at, "setting": "--token"},
	}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
