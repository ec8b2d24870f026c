package api

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/turnwatch/turnwatch/collector"
)

// Limits bounds what one remote address may take. Zero fields take the defaults, which leave room for a proxy behind which
// 200 people sit.
type Limits struct {
	Sockets Rate // WebSockets opened; 20 a second, 400 at once
	Writes  Rate // requests that change something; 20 a second, 200 at once
	Hooks   Rate // events of agents' hooks; 200 a second, 2,000 at once

	Conns      int           // open connections; 1,024
	HeaderTime time.Duration // until a request's header is there; 15 s
	BodyTime   time.Duration // until its body is; 30 s
	WriteTime  time.Duration // until the client has taken an answer; 2 min
}

// Rate is how often something may be done.
type Rate struct {
	PerSecond float64
	Burst     int
}

const (
	maxConns   = 4096 // of all remotes
	hookPrefix = "/hook/"
)

func (l Limits) orDefaults() Limits {
	l.Sockets = cmp.Or(l.Sockets, Rate{20, 400})
	l.Writes = cmp.Or(l.Writes, Rate{20, 200})
	l.Hooks = cmp.Or(l.Hooks, Rate{200, 2000})
	l.Conns = cmp.Or(l.Conns, 1024)
	l.HeaderTime = cmp.Or(l.HeaderTime, 15*time.Second)
	l.BodyTime = cmp.Or(l.BodyTime, 30*time.Second)
	l.WriteTime = cmp.Or(l.WriteTime, 2*time.Minute)
	return l
}

// restrain sets what Fiber has no setting for: a client that trickles its header or body, or does not take its answer,
// holds a connection for so long and no longer.
func restrain(server *fasthttp.Server, l Limits) {
	server.MaxConnsPerIP = l.Conns
	server.HeaderReceived = func(*fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{ReadTimeout: l.BodyTime}
	}
}

// limit refuses what a remote does too often.
func (s *Server) limit(c *fiber.Ctx) error {
	b := s.writes
	switch {
	case c.Get(fiber.HeaderUpgrade) != "":
		b = s.sockets
	case reads(c):
		return nil
	case strings.HasPrefix(c.Path(), hookPrefix):
		b = s.hooks
	}
	wait := b.take(remoteOf(c.Context().RemoteAddr()))
	if wait == 0 {
		return nil
	}
	c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
	return newProblem(http.StatusTooManyRequests, collector.CodeUnavailable, "too many requests from this address: wait "+wait.Round(time.Millisecond).String(), nil)
}

// remoteOf is whom a limit counts: an address, or a network of IPv6, of which one machine has as many addresses as it likes.
func remoteOf(addr net.Addr) netip.Addr {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	if ip.Is6() && !ip.IsLoopback() {
		if p, err := ip.Prefix(64); err == nil {
			ip = p.Addr()
		}
	}
	return ip
}

// buckets hold what each remote may still do: each fills at a rate and is emptied by what is done.
type buckets struct {
	rate Rate
	now  func() time.Time

	mu   sync.Mutex
	fill map[netip.Addr]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// maxRemotes bounds the memory that remotes take. More than that at once are forgotten: a flood from so many addresses is
// not for this limit to stop.
const maxRemotes = 10_000

func newBuckets(rate Rate, now func() time.Time) *buckets {
	return &buckets{rate: rate, now: now, fill: map[netip.Addr]bucket{}}
}

// take takes one from the bucket of a remote and returns 0, or how long it is until there is one.
func (b *buckets) take(remote netip.Addr) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	k, known := b.fill[remote]
	if !known {
		if len(b.fill) >= maxRemotes {
			clear(b.fill)
		}
		k = bucket{float64(b.rate.Burst), now}
	}
	k.left = min(float64(b.rate.Burst), k.left+b.rate.PerSecond*max(0, now.Sub(k.at).Seconds()))
	k.at = now
	defer func() { b.fill[remote] = k }()
	if k.left < 1 {
		return time.Duration((1 - k.left) / b.rate.PerSecond * float64(time.Second))
	}
	k.left--
	return 0
}
