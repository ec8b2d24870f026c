package api

import (
	"net/http"
)

// InProcess is the host that a request of this program itself names. A server answers to it if its Config allows it.
const InProcess = "in-process"

// RoundTrip answers a request of this program itself, without a socket, so that what the command line shows is what the
// page shows, masked alike. It makes the server the Transport of an http.Client.
func (s *Server) RoundTrip(req *http.Request) (*http.Response, error) {
	type answer struct {
		resp *http.Response
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		resp, err := s.app.Test(req, -1) //nolint:bodyclose // whoever asked closes it
		answered <- answer{resp, err}
	}()
	select {
	case a := <-answered:
		return a.resp, a.err
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}
