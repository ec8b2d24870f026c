package api

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
)

const (
	tokenCookie = "turnwatch_token"
	hostSetting = "--allowed-hosts"
)

// contentPolicy lets the page load and talk to nothing but its own server. Styles may stand in attributes: the flow's
// nodes are placed that way.
const contentPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard stands before every route. It answers only to our own names (a page of another site may have its name point
// here), lets no other site's page change anything or open a socket, and asks for the token, if there is one.
func (s *Server) guard(c *fiber.Ctx) error {
	for name, value := range map[string]string{
		"Content-Security-Policy":      contentPolicy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		c.Set(name, value)
	}
	// Not c.Hostname(), which believes X-Forwarded-Host.
	if host := string(c.Context().Host()); !s.ours(host, c.Context().LocalAddr()) {
		return forbidden("host", host)
	}
	upgrade := c.Get(fiber.HeaderUpgrade) != ""
	if upgrade || !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, c.Method()) {
		if err := s.checkOrigin(c); err != nil {
			return err
		}
	}
	return s.checkToken(c)
}

func forbidden(what, value string) error {
	return &collector.Error{
		Code:    collector.CodeForbidden,
		Message: fmt.Sprintf("%s %q is not one that this server answers to; start it with %s %s to allow it", what, value, hostSetting, value),
		Details: map[string]string{what: value, "setting": hostSetting},
	}
}

// checkOrigin refuses requests that another site's page makes. Programs send neither header.
func (s *Server) checkOrigin(c *fiber.Ctx) error {
	if origin := c.Get(fiber.HeaderOrigin); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" {
			return forbidden("origin", origin)
		}
		if !s.ours(u.Host, c.Context().LocalAddr()) {
			return forbidden("origin", u.Host)
		}
	}
	if site := c.Get("Sec-Fetch-Site"); site == "cross-site" {
		return &collector.Error{Code: collector.CodeForbidden, Message: "the browser says that another site's page made this request; open the page of this server instead",
			Details: map[string]string{"site": site}}
	}
	return nil
}

// ours reports whether host ("name" or "name:port") names this server: a loopback name or the address that the client
// reached, with the port that it reached; or what the user allowed.
func (s *Server) ours(host string, local net.Addr) bool {
	host = strings.ToLower(host)
	name, port := splitHost(host)
	if slices.ContainsFunc(s.cfg.AllowedHosts, func(allowed string) bool {
		allowed = strings.ToLower(allowed)
		return allowed == host || allowed == name
	}) {
		return true
	}
	own, ok := local.(*net.TCPAddr)
	if !ok || port != fmt.Sprint(own.Port) && !(port == "" && own.Port == 80) {
		return false
	}
	if name == "localhost" || name == configuredHost(s.cfg.Addr) {
		return true
	}
	// An address, unlike a name, cannot be made to point here by somebody else.
	addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && (addr.IsLoopback() || addr.Unmap() == own.AddrPort().Addr().Unmap())
}

// splitHost splits "name:port", "[::1]:port" or a name without a port; it keeps the brackets.
func splitHost(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	return host[:i], host[i+1:]
}

// configuredHost is the host of the address to listen on. The unspecified ones name nothing.
func configuredHost(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		return "\x00"
	}
	return strings.ToLower(host)
}

// checkToken accepts a bearer token, or one in the URL, which becomes a cookie so that the page's requests have it too.
func (s *Server) checkToken(c *fiber.Ctx) error {
	bearer, _ := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer ")
	if s.cfg.Token == "" || s.isToken(bearer) || s.isToken(c.Cookies(tokenCookie)) {
		return c.Next()
	}
	if !s.isToken(c.Query("token")) {
		return newProblem(http.StatusUnauthorized, collector.CodeForbidden,
			"this server asks for its token: open the address that it printed at start, or send Authorization: Bearer", nil)
	}
	c.Cookie(&fiber.Cookie{Name: tokenCookie, Value: s.cfg.Token, Path: "/", HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode})
	if strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML) {
		return c.Redirect(c.Path(), fiber.StatusSeeOther) // takes the token out of the address bar and the history
	}
	return c.Next()
}

func (s *Server) isToken(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(s.cfg.Token)) == 1
}

// CheckAddr refuses to listen on an address that others can reach without a token.
func CheckAddr(addr, token string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("listen on %q: want host:port", addr), Err: err}
	}
	ip, err := netip.ParseAddr(host)
	if token != "" || host == "localhost" || err == nil && ip.Unmap().IsLoopback() {
		return nil
	}
	return &collector.Error{
		Code: collector.CodeForbidden,
		Message: fmt.Sprintf("listen on %s: others on the network could read every session; set a token with --token (or TURNWATCH_TOKEN), "+
			"or listen on 127.0.0.1 and forward the port (ssh -L)", addr),
		Details: map[string]string{"addr": addr, "setting": "--token"},
	}
}
