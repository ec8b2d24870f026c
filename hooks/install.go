package hooks

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

func (h *Hooks) install(a agent, p place, r Request) (AgentReport, error) {
	return h.change(a, p, r.DryRun, func() (plan, error) { return h.planInstall(a, p, r) }, h.carryOut)
}

// planInstall works out what the file becomes and what must be kept to undo it.
func (h *Hooks) planInstall(a agent, p place, r Request) (plan, error) {
	pl := plan{place: p}
	var err error
	if pl.before, err = p.read(); err != nil {
		return pl, err
	}
	pl.after = content{exists: true, mode: pl.before.mode}
	rec := Install{Agent: a.name, Scope: p.scope, Root: p.root, Path: p.real, Port: r.Port, At: h.cfg.Now().UnixMilli()}
	old, known, err := h.registry.find(a.name, p.real)
	if err != nil {
		return pl, err
	}
	var d document
	if pl.before.exists {
		if d, err = a.parse(pl.before.data); err != nil {
			return pl, broken(p.path, err)
		}
	}
	switch {
	case !pl.before.exists || d.foreign():
		if pl.before.exists {
			if err := p.writable(pl.before); err != nil {
				return pl, err
			}
			if !r.Force && !r.DryRun {
				return pl, conflict("%s is not Turnwatch's; nothing was changed. With force (--force) it is moved to a .bak file, and back when you uninstall", p.path)
			}
			rec.Backup = p.real + ".bak." + h.cfg.Now().UTC().Format("20060102T150405")
		}
		pl.after.data, rec.Created, rec.Folders, rec.Added = a.fresh(), true, p.missing(), []string{"hooks"}
	default:
		add, err := d.install()
		if err != nil {
			return pl, broken(p.path, err)
		}
		pl.after.data, rec.Spans, rec.Added = add.text, add.spans, add.added
		rec.Before = hash(pl.before.data)
		if len(d.ours()) == 0 {
			known = known && old.Backup != "" // what was installed before is gone: this is a new beginning
		}
	}
	rec.After = hash(pl.after.data)
	if known {
		rec = continued(old, rec, !pl.changes())
	}
	pl.record = rec
	if pl.changes() {
		err = p.writable(pl.before)
	}
	return pl, err
}

// continued joins the record of an install with that of an earlier one, whose beginning is to be given back.
func continued(old, rec Install, unchanged bool) Install {
	if unchanged && old.After == rec.After {
		rec.Spans, rec.Added, rec.At = old.Spans, old.Added, old.At
	} else {
		rec.Spans = nil // they would belong to another text
		rec.Added = union(old.Added, rec.Added)
	}
	rec.Before, rec.Created = old.Before, old.Created || rec.Created
	rec.Folders = union(old.Folders, rec.Folders)
	if rec.Backup == "" {
		rec.Backup = old.Backup
	}
	if rec.Port == 0 {
		rec.Port = old.Port
	}
	return rec
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// carryOut writes the record first: whatever happens then, uninstalling knows what to undo. If the file cannot be
// written, all is as before.
func (h *Hooks) carryOut(pl plan) error {
	old, known, err := h.registry.find(pl.record.Agent, pl.record.Path)
	if err != nil {
		return err
	}
	if err := h.registry.put(pl.record); err != nil {
		return err
	}
	if pl.changes() {
		if err := pl.write(); err != nil {
			undo := h.registry.drop(pl.record)
			if known {
				undo = h.registry.put(old)
			}
			return errors.Join(err, undo)
		}
	}
	return h.contacts(h.cfg.URL())
}

func (pl plan) write() (err error) {
	var made []string
	moved := false
	defer func() {
		if err == nil {
			return
		}
		if moved {
			err = errors.Join(err, os.Rename(pl.record.Backup, pl.place.real))
		}
		for _, dir := range slices.Backward(made) {
			_ = os.Remove(dir) // if somebody put something into it, it stays
		}
	}()
	for _, dir := range pl.record.Folders {
		switch err := os.Mkdir(dir, 0o755); {
		case err == nil:
			made = append(made, dir)
		case !errors.Is(err, os.ErrExist):
			return err
		}
	}
	before := pl.before
	if pl.record.Backup != "" && pl.record.Created && before.exists {
		if _, err := os.Lstat(pl.record.Backup); err == nil {
			return fmt.Errorf("%s exists already", pl.record.Backup)
		}
		if err := os.Rename(pl.place.real, pl.record.Backup); err != nil {
			return err
		}
		moved, before = true, content{}
	}
	return pl.place.replace(before, pl.after)
}
