package hooks

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// contact is how the bridge of an agent reaches the running Turnwatch.
type contact struct {
	url   string // the event's name is appended
	token string
}

// contactFolder is the same on every system and whatever the environment says: agents and Turnwatch may be started with
// different ones.
func contactFolder(home string) string {
	return filepath.Join(home, ".local", "share", "turnwatch", "hook")
}

// text is a configuration for curl; the comment of its first line is for the bridge. curl's own waiting time is half of
// what we allow, since it begins to count late; proxies are not asked for this machine.
func (c contact) text() string {
	return "# " + c.url + `
header = "X-Turnwatch-Token: ` + c.token + `"
header = "Content-Type: application/json"
header = "Expect:"
data-binary = "@-"
max-time = 1
noproxy = "*"
silent
`
}

func (c contact) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("hooks: %w", err)
	}
	return writeAtomic(path, []byte(c.text()), 0o600)
}

// readContact reads what write wrote. Without a file it returns an error that is fs.ErrNotExist.
func readContact(path string) (contact, error) {
	f, err := os.Open(path)
	if err != nil {
		return contact{}, err
	}
	defer func() { _ = f.Close() }()
	var c contact
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "# "); ok && c.url == "" {
			c.url = url
		}
		if token, ok := strings.CutPrefix(lines.Text(), `header = "X-Turnwatch-Token: `); ok {
			c.token = strings.TrimSuffix(token, `"`)
		}
	}
	if err := lines.Err(); err != nil {
		return contact{}, err
	}
	if c.url == "" || c.token == "" {
		return contact{}, fmt.Errorf("%s is damaged", path)
	}
	return c, nil
}

// withdraw removes the contact file, unless another Turnwatch wrote it.
func withdraw(path, token string) error {
	c, err := readContact(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && c.token != token {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("hooks: %w", err)
	}
	return nil
}

// Announce lets the installed hooks report to url, as long as Turnwatch runs there.
func (h *Hooks) Announce(url string) error {
	if l, err := h.registry.load(); err != nil || len(l.Tokens) == 0 {
		return err
	}
	return h.registry.exclusive(func() error { return h.contacts(url) })
}

// contacts writes the contact files of all agents with hooks. It must run inside exclusive.
func (h *Hooks) contacts(url string) error {
	l, err := h.registry.load()
	if err != nil || url == "" {
		return err
	}
	for _, agent := range slices.Sorted(maps.Keys(l.Tokens)) {
		to := url
		for _, in := range l.Installs {
			if in.Agent == agent && in.Port != 0 {
				to = fmt.Sprintf("http://127.0.0.1:%d", in.Port)
			}
		}
		c := contact{url: to + "/hook/" + string(agent), token: l.Tokens[agent]}
		if old, err := readContact(h.contactPath(agent)); err == nil && old == c {
			continue
		}
		if err := c.write(h.contactPath(agent)); err != nil {
			return err
		}
	}
	return nil
}

// Withdraw makes the installed hooks end at once, until Announce. A port that nobody listens on any more could become
// another user's, who would be told what the agents do.
func (h *Hooks) Withdraw() error {
	l, err := h.registry.load()
	if err != nil {
		return err
	}
	var errs []error
	for agent, token := range l.Tokens {
		errs = append(errs, withdraw(h.contactPath(agent), token))
	}
	return errors.Join(errs...)
}

func (h *Hooks) contactPath(agent collector.Agent) string {
	return filepath.Join(contactFolder(h.cfg.Home), string(agent))
}

// disconnected says why the hooks of an agent do not report to this Turnwatch; "" = they do.
func (h *Hooks) disconnected(agent collector.Agent) string {
	l, err := h.registry.load()
	if err != nil {
		return err.Error()
	}
	c, err := readContact(h.contactPath(agent))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "No Turnwatch takes the hooks now, so they end at once. They report as soon as one runs."
	case err != nil:
		return err.Error()
	case c.token != l.Tokens[agent]:
		return "The hooks report to another Turnwatch, at " + c.url + ". Restart this one to have them."
	}
	return ""
}
