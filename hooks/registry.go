package hooks

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// Scope says for whom hooks are installed.
type Scope string

// The scopes.
const (
	ScopeRepo Scope = "repo" // one repository
	ScopeUser Scope = "user" // all of the user's sessions
)

// Install is what was put into one file, and all that is needed to take it out again.
type Install struct {
	Agent   collector.Agent `json:"agent"`
	Scope   Scope           `json:"scope"`
	Root    string          `json:"root"`           // the repository, or the agent's home
	Path    string          `json:"path"`           // the file that the agent reads
	Port    int             `json:"port,omitempty"` // to report to, if it is not the one that Turnwatch listens on
	At      int64           `json:"at"`             // unix ms
	Folders []string        `json:"folders,omitempty"`
	Backup  string          `json:"backup,omitempty"` // where a foreign file of our name went
	Before  string          `json:"before,omitempty"` // SHA-256 of the file as we found it; "" = there was none
	After   string          `json:"after"`            // SHA-256 of the file as we left it
	Created bool            `json:"created,omitempty"`
	Spans   []jsontext.Span `json:"spans,omitempty"` // what we inserted, in the file as we left it
	Added   []string        `json:"added,omitempty"` // members that hold hooks and that were not there before
}

// Registry keeps what was installed in hooks.json of the data directory. Several processes may use it: each change is
// made under a lock, and what another process changed is seen at the next look. The zero value is not usable.
type Registry struct {
	path string
	lock *flock.Flock
	turn sync.Mutex // flock lets every goroutine of a process in

	mu   sync.Mutex
	seen fs.FileInfo // of the file that data came from; nil = there was none
	data ledger
	read bool
}

// ledger is the content of the file. An agent's installs share one token: its bridge reads one file.
type ledger struct {
	Version  int                        `json:"version"`
	Tokens   map[collector.Agent]string `json:"tokens"`
	Installs []Install                  `json:"installs"`
}

// OpenRegistry returns the registry of a data directory. It reads nothing yet.
func OpenRegistry(dataDir string) *Registry {
	path := filepath.Join(dataDir, "hooks.json")
	return &Registry{path: path, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
}

// Verify reports whether token is that of agent's hooks. It takes the same time for every wrong token.
func (r *Registry) Verify(agent, token string) bool {
	l, err := r.load()
	if err != nil {
		return false
	}
	want := l.Tokens[collector.Agent(agent)]
	return want != "" && subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1
}

// Installs returns what is installed.
func (r *Registry) Installs() ([]Install, error) {
	l, err := r.load()
	return slices.Clone(l.Installs), err
}

// load returns the file's content, read again only if the file is another one.
func (r *Registry) load() (ledger, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		r.seen, r.data, r.read = nil, ledger{Version: 1}, true
		return r.data, nil
	}
	if err != nil {
		return ledger{}, fmt.Errorf("hooks: %w", err)
	}
	if r.read && r.seen != nil && os.SameFile(r.seen, info) && r.seen.ModTime().Equal(info.ModTime()) && r.seen.Size() == info.Size() {
		return r.data, nil
	}
	raw, err := os.ReadFile(r.path)
	if err != nil {
		return ledger{}, fmt.Errorf("hooks: %w", err)
	}
	l := ledger{}
	if err := json.Unmarshal(raw, &l); err != nil {
		return ledger{}, &collector.Error{Code: collector.CodeConflict, Err: err,
			Message: r.path + " is damaged; move it away and install the hooks again"}
	}
	r.seen, r.data, r.read = info, l, true
	return l, nil
}

// exclusive runs do while no other process and no other goroutine changes hooks.
func (r *Registry) exclusive(do func() error) (err error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("hooks: %w", err)
	}
	if err := r.lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", r.path, err)
	}
	defer func() {
		if uerr := r.lock.Unlock(); err == nil {
			err = uerr
		}
	}()
	return do()
}

// change edits the file's content. It must run inside exclusive.
func (r *Registry) change(edit func(*ledger)) error {
	old, err := r.load()
	if err != nil {
		return err
	}
	l := ledger{Version: 1, Tokens: map[collector.Agent]string{}, Installs: slices.Clone(old.Installs)}
	maps.Copy(l.Tokens, old.Tokens)
	edit(&l)
	raw, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	if before, err := os.ReadFile(r.path); err == nil && bytes.Equal(before, raw) {
		return nil
	}
	return writeAtomic(r.path, raw, 0o600)
}

// find returns the install of agent in the file path.
func (r *Registry) find(agent collector.Agent, path string) (Install, bool, error) {
	l, err := r.load()
	i := slices.IndexFunc(l.Installs, Install{Agent: agent, Path: path}.same)
	if err != nil || i < 0 {
		return Install{}, false, err
	}
	return l.Installs[i], true, nil
}

// put records an install, in the place of an older one of the same file, and sees to the agent's token.
func (r *Registry) put(in Install) error {
	return r.change(func(l *ledger) {
		l.Installs = slices.DeleteFunc(l.Installs, in.same)
		l.Installs = append(l.Installs, in)
		if l.Tokens[in.Agent] == "" {
			l.Tokens[in.Agent] = rand.Text()
		}
	})
}

// drop forgets an install, and the agent's token with its last one.
func (r *Registry) drop(in Install) error {
	return r.change(func(l *ledger) {
		l.Installs = slices.DeleteFunc(l.Installs, in.same)
		if !slices.ContainsFunc(l.Installs, func(o Install) bool { return o.Agent == in.Agent }) {
			delete(l.Tokens, in.Agent)
		}
	})
}

func (i Install) same(o Install) bool { return i.Agent == o.Agent && i.Path == o.Path }
