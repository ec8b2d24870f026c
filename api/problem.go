package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/redact"
)

const problemType = "application/problem+json"

var problemSchema = reflect.TypeFor[Problem]()

// Problem is the body of every answer that is not a success (RFC 9457).
type Problem struct {
	Title   string         `json:"title" doc:"What kind of problem it is"`
	Status  int            `json:"status"`
	Detail  string         `json:"detail" doc:"What went wrong, and the way out"`
	Code    collector.Code `json:"code"`
	Details any            `json:"details,omitempty" doc:"For programs: the candidates of a conflict, the fields that are invalid"`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus tells huma the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType tells huma the media type.
func (p *Problem) ContentType(string) string { return problemType }

var statuses = map[collector.Code]int{
	collector.CodeInternal:    http.StatusInternalServerError,
	collector.CodeInvalid:     http.StatusBadRequest,
	collector.CodeNotFound:    http.StatusNotFound,
	collector.CodeConflict:    http.StatusConflict,
	collector.CodeForbidden:   http.StatusForbidden,
	collector.CodeUnavailable: http.StatusServiceUnavailable,
}

func newProblem(status int, code collector.Code, detail string, details any) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: redact.Text(detail), Code: code, Details: details}
}

// problemOf turns an error into what the client may know of it: the text of an error without a code stays inside.
func problemOf(err error) *Problem {
	var p *Problem
	var e *collector.Error
	var f *fiber.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &e):
		return newProblem(statuses[e.Code], e.Code, e.Message, e.Details)
	case errors.Is(err, context.DeadlineExceeded):
		return newProblem(http.StatusServiceUnavailable, collector.CodeUnavailable, "this took too long and was given up: ask for less, or try again", nil)
	case errors.Is(err, context.Canceled):
		return newProblem(http.StatusServiceUnavailable, collector.CodeUnavailable, "the server is stopping", nil)
	case errors.As(err, &f):
		return newProblem(f.Code, codeOfStatus(f.Code), f.Message, nil)
	}
	return newProblem(http.StatusInternalServerError, collector.CodeInternal, "something went wrong inside; the log says what", nil)
}

func invalid(format string, args ...any) error {
	return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

func codeOfStatus(status int) collector.Code {
	switch {
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return collector.CodeNotFound
	case status >= 500:
		return collector.CodeInternal
	}
	return collector.CodeInvalid
}

// fromHuma turns huma's own errors, which are about the request's parameters and body, into a Problem.
func fromHuma(m *huma.ErrorModel) *Problem {
	details := make([]string, 0, len(m.Errors))
	for _, e := range m.Errors {
		details = append(details, strings.TrimSpace(e.Location+" "+e.Message))
	}
	detail := m.Detail
	if len(details) > 0 {
		detail += ": " + strings.Join(details, "; ")
	}
	return newProblem(m.Status, codeOfStatus(m.Status), detail, details)
}

// problem is problemOf; what is nobody's fault outside is told inside.
func (s *Server) problem(err error, about ...any) *Problem {
	p := problemOf(err)
	if p.Code == collector.CodeInternal {
		s.deps.Logger.Error("request failed", append(about, "err", err)...)
		s.deps.Failed(err)
	}
	return p
}

// fail writes the answer to an error that no operation handled.
func (s *Server) fail(c *fiber.Ctx, err error) error {
	p := s.problem(err, "method", c.Method(), "route", c.Route().Path)
	secure(c) // errors of the protocol come before the guard
	c.Status(p.Status)
	return c.JSON(p, problemType)
}
