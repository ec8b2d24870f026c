package api

import (
	"net"
	"net/netip"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// App lets tests walk the routes.
func (s *Server) App() *fiber.App { return s.app }

// NamesHost and NamesOrigin say what a server on a loopback port takes for its own.
func NamesHost(public string, port int, host string) bool {
	return newNames(Config{PublicURL: public}).host(host, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}

func NamesOrigin(public string, port int, origin string) bool {
	return newNames(Config{PublicURL: public}).origin(origin, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}

// Take is a remote's attempts at something with a rate: it returns how long each has to wait.
func Take(rate Rate) func(remote string) time.Duration {
	b := newBuckets(rate, time.Now)
	return func(remote string) time.Duration {
		return b.take(remoteOf(net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(remote), 1))))
	}
}

// Outbound is what every answer passes.
func Outbound(v any) (any, error) { return outbound(nil, "", v) }

// AnswerTypes returns the types of all operations' answers, by operation.
func AnswerTypes(s *Server) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, item := range s.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete, item.Put} {
			if op == nil || op.Responses["200"] == nil || op.Responses["200"].Content["application/json"] == nil {
				continue
			}
			types[op.OperationID] = s.huma.OpenAPI().Components.Schemas.TypeFromRef(op.Responses["200"].Content["application/json"].Schema.Ref)
		}
	}
	return types
}
