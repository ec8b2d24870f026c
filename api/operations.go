package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
)

// operations registers all operations.
func (s *Server) operations() {
	s.huma = humafiber.New(s.app, humaConfig(s.deps.Version))
	s.healthOperations()
	s.sessionOperations()
	s.turnOperations()
	s.textOperations()
	s.revealOperations()
	s.flowOperations()
	s.transcriptOperations()
	s.viewOperations()
	s.analysisOperations()
	s.compareOperations()
	s.insightOperations()
	s.labelOperations()
	s.attachOperations()
	s.hooksOperations()
	s.runningOperations()
}

// operation registers a handler under huma: errors become problems, and the reads get their own deadline, since
// fasthttp never tells that a client went away.
func operation[I, O any](s *Server, method, path, id, summary string, handle func(context.Context, *I) (*O, error), with ...func(*huma.Operation)) {
	o := huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, MaxBodyBytes: 1 << 20,
		Responses: map[string]*huma.Response{"default": problemResponse(s.huma)},
	}
	for _, set := range with {
		set(&o)
	}
	huma.Register(s.huma, o, func(_ context.Context, in *I) (*O, error) {
		ctx, cancel := context.WithTimeout(s.ctx, s.cfg.QueryTimeout)
		defer cancel()
		out, err := handle(ctx, in)
		if err != nil {
			return nil, s.problem(err, "operation", id)
		}
		return out, nil
	})
}

func problemResponse(api huma.API) *huma.Response {
	schema := api.OpenAPI().Components.Schemas.Schema(problemSchema, true, "")
	return &huma.Response{Description: "A problem", Content: map[string]*huma.MediaType{problemType: {Schema: schema}}}
}

// orZero returns a request's body, which may be left out.
func orZero[T any](body *T) (b T) {
	if body != nil {
		b = *body
	}
	return b
}
