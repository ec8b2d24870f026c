package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// Hooks writes hooks into the agents' configuration.
type Hooks interface {
	Status(ctx context.Context, r hooks.Request) (hooks.Report, error)
	Install(ctx context.Context, r hooks.Request) (hooks.Report, error)
	Uninstall(ctx context.Context, r hooks.Request) (hooks.Report, error)
}

type hooksStatusInput struct {
	Cwd string `query:"cwd" doc:"a folder in a repository; empty = the hooks for all of the user's sessions"`
}

// InstallHooksRequest says what to install.
type InstallHooksRequest struct {
	Cwd    string          `json:"cwd,omitempty" doc:"a folder in a repository; empty = for all of the user's sessions"`
	Agent  collector.Agent `json:"agent,omitempty" doc:"empty = all that have hooks"`
	Port   int             `json:"port,omitempty" minimum:"0" maximum:"65535" doc:"for the hooks to report to; 0 = this server's"`
	Force  bool            `json:"force,omitempty" doc:"move a foreign file of our name out of the way"`
	DryRun bool            `json:"dryRun,omitempty" doc:"change nothing, only answer with the diff"`
}

type installHooksInput struct{ Body *InstallHooksRequest }

// UninstallHooksRequest says what to uninstall.
type UninstallHooksRequest struct {
	Cwd    string          `json:"cwd,omitempty" doc:"a folder in a repository; empty = for all of the user's sessions"`
	Agent  collector.Agent `json:"agent,omitempty" doc:"empty = all that have hooks"`
	DryRun bool            `json:"dryRun,omitempty" doc:"change nothing, only answer with the diff"`
}

type uninstallHooksInput struct{ Body *UninstallHooksRequest }

// HooksReport says how hooks stand, or what was done.
type HooksReport struct{ hooks.Report }

type hooksOutput struct{ Body HooksReport }

// outbound masks the diffs: around our hooks stand settings of others, among which people keep keys.
func (r HooksReport) outbound() any {
	r.Agents, r.Places = list(r.Agents), list(r.Places)
	mask(&r.Root, &r.Reason)
	for i := range r.Places {
		mask(&r.Places[i].Root)
	}
	for i := range r.Agents {
		a := &r.Agents[i]
		a.Notes = list(a.Notes)
		mask(&a.Diff, &a.Problem, &a.Path, &a.Backup)
		for j := range a.Notes {
			mask(&a.Notes[j])
		}
	}
	return r
}

func (s *Server) hooksOperations() {
	operation(s, http.MethodGet, "/api/hooks/status", "getHooks", "How the hooks stand in a repository, or for all sessions",
		func(ctx context.Context, in *hooksStatusInput) (*hooksOutput, error) {
			r, err := s.deps.Hooks.Status(ctx, hooks.Request{Cwd: in.Cwd})
			// That a session's folder has gone is no fault of whoever asks how its hooks stand.
			if folder, ok := hooks.FolderOf(err); ok {
				r, err = hooks.Report{Scope: hooks.ScopeRepo, Folder: folder, Reason: problemOf(err).Detail}, nil
			}
			return &hooksOutput{HooksReport{r}}, err
		})
	operation(s, http.MethodPost, "/api/hooks/install", "installHooks", "Put hooks into the agents' configuration",
		func(ctx context.Context, in *installHooksInput) (*hooksOutput, error) {
			r, err := s.deps.Hooks.Install(ctx, hooks.Request(orZero(in.Body)))
			return &hooksOutput{HooksReport{r}}, err
		})
	operation(s, http.MethodPost, "/api/hooks/uninstall", "uninstallHooks", "Take the hooks out again",
		func(ctx context.Context, in *uninstallHooksInput) (*hooksOutput, error) {
			b := orZero(in.Body)
			r, err := s.deps.Hooks.Uninstall(ctx, hooks.Request{Cwd: b.Cwd, Agent: b.Agent, DryRun: b.DryRun})
			return &hooksOutput{HooksReport{r}}, err
		})
}
