package api

import (
	"context"
	"net/http"
	"os"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Health says how the collector stands.
type Health struct {
	OK      bool   `json:"ok" doc:"false while the store cannot be written or read"`
	Version string `json:"version"`
	Pid     int    `json:"pid"`
	DataDir string `json:"dataDir" doc:"where the database is"`
	Ready   bool   `json:"ready" doc:"the history that was present at start is in"`
	collector.Focus
	Revision     int64     `json:"revision" doc:"of the store's latest commit"`
	LiveSessions int       `json:"liveSessions"`
	Store        StoreSize `json:"store"`
	collector.Ingest
}

// StoreSize is how large the store is.
type StoreSize struct {
	Bytes int64 `json:"bytes"`
}

type healthOutput struct{ Body Health }

// FlagDoc explains a kind of flag.
type FlagDoc struct {
	Kind collector.FlagKind `json:"kind"`
	Doc  string             `json:"doc"`
}

// FlagList explains all kinds of flags.
type FlagList struct {
	Flags []FlagDoc `json:"flags"`
}

type flagsOutput struct{ Body FlagList }

func (s *Server) healthOperations() {
	operation(s, http.MethodGet, "/api/health", "getHealth", "How the collector stands",
		func(ctx context.Context, _ *struct{}) (*healthOutput, error) {
			h, err := s.health(ctx)
			return &healthOutput{h}, err
		})
	operation(s, http.MethodGet, "/api/flags", "listFlags", "What each kind of flag means",
		func(context.Context, *struct{}) (*flagsOutput, error) {
			docs := make([]FlagDoc, 0, len(s.deps.Flags))
			for _, a := range s.deps.Flags {
				docs = append(docs, FlagDoc{a.Flag, a.Doc})
			}
			return &flagsOutput{FlagList{docs}}, nil
		})
}

func (s *Server) health(ctx context.Context) (Health, error) {
	h := Health{Version: s.deps.Version, Pid: os.Getpid(), DataDir: s.deps.DataDir, Focus: s.deps.Focus.State(), Ingest: s.deps.Ingest.Ingest()}
	h.Ready = h.Progress.Ready
	h.OK = !slices.ContainsFunc(h.Warnings, func(w collector.Warning) bool { return w.Code == collector.WarningStore })
	if s.deps.Running != nil {
		h.Unknown = append(h.Unknown, s.deps.Running.Unknown()...)
	}
	var err error
	if h.Revision, err = s.deps.Store.Revision(ctx); err != nil {
		return h, err
	}
	if h.Store.Bytes, err = s.deps.Store.Size(ctx); err != nil {
		return h, err
	}
	live, err := s.deps.Store.LiveSessions(ctx)
	h.LiveSessions = len(live)
	return h, err
}
