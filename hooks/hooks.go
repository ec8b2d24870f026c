package hooks

import (
	"context"
	"errors"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Config says where things are.
type Config struct {
	DataDir string
	Home    string
	Getenv  func(string) string
	URL     func() string // where Turnwatch listens; "" = it does not run
	Now     func() time.Time
	Frozen  string // why nothing may be changed; "" = it may
}

// Hooks installs hooks. It is safe for concurrent use, also by several processes.
type Hooks struct {
	cfg      Config
	registry *Registry
}

// New returns a Hooks. It touches nothing yet.
func New(cfg Config) *Hooks {
	return &Hooks{cfg: cfg, registry: OpenRegistry(cfg.DataDir)}
}

// Registry returns what is installed.
func (h *Hooks) Registry() *Registry { return h.registry }

// Request says what to look at, install or uninstall, and where.
type Request struct {
	Cwd    string          // a folder in a repository; "" = for all of the user's sessions
	Agent  collector.Agent // "" = all
	Port   int             // for hooks to report to; 0 = that on which Turnwatch listens
	Force  bool            // move a foreign file of our name out of the way
	DryRun bool            // change nothing, only say what would be changed
}

// Status says how the hooks stand that a request is about; Cwd and Agent matter.
func (h *Hooks) Status(ctx context.Context, r Request) (Report, error) {
	r.DryRun = true
	return h.each(ctx, r, func(a agent, p place) (AgentReport, error) {
		return h.status(a, p), nil
	})
}

// Install puts hooks in place. Where they already are, it changes nothing.
func (h *Hooks) Install(ctx context.Context, r Request) (Report, error) {
	if r.Port < 0 || r.Port > 65535 {
		return Report{}, invalid("%d is no port", r.Port)
	}
	return h.each(ctx, r, func(a agent, p place) (AgentReport, error) {
		if r.Cwd == "" && r.Agent == "" && !a.present(h.cfg) {
			ar := h.status(a, p)
			ar.Notes = append(ar.Notes, "It is not on this machine: there is no "+a.home(h.cfg)+". Name the agent to install its hooks all the same.")
			return ar, nil
		}
		return h.install(a, p, r)
	})
}

// Uninstall takes hooks out again. What others did to the files meanwhile stays.
func (h *Hooks) Uninstall(ctx context.Context, r Request) (Report, error) {
	return h.each(ctx, r, func(a agent, p place) (AgentReport, error) { return h.uninstall(a, p, r) })
}

// each does something for every agent asked for. What cannot be done for one stands in its report; if nothing could be
// done at all, that is the error.
func (h *Hooks) each(ctx context.Context, r Request, do func(agent, place) (AgentReport, error)) (Report, error) {
	picked, err := pick(r.Agent)
	if err != nil {
		return Report{}, err
	}
	report := Report{Scope: ScopeUser, Agents: []AgentReport{}}
	if r.Cwd != "" {
		report.Scope, report.Folder = ScopeRepo, FolderRepository
		if report.Root, err = repository(r.Cwd); err != nil {
			return Report{}, err
		}
	}
	if h.cfg.Frozen != "" && !r.DryRun {
		return Report{}, conflict("%s", h.cfg.Frozen)
	}
	var problems []error
	all := func() error {
		for _, a := range picked {
			if err := ctx.Err(); err != nil {
				return err
			}
			ar, err := h.one(a, report.Root, do)
			if err != nil {
				problems = append(problems, err)
				ar.Problem = err.Error()
			}
			report.Agents = append(report.Agents, ar)
		}
		return nil
	}
	if r.DryRun {
		err = all()
	} else {
		err = h.registry.exclusive(all)
	}
	if err == nil && len(problems) == len(picked) {
		err = joined(problems)
	}
	if err != nil {
		return report, err
	}
	report.Places, err = h.places()
	return report, err
}

func (h *Hooks) places() ([]Place, error) {
	installs, err := h.registry.Installs()
	places := make([]Place, 0, len(installs))
	for _, in := range installs {
		places = append(places, Place{in.Agent, in.Scope, in.Root, in.At})
	}
	return places, err
}

// joined is one error of which each part can be acted on.
func joined(problems []error) error {
	var first *collector.Error
	if len(problems) == 1 || !errors.As(problems[0], &first) {
		return problems[0]
	}
	e := &collector.Error{Code: first.Code, Message: problems[0].Error()}
	for _, p := range problems[1:] {
		e.Message += "\n" + p.Error()
	}
	return e
}

// one fills in what is the same whatever is done.
func (h *Hooks) one(a agent, root string, do func(agent, place) (AgentReport, error)) (AgentReport, error) {
	p, err := a.place(h.cfg, root)
	ar := AgentReport{State: StateBroken}
	if err == nil {
		ar, err = do(a, p)
	}
	if err != nil {
		ar = AgentReport{State: StateBroken}
		if now := h.status(a, p); p.real != "" {
			ar = now
		}
	}
	ar.Agent, ar.Path, ar.Present, ar.Notes = a.name, p.path, a.present(h.cfg), append([]string{}, ar.Notes...)
	return ar, err
}
