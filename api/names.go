package api

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// names knows what this server is called.
type names struct {
	listens string   // the host of the address to listen on
	public  *url.URL // where a reverse proxy shows the page; nil = nowhere
	also    []string // host:port, for development
}

func newNames(cfg Config) names {
	public, _ := publicURL(cfg.PublicURL) // CheckAddr has refused what is none
	return names{listens: configuredHost(cfg.Addr), public: public, also: cfg.AllowedHosts}
}

// host reports whether a Host header ("name" or "name:port") names this server: a loopback name or the address that the
// client reached, with the port that it reached; or the public address.
func (n names) host(host string, local net.Addr) bool {
	host = strings.ToLower(host)
	if slices.Contains(n.also, host) || n.public != nil && withPort(host, n.public.Scheme) == withPort(n.public.Host, n.public.Scheme) {
		return true
	}
	name, port := splitHost(host)
	own, ok := local.(*net.TCPAddr)
	if !ok || port != fmt.Sprint(own.Port) && !(port == "" && own.Port == 80) {
		return false
	}
	if name == "localhost" || name == n.listens {
		return true
	}
	// An address, unlike a name, cannot be made to point here by somebody else.
	addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && addr.Zone() == "" && (addr.IsLoopback() || addr.Unmap() == own.AddrPort().Addr().Unmap())
}

// origin reports whether an Origin header is that of this server's own page.
func (n names) origin(origin string, local net.Addr) bool {
	u, err := url.Parse(strings.ToLower(origin))
	if err != nil || u.Host == "" {
		return false
	}
	if n.public != nil && u.Scheme == n.public.Scheme && withPort(u.Host, u.Scheme) == withPort(n.public.Host, n.public.Scheme) {
		return true
	}
	// What is not behind the proxy is plain HTTP: this server speaks nothing else.
	own := names{listens: n.listens, also: n.also}
	return u.Scheme == "http" && own.host(u.Host, local)
}

// splitHost splits "name:port", "[::1]:port" or a name without a port; it keeps the brackets.
func splitHost(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	return host[:i], host[i+1:]
}

func withPort(host, scheme string) string {
	name, port := splitHost(host)
	switch {
	case port != "":
	case scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return name + ":" + port
}

// configuredHost is the host of the address to listen on. The unspecified ones name nothing.
func configuredHost(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		return "\x00"
	}
	return strings.ToLower(host)
}

// publicURL reads the address of a reverse proxy: a scheme and a host, nothing behind them.
func publicURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(strings.ToLower(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, invalid("%s %q: want an address without a path, such as https://turnwatch.example.org", hostSetting, text)
	}
	return u, nil
}
