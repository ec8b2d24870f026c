package api

import (
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
	"github.com/turnwatch/turnwatch/hooks"
)

const schemaPrefix = "#/components/schemas/"

// word stands for a type of the vocabulary whose values are a fixed list, which Go's types don't hold.
type word[T any] struct{}

// Schema refers to the schema that enumerate wrote.
func (word[T]) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: schemaPrefix + schemaName(reflect.TypeFor[T](), "")}
}

func enumerate[T any](r huma.Registry, values ...any) {
	t := reflect.TypeFor[T]()
	s := &huma.Schema{Type: huma.TypeString, Enum: values}
	s.PrecomputeMessages()
	r.Map()[schemaName(t, "")] = s
	r.RegisterTypeAlias(t, reflect.TypeFor[word[T]]())
}

// vocabulary returns huma's registry with the vocabulary's names, and its enumerations as schemas of their own.
func vocabulary() huma.Registry {
	r := huma.NewMapRegistry(schemaPrefix, schemaName)
	enumerate[collector.SessionState](r, "busy", "idle", "waiting", "ended", "crashed")
	enumerate[collector.TurnStatus](r, "open", "ok", "failed", "interrupted", "abandoned")
	enumerate[collector.PromptOrigin](r, "human", "agent", "auto")
	enumerate[collector.CallStatus](r, "pending", "ok", "failed", "denied", "interrupted", "lost")
	enumerate[collector.Category](r, "file", "shell", "search", "web", "agent", "vcs", "ide", "other")
	enumerate[collector.MarkerKind](r, "hook", "compaction", "plan_change", "model_change", "permission_wait", "skill", "abort", "error", "notice")
	enumerate[collector.MarkerStatus](r, "pending", "ok", "failed")
	enumerate[collector.FlagKind](r, "fail", "retry", "loop", "fanout", "compaction-loss", "thrash")
	enumerate[collector.TargetKind](r, "turn", "roundTrip", "call", "marker")
	enumerate[collector.Quality](r, "unknown", "partial", "exact")
	enumerate[collector.MessageRole](r, "user", "assistant")
	enumerate[collector.OnMultiple](r, "wait", "newest")
	enumerate[collector.AutoAttachState](r, "off", "waiting", "attached")
	enumerate[collector.SessionSort](r, "last", "start", "turns", "calls", "failed", "tokens")
	enumerate[collector.Code](r, "internal", "invalid", "not_found", "conflict", "forbidden", "unavailable")
	enumerate[collector.MessageType](r, "hello", "session.updated", "session.context", "session.labels", "turn.started",
		"turn.tool_call", "turn.updated", "turn.completed", "log.raw", "attached", "detached", "auto_attach.waiting", "auto_attach.state",
		"progress", "hook.received", "running_tools.updated", "resync")
	enumerate[flow.Kind](r, "prompt", "assistant", "tool", "hook", "compaction", "plan_change", "model_change", "abort", "error")
	enumerate[flow.Status](r, "pending", "ok", "fail")
	enumerate[flow.EdgeKind](r, "next", "requested_by", "parallel")
	enumerate[collector.MessageKind](r, "prompt", "steer", "command", "notification", "task", "skill", "result", "response", "unknown")
	enumerate[collector.PartType](r, "text", "thinking", "tool_use", "tool_result")
	enumerate[collector.ViewStatus](r, "ok", "none", "cleared", "too-large")
	enumerate[collector.ViewRowKind](r, "user", "assistant", "tool", "unknown")
	enumerate[hooks.Scope](r, "repo", "user")
	enumerate[hooks.State](r, "none", "installed", "modified", "unlinked", "foreign", "broken")
	enumerate[hooks.Folder](r, "repository", "gone", "outside")
	enumerate[hooks.Trust](r, "trusted", "pending", "modified")
	enumerate[RevealedText](r, "prompt", "reply", "response", "thinking", "arguments", "result", "error", "record")
	return r
}

func schemaName(t reflect.Type, hint string) string {
	switch t {
	case reflect.TypeFor[collector.Count](), reflect.TypeFor[*collector.Count]():
		return "Count"
	case reflect.TypeFor[collector.Amount](), reflect.TypeFor[*collector.Amount]():
		return "Amount"
	}
	name := huma.DefaultSchemaNamer(t, hint)
	if strings.HasSuffix(t.PkgPath(), "/collector/flow") && !strings.HasPrefix(name, "Ribbon") {
		name = "Flow" + name
	}
	if strings.HasSuffix(t.PkgPath(), "/hooks") {
		name = "Hook" + name
	}
	return name
}

// humaConfig serves no page of documentation: huma's loads scripts from elsewhere, and nothing here leaves the machine.
func humaConfig(version string) huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI:    "3.1.0",
			Info:       &huma.Info{Title: "Turnwatch", Version: version, Description: "What coding agents did, turn by turn."},
			Components: &huma.Components{Schemas: vocabulary()},
		},
		Formats:       map[string]huma.Format{"application/json": jsonFormat(), "json": jsonFormat()},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{outbound},
	}
}

// jsonFormat is huma's, but what knows how to write itself does.
func jsonFormat() huma.Format {
	f := huma.DefaultJSONFormat
	marshal := f.Marshal
	f.Marshal = func(w io.Writer, v any) error {
		own, ok := v.(interface{ WriteJSON(w io.Writer) error })
		if !ok {
			return marshal(w, v)
		}
		return own.WriteJSON(w)
	}
	return f
}

// complete adds the socket's messages to the document and takes huma's own errors from it. It must come before the first
// request: validation reads the same schemas.
func (s *Server) complete() {
	schemas := s.huma.OpenAPI().Components.Schemas
	for _, t := range []reflect.Type{reflect.TypeFor[collector.Message](), reflect.TypeFor[Hello](), reflect.TypeFor[Subscribe](), reflect.TypeFor[collector.HookReceived]()} {
		schemas.Schema(t, true, "")
	}
	schemas.Map()["Message"].Properties["data"] = &huma.Schema{
		Description: "hello: Hello; attached, detached and auto_attach.*: Focus; hook.received: HookReceived; running_tools.updated: RunningTools",
		AnyOf: []*huma.Schema{
			{Ref: schemaPrefix + "Hello"}, {Ref: schemaPrefix + "Focus"}, {Ref: schemaPrefix + "HookReceived"}, {Ref: schemaPrefix + "RunningTools"},
		},
	}
	delete(schemas.Map(), "ErrorModel") // huma's own; every answer uses Problem
	delete(schemas.Map(), "ErrorDetail")
	for _, name := range slices.Sorted(maps.Keys(schemas.Map())) {
		notNull(schemas.Map()[name])
	}
}

// document writes the OpenAPI document.
func (s *Server) document() ([]byte, error) {
	return json.MarshalIndent(s.huma.OpenAPI(), "", "  ")
}

func (s *Server) serveSpec(c *fiber.Ctx) error {
	doc, err := s.spec()
	if err != nil {
		return err
	}
	c.Type("json")
	return c.Send(doc)
}

// Spec returns the OpenAPI document.
func (s *Server) Spec() ([]byte, error) { return s.spec() }

// notNull takes null from lists and maps: outbound writes empty ones.
func notNull(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray || s.Type == huma.TypeObject {
		s.Nullable = false
	}
	notNull(s.Items)
	for _, p := range s.Properties {
		notNull(p)
	}
}
