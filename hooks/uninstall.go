package hooks

import (
	"os"
	"slices"

	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

func (h *Hooks) uninstall(a agent, p place, r Request) (AgentReport, error) {
	return h.change(a, p, r.DryRun, func() (plan, error) { return h.planUninstall(a, p) }, h.undo)
}

// planUninstall works out what the file becomes: the bytes that we found, or, if somebody edited it since, the present
// ones without ours. A backup counts as what the file becomes.
func (h *Hooks) planUninstall(a agent, p place) (plan, error) {
	pl := plan{place: p}
	var err error
	if pl.record, pl.known, err = h.registry.find(a.name, p.real); err != nil {
		return pl, err
	}
	if !pl.known {
		pl.record = Install{Agent: a.name, Path: p.real, Added: []string{"hooks"}}
	}
	if pl.before, err = p.read(); err != nil {
		return pl, err
	}
	pl.after = pl.before
	if pl.before.exists {
		if pl.after, err = pl.without(a); err != nil {
			return pl, err
		}
	}
	if backup := pl.record.Backup; !pl.after.exists && backup != "" {
		if pl.after, err = (place{path: backup, real: backup}).read(); err != nil {
			return pl, err
		}
	}
	if pl.changes() {
		err = p.writable(pl.before)
	}
	return pl, err
}

// without returns the file without our hooks.
func (pl plan) without(a agent) (content, error) {
	gone := content{mode: pl.before.mode}
	untouched := hash(pl.before.data) == pl.record.After
	if untouched && pl.record.Created {
		return gone, nil
	}
	if untouched && len(pl.record.Spans) > 0 {
		if text := jsontext.Without(pl.before.data, pl.record.Spans); hash(text) == pl.record.Before {
			return content{exists: true, data: text, mode: pl.before.mode}, nil
		}
	}
	d, err := a.parse(pl.before.data)
	if err != nil {
		return gone, broken(pl.place.path, err)
	}
	if len(d.ours()) == 0 {
		return pl.before, nil
	}
	if d, err = d.uninstall(pl.record.Added); err != nil {
		return gone, broken(pl.place.path, err)
	}
	if d.bare() && (pl.record.Created || a.ours) {
		return gone, nil
	}
	return content{exists: true, data: d.src, mode: pl.before.mode}, nil
}

// undo writes what was planned, and forgets the install last: if we are killed before, uninstalling again ends it.
func (h *Hooks) undo(pl plan) error {
	fromBackup := false
	if pl.record.Backup != "" {
		backup, err := os.ReadFile(pl.record.Backup)
		fromBackup = err == nil && pl.after.exists && string(backup) == string(pl.after.data)
	}
	switch {
	case !pl.changes():
	case fromBackup:
		if err := pl.place.unchanged(pl.before); err != nil {
			return err
		}
		if err := os.Rename(pl.record.Backup, pl.place.real); err != nil { // with its mode and dates
			return err
		}
	default:
		if err := pl.place.replace(pl.before, pl.after); err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(pl.record.Folders) {
		_ = os.Remove(dir) // only if it is empty
	}
	if !pl.known {
		return nil
	}
	l, err := h.registry.load()
	if err != nil {
		return err
	}
	token := l.Tokens[pl.record.Agent]
	if err := h.registry.drop(pl.record); err != nil {
		return err
	}
	if l, err = h.registry.load(); err != nil || l.Tokens[pl.record.Agent] != "" {
		return err
	}
	return withdraw(h.contactPath(pl.record.Agent), token)
}
